import { cutUtf8 } from '../../../../shared/kernel/utf8.ts';
import type { RedactedText, Redactor } from '../../../../shared/redaction/redactor.ts';
import type { LogsBody } from '../../evidence/evidence-body.ts';
import type { LogSurvey, SurveyedPattern } from './log-survey.ts';
import { familyOf, isSevere } from './pattern-ranking.ts';
import { TRACE_SEPARATOR } from './trace-lines.ts';

const MAX_FACTS = 3;
const MAX_FACT_BYTES = 300;
/** The third says how often something happened, where anything happened more than once. */
const MAX_EVENT_FACTS = 2;
/** A value that a reader can work with, such as `chunk-size=25000` or `"size":25000`. */
const VALUE = /[\w-]["']?[=:] ?["']?[^\s<>"'=:/]/;
const MARK = /<[a-z]{1,32}:\d{1,9}>/;

/** A body, and what its lines were made of. */
export interface ShownLogs {
  readonly survey: LogSurvey;
  /** Index of the pattern of each line, as ranked; the last ones may have been left out. */
  readonly ranked: readonly number[];
  /** The entry of each event, the most telling first; the last ones may have been left out. */
  readonly sampled: readonly number[];
  readonly body: LogsBody;
}

/**
 * Lines of the body, word for word or their beginning: events of the most telling patterns with their
 * values, of different wording; then the pattern whose count says most.
 */
export function factsOf(shown: ShownLogs, redactor: Redactor): RedactedText[] {
  const patterns = tellingFirst(shownPatterns(shown));
  const frequent = mostFrequent(patterns);
  const maxEvents = frequent === undefined ? MAX_FACTS : MAX_EVENT_FACTS;
  const events = ofDifferentWording(patterns.filter(({ event }) => event !== undefined));
  const lines = [...events.slice(0, maxEvents).map(({ event }) => event), frequent?.line];
  return lines.flatMap((line) => {
    if (line === undefined) return [];
    const fact = redactor.redact(cutUtf8(line, MAX_FACT_BYTES));
    return fact !== '' && line.startsWith(fact) ? [fact] : [];
  });
}

interface ShownPattern {
  readonly pattern: SurveyedPattern;
  readonly line: RedactedText;
  /** Its first entry or its last one, where one of them is shown. */
  readonly event: RedactedText | undefined;
}

function shownPatterns({ survey, ranked, sampled, body }: ShownLogs): ShownPattern[] {
  const entries = sampled.slice(0, body.events.length).sort((a, b) => a - b);
  const events = new Map(entries.map((entry, at) => [entry, body.events[at]]));
  return body.patterns.flatMap(({ line }, at) => {
    const pattern = survey.patterns[ranked[at] ?? -1];
    if (pattern === undefined) return [];
    return [{ pattern, line, event: events.get(pattern.first) ?? events.get(pattern.last) }];
  });
}

/** The severe as ranked; of the others what happened once, what names a value, and the newest. */
function tellingFirst(patterns: readonly ShownPattern[]): ShownPattern[] {
  const severe = patterns.filter(({ pattern }) => isSevere(pattern));
  const others = patterns.filter(({ pattern }) => !isSevere(pattern));
  const isRepeated = ({ pattern }: ShownPattern) => Number(pattern.count > 1);
  const isVague = ({ line }: ShownPattern) => Number(!VALUE.test(line) || MARK.test(line));
  others.sort(
    (a, b) =>
      isRepeated(a) - isRepeated(b) || isVague(a) - isVague(b) || b.pattern.first - a.pattern.first,
  );
  return [...severe, ...others];
}

/** The most frequent of the worst; frequent others are chatter, so of them the most telling. */
function mostFrequent(patterns: readonly ShownPattern[]): ShownPattern | undefined {
  const repeated = patterns.filter(({ pattern }) => pattern.count > 1);
  const severe = repeated.filter(({ pattern }) => isSevere(pattern));
  const [most] = severe.toSorted(
    (a, b) => b.pattern.severity - a.pattern.severity || b.pattern.count - a.pattern.count,
  );
  return most ?? repeated[0];
}

function ofDifferentWording(patterns: readonly ShownPattern[]): readonly ShownPattern[] {
  const families = Map.groupBy(patterns, ({ pattern }) => wordingOf(pattern));
  return [...families.values()].flatMap(([first]) => first ?? []);
}

/** The same failure is often logged with its trace and without. */
function wordingOf(pattern: SurveyedPattern): string {
  return familyOf(pattern).split(TRACE_SEPARATOR, 1).join('').trim();
}
