import { toInstant } from '../../../../shared/kernel/clock.ts';
import type { RawLogCounts } from './log-raw.ts';

/** Widths that read well, in seconds. */
const WIDTHS = [
  1, 5, 10, 30, 60, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
];
/** More stretches than this tell a reader nothing more and cost bytes that events can use. */
const MAX_STRETCHES = 30;

export interface TimelineStretch {
  readonly start: string;
  readonly count: number;
}

/**
 * How many entries fell into each stretch of time, quiet ones included. `times` ascend; entries
 * without a time (NaN, in front) are left out.
 */
export function timelineOf(times: Float64Array): TimelineStretch[] {
  const timed = times.filter((time) => !Number.isNaN(time));
  const [first, last] = [timed.at(0), timed.at(-1)];
  if (first === undefined || last === undefined) return [];
  const width = binWidthFor(last - first);
  const origin = Math.floor(first / width) * width;
  const counts = new Array<number>(Math.floor((last - origin) / width) + 1).fill(0);
  for (const time of timed) {
    const at = Math.floor((time - origin) / width);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts.map((count, at) => ({ start: toInstant(origin + at * width), count }));
}

/** The timeline of counts that the source made itself. */
export function timelineOfCounts({ fromMs, widthMs, counts }: RawLogCounts): TimelineStretch[] {
  return counts.map((count, at) => ({ start: toInstant(fromMs + at * widthMs), count }));
}

/** Width of a stretch for a span of time, in milliseconds; days are multiplied when one is too short. */
export function binWidthFor(spanMs: number): number {
  const fits = (seconds: number) => spanMs / (seconds * 1_000) < MAX_STRETCHES - 1;
  const width = WIDTHS.find(fits);
  if (width !== undefined) return width * 1_000;
  const day = 86_400_000;
  return Math.ceil(spanMs / day / (MAX_STRETCHES - 1)) * day;
}
