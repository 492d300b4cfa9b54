import { describe, expect, it } from 'vitest';
import { type LogsObservation, LogsObservationSchema } from '../../shared/contracts/observation.ts';
import { AS_OF, capsuleTools, logLine } from '../support/capsule-tools.ts';
import { conclude } from '../support/drafts.ts';
import { play, rawCall, round } from '../support/played.ts';

const WORDS = 'abcdefghijklmnopqrstuvwxyz';

describe('Serialized log output', () => {
  it('contains only the frozen fields', async () => {
    const shown = await look([logLine(0, 'Lock wait timeout exceeded')]);

    expect(Object.keys(shown).sort()).toEqual([
      'events',
      'evidence_status',
      'matched_count',
      'patterns',
      'returned_count',
      'scope',
      'source_kind',
      'timeline',
      'tool_call_id',
      'truncated',
    ]);
    expect(Object.keys(shown.scope).sort()).toEqual(['notes', 'request', 'window']);
    expect(Object.keys(shown.patterns[0] ?? {}).sort()).toEqual([
      'count',
      'first_seen',
      'last_seen',
      'level',
      'line',
    ]);
    expect(Object.keys(shown.timeline[0] ?? {}).sort()).toEqual(['count', 'start']);
  });

  it('contains the complete logical scope', async () => {
    const shown = await look([logLine(0, 'Lock wait timeout exceeded')]);

    expect(shown).toMatchObject({
      tool_call_id: 'call-1',
      evidence_status: 'EVIDENCE_FOUND',
      source_kind: 'MOCK',
      scope: {
        request: { topic: 'orders', query: 'level=ERROR', lookback_minutes: 60 },
        window: { from: '2026-11-03T04:00:00.000Z', to: '2026-11-03T05:00:00.000Z' },
        notes: [],
      },
    });
  });

  it('names the logs of a deployment as what they are', async () => {
    const shown = await look([logLine(0, 'Lock wait timeout exceeded')], { shippedSample: false });

    expect(shown.source_kind).toBe('FILE');
  });

  it.each([
    [30, 30, false],
    [31, 30, true],
  ])('of %i matches returns %i: truncated is %s', async (matched, returned, truncated) => {
    const lines = Array.from({ length: matched }, (_none, at) =>
      logLine(at, `pool exhausted user=${aWord(at)}`),
    );

    const shown = await look(lines);

    const { matched_count, returned_count, events } = shown;
    expect({ matched_count, returned_count }).toEqual({
      matched_count: matched,
      returned_count: returned,
    });
    expect(events).toHaveLength(returned);
    expect(shown.truncated).toBe(truncated);
  });

  it.each([
    [8, 8, false],
    [9, 8, true],
    [31, 8, true],
  ])(
    'of %i matches alike but for numbers returns %i: truncated is %s',
    async (matched, returned, truncated) => {
      const lines = Array.from({ length: matched }, (_none, at) =>
        logLine(at, `pool exhausted after ${at} ms`),
      );

      const shown = await look(lines);

      expect(shown).toMatchObject({ matched_count: matched, returned_count: returned, truncated });
      expect(shown.events).toHaveLength(returned);
      expect([shown.events[0], shown.events.at(-1)]).toEqual([lines[0], lines.at(-1)].map(asShown));
    },
  );

  it('counts entries beside the ones that match as not there', async () => {
    const shown = await look([logLine(0, 'pool exhausted'), logLine(1, 'paid', 'INFO')]);

    expect(shown.matched_count).toBe(1);
    expect(shown.events).toEqual(['2026-11-03T04:30:00.000Z ERROR pool exhausted']);
    expect(shown.truncated).toBe(false);
  });

  it.each([
    [20, 20, false],
    [21, 20, true],
  ])('of %i patterns shows %i: truncated is %s', async (count, shownCount, truncated) => {
    const shown = await look(Array.from({ length: count }, (_none, at) => logLine(at, aKind(at))));

    expect(shown.patterns).toHaveLength(shownCount);
    expect(shown.truncated).toBe(truncated);
  });

  it.each([
    [1_024, false],
    [1_025, true],
  ])('of a line of %i bytes shows at most 1,024: truncated is %s', async (bytes, truncated) => {
    const line = logLine(0, 'stuck ').padEnd(bytes, 'z');
    const more = Array.from({ length: 4 }, (_none, at) => logLine(at + 1, aKind(at)));

    const shown = await look([line, ...more]);

    const [event = ''] = shown.events;
    expect(Buffer.byteLength(event)).toBeLessThanOrEqual(1_024);
    expect(event === line).toBe(!truncated);
    expect(shown.truncated).toBe(truncated);
  });

  it('shows at most 60 stretches of time, none of which drops a match', async () => {
    const lines = Array.from({ length: 61 }, (_none, at) => logLine(at * 29, 'pool exhausted'));

    const shown = await look(lines);

    const { timeline } = shown;
    expect(timeline.length).toBeLessThanOrEqual(60);
    expect(timeline.reduce((sum, { count }) => sum + count, 0)).toBe(61);
  });

  it('never outgrows an observation, however much matches', async () => {
    const lines = Array.from({ length: 400 }, (_none, at) => logLine(at, aKind(at).repeat(40)));

    const shown = await look(lines);

    expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThanOrEqual(12_288);
    expect(shown.truncated).toBe(true);
    expect(shown.matched_count).toBe(400);
  });
});

/** The one observation of a whole diagnosis that asks the logs once, held to its contract. */
async function look(
  lines: readonly string[],
  { shippedSample = true }: { readonly shippedSample?: boolean } = {},
): Promise<LogsObservation> {
  const input = { topic: 'orders', query: 'level=ERROR', lookback_minutes: 60 };
  const files = { 'logs/orders.log': `${lines.join('\n')}\n` };
  const evidence = await capsuleTools({ files, shippedSample });
  const answers = [round(rawCall('query_logs', { input })), conclude()];
  const { shownAfter } = await play(answers, { evidence, request: { as_of: AS_OF } });
  return LogsObservationSchema.parse(shownAfter(1)[0]);
}

/** A line of a capsule's log as an event shows it, its time in full. */
function asShown(line = ''): string {
  return line.replace(/^\S+/, (time) => new Date(time).toISOString());
}

function aWord(at: number): string {
  return (WORDS[at % 26] ?? '').repeat(4 + Math.floor(at / 26));
}

/** A message unlike that of every other number: words, since numbers are what a pattern masks. */
function aKind(at: number): string {
  const word = aWord(at);
  return `${word} ${word}ed the ${word}er while ${word}ing`;
}
