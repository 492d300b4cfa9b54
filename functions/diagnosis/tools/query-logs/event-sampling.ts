import type { LogSurvey } from './log-survey.ts';
import { isSevere } from './pattern-ranking.ts';

/** Stretches of time among which bursts are looked for. */
const BINS = 60;
/** Bursts that get events of their own. */
const MAX_BURSTS = 3;

/**
 * Indexes of the entries to show, the most telling first: the first of each severe pattern, what
 * stands at and right before a burst, both edges, the last of each severe pattern, one of every
 * other pattern, then evenly over the rest.
 */
export function sampleEvents(
  survey: LogSurvey,
  ranked: readonly number[],
  limit: number,
): number[] {
  const { patterns, patternOf } = survey;
  const shown = ranked.flatMap((index) => patterns[index] ?? []);
  const severe = shown.filter(isSevere);
  const last = patternOf.length - 1;
  const wanted = [
    ...severe.map((pattern) => pattern.first),
    ...burstEntries(survey),
    0,
    last,
    ...severe.map((pattern) => pattern.last),
    ...shown.map((pattern) => pattern.first),
    ...evenly(last, limit),
  ];
  return [...new Set(wanted)].filter((entry) => entry >= 0 && entry <= last).slice(0, limit);
}

/** The first entry of each burst of severe entries, and the one before it. */
function burstEntries({ patterns, patternOf, times }: LogSurvey): number[] {
  const start = times.find((time) => !Number.isNaN(time));
  const end = times.at(-1);
  if (start === undefined || end === undefined || !(end > start)) return [];
  const bins = Array.from({ length: BINS }, () => ({ count: 0, first: -1 }));
  for (let entry = 0; entry < times.length; entry += 1) {
    const pattern = patterns[patternOf[entry] ?? -1];
    const at = Math.floor((((times[entry] ?? 0) - start) / (end - start)) * (BINS - 1));
    const bin = bins[at];
    if (pattern === undefined || bin === undefined || !isSevere(pattern)) continue;
    if (bin.count === 0) bin.first = entry;
    bin.count += 1;
  }
  const mean = bins.reduce((sum, { count }) => sum + count, 0) / BINS;
  return bins
    .filter(({ count }) => count > 1 && count > 2 * mean)
    .sort((a, b) => b.count - a.count || a.first - b.first)
    .slice(0, MAX_BURSTS)
    .flatMap(({ first }) => [first, first - 1]);
}

function evenly(last: number, limit: number): number[] {
  const step = Math.max(1, (last + 1) / limit);
  return Array.from({ length: limit }, (_none, place) => Math.floor(place * step));
}
