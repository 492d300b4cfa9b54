import { EntryInterpreter } from './log-entry.ts';
import type { LogLevel } from './log-level.ts';
import type { RawLogReader } from './log-raw.ts';
import { PatternMiner, type PatternPart } from './pattern-miner.ts';
import { PatternValues } from './pattern-values.ts';
import { severityOf } from './severity.ts';
import { foldTrace } from './trace-lines.ts';

/** One pattern of the matched entries. */
export interface SurveyedPattern {
  readonly level: LogLevel | null;
  readonly severity: number;
  readonly count: number;
  /** Indexes of its first and last entry in time. */
  readonly first: number;
  readonly last: number;
  /** A variable is only what really differs among the entries. */
  readonly parts: readonly PatternPart[];
}

/** What is known of all matched entries; their texts stay in the raw result. */
export interface LogSurvey {
  readonly patterns: readonly SurveyedPattern[];
  /** Per entry, in time order: its time (NaN without one), its pattern, its place in the raw result. */
  readonly times: Float64Array;
  readonly patternOf: Int32Array;
  readonly places: Int32Array;
}

/** Goes through a raw result once and finds its patterns; null when the result is malformed. */
export function surveyLogs(raw: RawLogReader): LogSurvey | null {
  const count = raw.head.entryCount;
  if (!Number.isInteger(count) || count < 0 || count > raw.maxEntries) return null;
  const times = new Float64Array(count);
  const groups = new Int32Array(count);
  const places = new Int32Array(count);
  const miner = new PatternMiner();
  const values = new PatternValues(miner);
  const messages = new Messages();
  const levels: (LogLevel | null)[] = [];
  let at = 0;
  const isWhole = raw.forEach(({ epochMs, text }, place) => {
    const { level, message } = messages.read(text);
    const group = miner.add(message, 0, level);
    values.see(group, message);
    levels[group] ??= level;
    times[at] = epochMs ?? Number.NaN;
    groups[at] = group;
    places[at] = place;
    at += 1;
  });
  if (!isWhole) return null;
  return { ...patternsOf({ groups, levels, miner, values }), times, places };
}

/** Level and one-line message of entries: headers off, traces folded. */
export class Messages {
  readonly #interpreter = new EntryInterpreter();

  read(text: string): { readonly level: LogLevel | null; readonly message: string } {
    const { level, message } = this.#interpreter.interpret(text);
    return { level, message: foldTrace(message) };
  }
}

interface Mined {
  /** Group of each entry. */
  readonly groups: Int32Array;
  /** Level of each group. */
  readonly levels: readonly (LogLevel | null)[];
  readonly miner: PatternMiner;
  readonly values: PatternValues;
}

interface Tally {
  /** The group that stands for the pattern, and all that belong to it. */
  readonly root: number;
  readonly groups: Set<number>;
  count: number;
  readonly first: number;
  last: number;
}

function patternsOf(mined: Mined): Pick<LogSurvey, 'patterns' | 'patternOf'> {
  const { groups, miner } = mined;
  const indexes = new Map<number, number>();
  const tallies: Tally[] = [];
  const patternOf = groups.map((group, entry) => {
    const root = miner.patternOf(group);
    const index = indexes.get(root) ?? tallies.length;
    const tally = tallies[index];
    if (tally === undefined) {
      indexes.set(root, index);
      tallies.push({ root, groups: new Set([group]), count: 1, first: entry, last: entry });
    } else {
      tally.groups.add(group);
      tally.count += 1;
      tally.last = entry;
    }
    return index;
  });
  return { patterns: tallies.map((tally) => surveyed(tally, mined)), patternOf };
}

function surveyed(tally: Tally, mined: Mined): SurveyedPattern {
  const { root, count, first, last } = tally;
  const level = mined.levels[root] ?? null;
  const parts = partsOf(tally, mined);
  const example = parts.map(({ text }) => text).join('');
  return { count, first, last, level, parts, severity: severityOf(level, example) };
}

function partsOf({ root, groups, count }: Tally, { miner, values }: Mined): PatternPart[] {
  const parts = miner.partsOf(root);
  if (count === 1) return parts;
  const constants = values.constantsOf(root, groups);
  // Gaps and tokens take turns, a gap in front.
  return parts.map((part, at) =>
    at % 2 === 1 && constants.has((at - 1) / 2) ? { ...part, isVariable: false } : part,
  );
}
