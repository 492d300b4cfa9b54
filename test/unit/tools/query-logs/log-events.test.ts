import { expect, it } from 'vitest';
import { project, rawLogs, word } from './projected-logs.ts';

/** Seconds into the log at which the events stand. */
function secondsOf(events: readonly string[]): number[] {
  return events.map((line) => (Date.parse(line.slice(0, 24)) - START) / 1_000);
}

const START = Date.parse('2026-11-30T09:00:00Z');

it('spreads the events of a single pattern over the time and stops at eight', () => {
  const texts = Array.from({ length: 800 }, (_none, at) => `ERROR lock lost after ${at} ms`);

  const { body, truncated } = project(rawLogs(texts));

  const seconds = secondsOf(body.events);
  expect(seconds).toEqual([0, 100, 200, 300, 400, 500, 600, 799]);
  expect(truncated).toBe(true);
});

it('shows where a burst of a single pattern begins', () => {
  const writer = [
    ...Array.from({ length: 40 }, (_none, at) => [at * 60, 'ERROR lock lost']),
    ...Array.from({ length: 60 }, (_none, at) => [1_500 + at / 10, 'ERROR lock lost']),
  ] as const;
  const timed = writer.map(([second, text]) => ({ second: Number(second), text: String(text) }));

  const { body } = project(
    rawLogs(
      timed.map(({ text }) => text),
      { seconds: timed.map(({ second }) => second) },
    ),
  );

  expect(secondsOf(body.events)).toEqual(expect.arrayContaining([0, 1_500, 39 * 60]));
});

it('shows of many lines alike four at most while others match', () => {
  const texts = Array.from({ length: 300 }, (_none, at) =>
    at % 100 === 50 ? `WARN slow channel ${word(at)}` : `ERROR lock lost after ${at} ms`,
  );

  const { body } = project(rawLogs(texts));

  const count = (text: string) => body.events.filter((line) => line.includes(text)).length;
  expect([count('lock lost'), count('slow channel')]).toEqual([5, 3]);
});

it('shows every line of a short log of changes, however many are of one pattern', () => {
  const texts = Array.from(
    { length: 24 },
    (_none, at) => `INFO released service=${word(at)} v1.${at}`,
  );

  const { body, truncated } = project(rawLogs(texts));

  expect(body.patterns).toHaveLength(1);
  expect({ returned: body.returned_count, truncated }).toEqual({ returned: 24, truncated: false });
});

it('shows first and last of a pattern beside others', () => {
  const texts = Array.from({ length: 500 }, (_none, at) =>
    at > 99 && at < 400 && at % 3 === 0
      ? `ERROR lock lost after ${at} ms`
      : `INFO order ${at} paid`,
  );

  const { body } = project(rawLogs(texts));

  const locks = body.events.filter((line) => line.includes('lock lost'));
  expect([locks[0]?.slice(-6), locks.at(-1)?.slice(-6)]).toEqual(['102 ms', '399 ms']);
});
