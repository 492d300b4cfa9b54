import { toInstant } from '../../../../shared/kernel/clock.ts';
import type { RawLogCounts } from './log-raw.ts';

/** Widths that read well, in seconds. */
const WIDTHS = [
  1, 5, 10, 30, 60, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
];
/** More stretches than this tell a reader nothing more and cost bytes that events can use. */
const MAX_STRETCHES = 30;
/** So many even for a single entry, so that its place in the window is seen. */
const MIN_STRETCHES = 6;
const STRETCHES_PER_ENTRY = 2;

export interface TimelineStretch {
  readonly start: string;
  readonly count: number;
}

/** Milliseconds since the epoch, both included. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * How many entries fell into each stretch of the window, quiet ones included: equal stretches, of
 * which the last ends with the window and the first begins at its beginning or before. `times`
 * ascend; entries without a time (NaN, in front) are left out. Without a window it is as long as the times.
 */
export function timelineOf(times: Float64Array, window: TimeSpan | null): TimelineStretch[] {
  const timed = times.filter((time) => !Number.isNaN(time));
  const [first, last] = [timed.at(0), timed.at(-1)];
  if (first === undefined || last === undefined) return [];
  const fromMs = Math.min(first, window?.fromMs ?? first);
  const toMs = Math.max(last, window?.toMs ?? last);
  const widthMs = binWidthFor(toMs - fromMs, stretchesFor(timed.length));
  const counts = new Array<number>(Math.max(1, Math.ceil((toMs - fromMs) / widthMs))).fill(0);
  const start = toMs - counts.length * widthMs;
  for (const time of timed) {
    const at = Math.min(counts.length - 1, Math.floor((time - start) / widthMs));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts.map((count, at) => ({ start: toInstant(start + at * widthMs), count }));
}

/** The timeline of counts that the source made itself, in its stretches or several of them together. */
export function timelineOfCounts(given: RawLogCounts, window: TimeSpan | null): TimelineStretch[] {
  const { fromMs, widthMs, counts } = withQuietEnds(given, window);
  const matched = counts.reduce((sum, count) => sum + count, 0);
  const together = Math.max(1, Math.ceil(counts.length / stretchesFor(matched)));
  const length = Math.ceil(counts.length / together);
  const lacking = length * together - counts.length;
  return Array.from({ length }, (_none, at) => {
    const first = at * together - lacking;
    const count = counts
      .slice(Math.max(0, first), first + together)
      .reduce((sum, one) => sum + one);
    return { start: toInstant(fromMs + first * widthMs), count };
  });
}

/** Width of so many stretches over a span of time, in milliseconds; whole days where one is too short. */
export function binWidthFor(spanMs: number, stretches = MAX_STRETCHES - 1): number {
  const width = WIDTHS.find((seconds) => spanMs / (seconds * 1_000) <= stretches);
  if (width !== undefined) return width * 1_000;
  const day = 86_400_000;
  return Math.ceil(spanMs / day / stretches) * day;
}

/** Few entries need no fine stretches, which would be quiet ones most of all. */
function stretchesFor(count: number): number {
  return Math.min(MAX_STRETCHES, Math.max(MIN_STRETCHES, count * STRETCHES_PER_ENTRY));
}

function withQuietEnds(given: RawLogCounts, window: TimeSpan | null): RawLogCounts {
  const { fromMs, widthMs, counts } = given;
  const endMs = fromMs + counts.length * widthMs;
  const before = stretchesBetween(window?.fromMs ?? fromMs, fromMs, widthMs);
  const behind = stretchesBetween(endMs, window?.toMs ?? endMs, widthMs);
  return {
    fromMs: fromMs - before * widthMs,
    widthMs,
    counts: [...quiet(before), ...counts, ...quiet(behind)],
  };
}

function stretchesBetween(fromMs: number, toMs: number, widthMs: number): number {
  return Math.max(0, Math.ceil((toMs - fromMs) / widthMs));
}

function quiet(length: number): number[] {
  return new Array<number>(length).fill(0);
}
