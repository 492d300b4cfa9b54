import { EntryInterpreter } from './log-entry.ts';
import type { LogLevel } from './log-level.ts';
import type { RawLogReader } from './log-raw.ts';
import { PatternMiner, type PatternPart } from './pattern-miner.ts';
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
  const messages = new Messages();
  const levels: (LogLevel | null)[] = [];
  let at = 0;
  const isWhole = raw.forEach(({ epochMs, text }, place) => {
    const { level, message } = messages.read(text);
    const group = miner.add(message, 0, level);
    levels[group] ??= level;
    times[at] = epochMs ?? Number.NaN;
    groups[at] = group;
    places[at] = place;
    at += 1;
  });
  if (!isWhole) return null;
  return { ...patternsOf(groups, levels, miner), times, places };
}

/** Level and one-line message of entries: headers off, traces folded. */
export class Messages {
  readonly #interpreter = new EntryInterpreter();

  read(text: string): { readonly level: LogLevel | null; readonly message: string } {
    const { level, message } = this.#interpreter.interpret(text);
    return { level, message: foldTrace(message) };
  }
}

function patternsOf(
  groups: Int32Array,
  levels: readonly (LogLevel | null)[],
  miner: PatternMiner,
): Pick<LogSurvey, 'patterns' | 'patternOf'> {
  const indexes = new Map<number, number>();
  const tallies: { group: number; count: number; first: number; last: number }[] = [];
  const patternOf = groups.map((group, entry) => {
    const pattern = miner.patternOf(group);
    const index = indexes.get(pattern) ?? tallies.length;
    const tally = tallies[index];
    if (tally === undefined) {
      indexes.set(pattern, index);
      tallies.push({ group: pattern, count: 1, first: entry, last: entry });
    } else {
      tally.count += 1;
      tally.last = entry;
    }
    return index;
  });
  const patterns = tallies.map(({ group, ...tally }) => {
    const parts = miner.partsOf(group);
    const level = levels[group] ?? null;
    const example = parts.map(({ text }) => text).join('');
    return { ...tally, level, parts, severity: severityOf(level, example) };
  });
  return { patterns, patternOf };
}
