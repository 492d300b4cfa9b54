import { describe, expect, it } from 'vitest';
import {
  timelineOf,
  timelineOfCounts,
} from '../../../../functions/diagnosis/tools/query-logs/log-timeline.ts';

const HOUR = 3_600_000;
const TO = Date.parse('2026-11-30T10:00:00Z');

function aWindow(spanMs: number, toMs = TO) {
  return { fromMs: toMs - spanMs, toMs };
}

/** As many times, evenly over the last minutes before the end. */
function lastTimes(count: number, minutes: number): Float64Array {
  return Float64Array.from(
    { length: count },
    (_none, at) => TO - minutes * 60_000 + (at * minutes * 60_000) / count,
  );
}

function startOf(stretch: { readonly start: string } | undefined): number {
  return Date.parse(stretch?.start ?? '');
}

it('tells that nothing happened from that nothing is known', () => {
  const timeline = timelineOf(lastTimes(40, 20), aWindow(HOUR));

  expect(timeline.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 10, 10, 10, 10]);
  expect(timeline[0]?.start).toBe('2026-11-30T09:00:00.000Z');
});

describe.each([
  ['an hour', HOUR],
  ['an odd span', 47 * 60_000],
  ['a minute', 60_000],
  ['a day', 24 * HOUR],
  ['a week', 168 * HOUR],
])('over %s', (_name, spanMs) => {
  const window = aWindow(spanMs, TO + 17_123);

  it.each([1, 2, 7, 500])('covers the window evenly with %i entries', (count) => {
    const times = Float64Array.from(
      { length: count },
      (_none, at) => window.fromMs + (at * spanMs) / count,
    );

    const timeline = timelineOf(times, window);

    const width = startOf(timeline[1]) - startOf(timeline[0]);
    expect(timeline.map((stretch) => startOf(stretch))).toEqual(
      timeline.map((_stretch, at) => startOf(timeline[0]) + at * width),
    );
    expect(startOf(timeline[0])).toBeLessThanOrEqual(window.fromMs);
    expect(startOf(timeline[0])).toBeGreaterThan(window.fromMs - width);
    expect(startOf(timeline.at(-1)) + width).toBe(window.toMs);
    expect(timeline.length).toBeLessThanOrEqual(Math.min(30, Math.max(6, 2 * count)));
    expect(timeline.reduce((sum, stretch) => sum + stretch.count, 0)).toBe(count);
  });
});

it.each([
  ['the end of the window', 60, [0, 0, 0, 0, 0, 1]],
  ['where two stretches meet', 10, [0, 1, 0, 0, 0, 0]],
  ['the beginning', 0, [1, 0, 0, 0, 0, 0]],
])('counts an entry at %s once', (_name, minute, counts) => {
  const window = aWindow(HOUR);

  const timeline = timelineOf(Float64Array.of(window.fromMs + minute * 60_000), window);

  expect(timeline.map(({ count }) => count)).toEqual(counts);
});

it('is empty where no entry has a time', () => {
  expect(timelineOf(Float64Array.of(Number.NaN), aWindow(HOUR))).toEqual([]);
});

it('is as long as the times where no window is known', () => {
  const timeline = timelineOf(Float64Array.of(TO - 6_000, TO), null);

  expect(timeline.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 1]);
});

describe('of counts that the source made', () => {
  const counts = { fromMs: TO - 20 * 60_000, widthMs: 300_000, counts: [90, 0, 4, 6] };

  it('shows the quiet ends of the window too', () => {
    const timeline = timelineOfCounts(counts, aWindow(HOUR));

    expect(timeline.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 90, 0, 4, 6]);
    expect(timeline[0]?.start).toBe('2026-11-30T09:00:00.000Z');
  });

  it('puts stretches together where few entries matched, and loses none', () => {
    const few = { ...counts, counts: [1, 0, 1] };

    const timeline = timelineOfCounts(few, aWindow(65 * 60_000));

    expect(timeline.map(({ count }) => count)).toEqual([0, 0, 0, 1, 1]);
    expect(timeline.at(-1)?.start).toBe('2026-11-30T09:45:00.000Z');
  });

  it('shows them as they are where no window is known', () => {
    expect(timelineOfCounts(counts, null).map(({ count }) => count)).toEqual([90, 0, 4, 6]);
  });
});
