import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logProjector } from '../../../../functions/diagnosis/tools/query-logs/log-projector.ts';
import { createRedactor } from '../../../../shared/redaction/redactor.ts';
import { project, ROOM, rawLogs, word } from './projected-logs.ts';

describe('byte budget', () => {
  const texts = Array.from(
    { length: 400 },
    (_none, at) => `ERROR ${word(at)} "失败" ${'y'.repeat(at * 3)}`,
  );
  const raw = rawLogs(texts);

  it.each([200, 500, 1_000, 2_500, 5_000, 8_000, 11_000])('fits the body into %i bytes', (room) => {
    const { body, truncated } = project(raw, room);

    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(room);
    expect(truncated).toBe(true);
  });

  it('uses the room it has', () => {
    const { body } = project(raw, ROOM);

    expect(Buffer.byteLength(JSON.stringify(body))).toBeGreaterThan(ROOM * 0.85);
  });

  it('drops the lowest ranks first', () => {
    const all = project(raw, ROOM).body.patterns.map(({ line }) => line.slice(0, 60));

    const some = project(raw, 2_500).body.patterns.map(({ line }) => line.slice(0, 60));

    expect(some.length).toBeGreaterThan(0);
    expect(some).toEqual(all.slice(0, some.length));
  });
});

it('gives the same bytes for the same input', () => {
  const raw = rawLogs(
    Array.from(
      { length: 500 },
      (_none, at) => `ERROR ${word(at % 60)} id=${at} from 10.0.0.${at % 250}`,
    ),
  );

  expect(JSON.stringify(project(raw))).toBe(JSON.stringify(project(raw)));
});

it('shows facts that are word for word in the body', () => {
  const texts = [`ERROR lost ${'very '.repeat(150)}long`, 'WARN short', 'WARN short'];

  const { body, facts } = project(rawLogs(texts));

  const lines = [...body.events, ...body.patterns.map(({ line }) => line)];
  expect(facts.every((fact) => lines.some((line) => line.startsWith(fact)))).toBe(true);
  expect(facts.map((fact) => Buffer.byteLength(fact) <= 300)).toEqual([true, true, true]);
});

it.each([
  ['in a message', (canary: string) => `ERROR login failed password=${canary}`],
  ['in a phrase', (canary: string) => `ERROR login failed, password: ${canary} was refused`],
  ['in a URL', (canary: string) => `ERROR GET https://user:${canary}@bank.example/pay failed`],
  [
    'in JSON',
    (canary: string) => JSON.stringify({ level: 'ERROR', msg: 'failed', password: canary }),
  ],
  ['in a header', (canary: string) => `ERROR call failed Authorization: Bearer ${canary}`],
])('lets no secret through %s', (_name, lineWith) => {
  const canaries = Array.from({ length: 12 }, (_none, at) => `Kq7xZ${word(at)}vB2n`);

  const projection = project(rawLogs(canaries.map((canary) => lineWith(canary))));

  const shown = JSON.stringify(projection);
  expect(canaries.filter((canary) => shown.includes(canary))).toEqual([]);
});

it('lets no secret made of words through a pattern', () => {
  const texts = Array.from(
    { length: 40 },
    () => 'ERROR login failed password=correcthorsebattery retry later',
  );

  const shown = JSON.stringify(project(rawLogs(texts)));

  expect(shown).not.toContain('correcthorsebattery');
});

it('shows one decisive error among many lines', () => {
  const noise = Array.from({ length: 20_000 }, (_none, at) => {
    const level = at % 33 === 0 ? 'ERROR' : 'INFO';
    return `${level} a.Svc${at % 9} - ${word(at % 37)} handled id=${at} cost=${at % 900}ms`;
  });
  noise[13_579] =
    'ERROR a.Ledger - row lock lost java.sql.SQLTransactionRollbackException: Deadlock found';

  const { body } = project(rawLogs(noise));

  expect(body.patterns.filter(({ line }) => line.includes('Deadlock'))).toHaveLength(1);
  expect(body.events.filter((line) => line.includes('Deadlock'))).toHaveLength(1);
});

it('puts control characters and line separators into no line', () => {
  const { body } = project(rawLogs(['INFO a\u0007b\u2028c\td']));

  expect(body.events).toEqual(['2026-11-30T09:00:00.000Z INFO a b c d']);
});

it.each([
  ['nothing', ''],
  ['no JSON', 'ERROR: access denied'],
  ['other JSON', '{"entries":[]}'],
  [
    'a cut result',
    Buffer.from(rawLogs(['INFO a', 'INFO b']))
      .toString()
      .slice(0, -20),
  ],
  [
    'a wrong count',
    Buffer.from(rawLogs(['INFO a']))
      .toString()
      .replace('"matched_count":1', '"matched_count":2'),
  ],
  [
    'a huge count',
    Buffer.from(rawLogs(['INFO a']))
      .toString()
      .replace('"matched_count":1', '"matched_count":1e15'),
  ],
  [
    'a damaged entry',
    Buffer.from(rawLogs(['INFO a']))
      .toString()
      .replace('"INFO a"', '7'),
  ],
])('calls %s malformed', (_name, raw) => {
  const request = {
    input: { topic: 'pay', query: '', lookback_minutes: 60 },
    window: null,
    redactor: createRedactor(),
    maxBodyBytes: ROOM,
  };

  expect(logProjector.project(Buffer.from(raw), request)).toEqual({ kind: 'malformed' });
});

it('projects any text within its bounds', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 120 }), { maxLength: 40 });

  fc.assert(
    fc.property(texts, (some) => {
      const { body } = project(rawLogs(some), 3_000);

      const json = JSON.stringify(body);
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(3_000);
      expect(json.isWellFormed()).toBe(true);
      expect(body.matched_count).toBe(some.length);
    }),
    { numRuns: 40 },
  );
});

it('is one JSON document', () => {
  const raw: unknown = JSON.parse(Buffer.from(rawLogs(['INFO a', 'INFO "b"'])).toString());

  expect(raw).toMatchObject({
    matched_count: 2,
    entries: [
      [expect.any(Number), 'INFO a'],
      [expect.any(Number), 'INFO "b"'],
    ],
  });
});
