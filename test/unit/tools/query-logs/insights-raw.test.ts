import { expect, it } from 'vitest';
import {
  RawLogReader,
  RawLogWriter,
} from '../../../../functions/diagnosis/tools/query-logs/log-raw.ts';
import { project } from './projected-logs.ts';

const START = Date.parse('2026-11-30T09:00:00Z');
const TRAITS = { zoneAssumed: false, bytesReplaced: 0, newestMayBeMissing: false };
const COUNTS = { fromMs: START, widthMs: 300_000, counts: [3, 0, 4_000] };

function aSample(texts: readonly string[]): RawLogWriter {
  const writer = new RawLogWriter();
  texts.forEach((text, at) => {
    writer.add({ epochMs: START + at * 1_000, text }, at);
  });
  return writer;
}

it('keeps what the source counted beside a sample of it', () => {
  const raw = aSample(['ERROR lost', 'INFO kept']).finish(
    { ...TRAITS, rowsCut: true },
    { matchedCount: 4_003, counts: COUNTS },
  );

  const reader = RawLogReader.open(raw);

  expect(reader?.head).toEqual({
    ...TRAITS,
    matchedCount: 4_003,
    entryCount: 2,
    counts: COUNTS,
    rowsCut: true,
  });
});

it('shows the counts of the source, not of the sample', () => {
  const raw = aSample(['ERROR lost', 'INFO kept']).finish(
    { ...TRAITS, rowsCut: true },
    { matchedCount: 4_003, counts: COUNTS },
  );

  const { body, notes, truncated } = project(raw);

  expect({ matched: body.matched_count, returned: body.returned_count }).toEqual({
    matched: 4_003,
    returned: 2,
  });
  expect(body.timeline.slice(0, 4)).toEqual([
    { start: '2026-11-30T09:00:00.000Z', count: 3 },
    { start: '2026-11-30T09:05:00.000Z', count: 0 },
    { start: '2026-11-30T09:10:00.000Z', count: 4_000 },
    { start: '2026-11-30T09:15:00.000Z', count: 0 },
  ]);
  expect({ notes, truncated }).toEqual({ notes: ['ROWS_CUT_BY_SOURCE'], truncated: true });
});

it('calls a result truncated where the source cut an entry that is shown', () => {
  const raw = aSample(['ERROR lost']).finish({ ...TRAITS, rowsCut: true });

  const { notes, truncated } = project(raw);

  expect({ notes, truncated }).toEqual({ notes: ['ROWS_CUT_BY_SOURCE'], truncated: true });
});

it.each([
  ['fewer entries than it says', { entry_count: 3 }],
  ['a count that is no number', { counts: { from_ms: 0, width_ms: 1_000, counts: ['4'] } }],
  ['stretches without a length', { counts: { from_ms: 0, width_ms: 0, counts: [4] } }],
])('refuses %s', (_fault, change) => {
  const raw = aSample(['ERROR lost']).finish(TRAITS, { matchedCount: 9, counts: COUNTS });
  const [head = '', ...lines] = Buffer.from(raw).toString().split('\n');
  const changed = { ...JSON.parse(`${head}]}`), ...change, entries: undefined };
  const text = [`${JSON.stringify(changed).slice(0, -1)},"entries":[`, ...lines].join('\n');

  expect(() => project(Buffer.from(text))).toThrow('malformed');
});
