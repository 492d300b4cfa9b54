import type { LogSurvey } from './log-survey.ts';
import { isSevere } from './pattern-ranking.ts';

/** Stretches of time among which bursts are looked for. */
const BINS = 60;
/** Bursts that get events of their own. */
const MAX_BURSTS = 3;
/** Events that read the same but for their numbers: more of them tell a reader nothing more. */
const MAX_ALIKE = 3;
const MAX_ALIKE_SEVERE = 4;
/** So few are shown however much they are alike: a single pattern is worth its course in time. */
const MIN_SHOWN = 8;
/** Entries that are looked at to spread events over the time; a power of two, four times what is shown. */
const SPREAD = 128;

/** What is chosen from. */
export interface EventSource {
  readonly survey: LogSurvey;
  /** Indexes of the shown patterns, the most telling first. */
  readonly ranked: readonly number[];
  /** What an entry says apart from its numbers. */
  readonly wordingOf: (entry: number) => string;
}

/**
 * Indexes of the entries to show, the most telling first: the first of each severe pattern, what
 * stands at and right before a burst, both edges, the last of each severe pattern, the first of
 * every other pattern, then some of the severe and of the rest, spread over the time.
 */
export function sampleEvents(source: EventSource, limit: number): number[] {
  const { patterns, patternOf } = source.survey;
  const shown = source.ranked.flatMap((index) => patterns[index] ?? []);
  const severe = shown.filter(isSevere);
  const all = Int32Array.from(patternOf.keys());
  const isOfSevere = patterns.map(isSevere);
  const spread = spreadOver(all);
  const choice = new EventChoice(source, limit);
  choice.add(severe.map(({ first }) => first));
  // Places are left for the edges and for the last of a pattern, which tells whether it goes on.
  choice.add(burstEntries(source.survey), { left: 2 });
  choice.add([0, all.length - 1]);
  choice.add(severe.map(({ last }) => last));
  choice.add(shown.map(({ first }) => first));
  choice.add(spreadOver(all.filter((entry) => isOfSevere[patternOf[entry] ?? -1])));
  choice.add(shown.map(({ last }) => last));
  choice.add(spread);
  choice.fill(spread, MIN_SHOWN);
  return choice.entries;
}

/** The entries chosen so far, few of them alike. */
class EventChoice {
  readonly #source: EventSource;
  readonly #limit: number;
  readonly #chosen = new Set<number>();
  readonly #alike = new Map<string, number>();

  constructor(source: EventSource, limit: number) {
    this.#source = source;
    this.#limit = limit;
  }

  get entries(): number[] {
    return [...this.#chosen];
  }

  /** Adds those that are not alike to too many others; `left` of these stay free. */
  add(entries: readonly number[], { left } = { left: 0 }): void {
    for (const entry of entries) {
      if (!this.#isFree(entry, this.#limit)) continue;
      const pattern = this.#source.survey.patternOf[entry] ?? -1;
      const key = `${pattern} ${this.#source.wordingOf(entry)}`;
      const count = this.#alike.get(key) ?? 0;
      if (count >= this.#maxAlike(pattern) - left) continue;
      this.#alike.set(key, count + 1);
      this.#chosen.add(entry);
    }
  }

  /** Adds whatever it is given, until there are so many. */
  fill(entries: readonly number[], count: number): void {
    for (const entry of entries) {
      if (this.#isFree(entry, Math.min(count, this.#limit))) this.#chosen.add(entry);
    }
  }

  #isFree(entry: number, limit: number): boolean {
    const isEntry = entry >= 0 && entry < this.#source.survey.patternOf.length;
    return isEntry && this.#chosen.size < limit && !this.#chosen.has(entry);
  }

  #maxAlike(index: number): number {
    const pattern = this.#source.survey.patterns[index];
    return pattern !== undefined && isSevere(pattern) ? MAX_ALIKE_SEVERE : MAX_ALIKE;
  }
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

/** Some of the entries: the middle, the quarters, the eighths and so on, so that any beginning is even. */
function spreadOver(entries: Int32Array): number[] {
  const spread: number[] = [];
  for (let parts = 2; parts <= SPREAD; parts *= 2) {
    for (let part = 1; part < parts; part += 2) {
      spread.push(entries[Math.floor((part / parts) * entries.length)] ?? -1);
    }
  }
  return spread;
}
