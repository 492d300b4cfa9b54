import { describe, expect, it } from 'vitest';
import { shippedCapsules } from '../../../functions/cli/incident-generator/shipped-capsules.ts';
import { ExpectedSchema } from '../../../shared/contracts/expected.ts';
import { logEntries, shippedIncident, shippedNames } from '../../support/shipped-incident.ts';

const MINUTE_MS = 60_000;
const MAX_BYTES = 500_000;
/** The first incident shows the product, and is larger. */
const MAX_FIRST_BYTES = 1_200_000;
const MAX_TOTAL_BYTES = 8_000_000;
const LEAST_WITHOUT_CAUSE = 2;

describe('the shipped incidents', () => {
  it('are those that the generator knows', () => {
    expect(shippedNames).toEqual([...shippedCapsules.keys()].sort());
  });

  it('take at most 8 MB together', () => {
    const bytes = shippedNames.map((name) => sizeOf(shippedIncident(name).files));

    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_TOTAL_BYTES);
  });

  it('hold some that have no cause to be named, and more that have', () => {
    const expected = shippedNames.map(expectedOf);

    const withCause = expected.filter(({ must_conclude }) => must_conclude.length > 0);

    expect(expected.length).toBeGreaterThanOrEqual(12);
    expect(withCause.length).toBeGreaterThan(expected.length / 2);
    expect(expected.length - withCause.length).toBeGreaterThanOrEqual(LEAST_WITHOUT_CAUSE);
  });
});

describe.each([...shippedCapsules])('%s', (name, generate) => {
  const { files, incident } = shippedIncident(name);
  const asOf = Date.parse(incident.as_of);
  const logs = incident.topics.map((topic) => ({
    topic,
    entries: logEntries(files.get(`logs/${topic.name}.log`) ?? '', asOf),
  }));

  it('is what the generator makes, byte for byte', () => {
    const made = generate();

    expect([...files.keys()]).toEqual([...made.keys()].sort());
    expect(files).toEqual(new Map([...made].sort()));
  });

  it('bears the name of its folder and keeps its size', () => {
    expect(incident.name).toBe(name);
    expect(sizeOf(files)).toBeLessThanOrEqual(
      name === 'payment-timeout' ? MAX_FIRST_BYTES : MAX_BYTES,
    );
  });

  it('has a log for every topic and no other, deployments among them', () => {
    const found = [...files.keys()].filter((path) => path.startsWith('logs/'));

    const topics = incident.topics.map((topic) => topic.name);

    expect(found).toEqual(topics.map((topic) => `logs/${topic}.log`).sort());
    expect(topics).toContain('deployments');
  });

  it('has logs whose every entry tells its time', () => {
    const untimed = logs.map(({ entries }) => entries.filter(({ isTimed }) => !isTimed).length);

    expect(logs.map(({ entries }) => entries.length > 0)).not.toContain(false);
    expect(untimed).toEqual(logs.map(() => 0));
  });

  it('has events before the question only, in order of time, all within a topic look-back', () => {
    const strays = logs.map(({ topic, entries }) => {
      const earliest = asOf - topic.max_lookback_minutes * MINUTE_MS;
      const times = entries.map(({ epochMs }) => epochMs ?? Number.NaN);
      return times.filter(
        (at, index) =>
          !(
            at >= earliest &&
            at < asOf &&
            at >= Math.floor((times[index - 1] ?? 0) / 1_000) * 1_000
          ),
      );
    });

    expect(strays).toEqual(logs.map(() => []));
  });

  it('has something in the last hour of every log but the deployments', () => {
    const silent = logs.filter(
      ({ topic, entries }) =>
        topic.name !== 'deployments' &&
        !entries.some(({ epochMs }) => (epochMs ?? 0) > asOf - 60 * MINUTE_MS),
    );

    expect(silent).toEqual([]);
  });

  it('has three to six documents', () => {
    const documents = [...files.keys()].filter((path) => path.startsWith('knowledge/'));

    expect(documents.length).toBeGreaterThanOrEqual(3);
    expect(documents.length).toBeLessThanOrEqual(6);
  });

  it('expects something of a diagnosis that its own texts do not give away', () => {
    const { true_cause } = expectedOf(name);

    const telling = [...files].filter(
      ([path, text]) => path !== 'expected.json' && text.includes(true_cause ?? '\u0000'),
    );

    expect(telling).toEqual([]);
  });
});

function expectedOf(name: string) {
  return ExpectedSchema.parse(JSON.parse(shippedIncident(name).files.get('expected.json') ?? ''));
}

function sizeOf(files: ReadonlyMap<string, string>): number {
  return [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
