import {
  OBSERVATION_CAPS,
  type ScopeNote,
  type Window,
} from '../../../../shared/contracts/observation.ts';
import type { QueryLogsInput } from '../../../../shared/contracts/tool-inputs.ts';
import { toInstant } from '../../../../shared/kernel/clock.ts';
import type { RedactedText, Redactor } from '../../../../shared/redaction/redactor.ts';
import type { LogsBody } from '../../evidence/evidence-body.ts';
import type {
  Projection,
  ProjectionRequest,
  ResultProjector,
} from '../../evidence/result-projector.ts';
import { sampleEvents } from './event-sampling.ts';
import { factsOf } from './log-facts.ts';
import type { LogLevel } from './log-level.ts';
import { type RawLogHead, RawLogReader } from './log-raw.ts';
import { type LogSurvey, Messages, type SurveyedPattern, surveyLogs } from './log-survey.ts';
import { timelineOf, timelineOfCounts } from './log-timeline.ts';
import { fitBody, type LogsContent } from './logs-body.ts';
import type { PatternPart } from './pattern-miner.ts';
import { rankPatterns } from './pattern-ranking.ts';

/** Characters of an entry that are redacted for showing; many times what a line may have. */
const MAX_SHOWN_CHARS = 8_192;
/** Characters that entries are compared by. */
const MAX_WORDING_CHARS = 1_024;
const NO_LEVEL = '-';
/** Nothing but placeholders and signs between two quotes. */
const QUOTED_PLACEHOLDERS = /(['"])<\*>(?:[-.:,/ ]{1,4}<\*>){0,16}\1/g;

/** Makes patterns, events and a timeline out of the matched entries of a log query. */
export const logProjector: ResultProjector<QueryLogsInput, LogsBody> = {
  project(raw, request) {
    const reader = RawLogReader.open(raw);
    const survey = reader === null ? null : surveyLogs(reader);
    if (reader === null || survey === null) return { kind: 'malformed' };
    return projected(reader, survey, request);
  },
};

function projected(
  reader: RawLogReader,
  survey: LogSurvey,
  { redactor, maxBodyBytes, window }: ProjectionRequest<QueryLogsInput>,
): Projection<LogsBody> {
  const ranked = rankPatterns(survey, OBSERVATION_CAPS.patterns);
  const shower = new EntryShower(reader, survey, redactor);
  const wordingOf = (entry: number) => shower.wording(entry);
  const sampled = sampleEvents({ survey, ranked, wordingOf }, OBSERVATION_CAPS.events);
  const content: LogsContent = {
    matchedCount: reader.head.matchedCount,
    patternCount: survey.patterns.length,
    patterns: ranked
      .flatMap((index) => survey.patterns[index] ?? [])
      .map((pattern) => shower.pattern(pattern)),
    events: sampled.map((entry) => ({ line: shower.event(entry), entry })),
    timeline: timeline(reader.head, survey, window),
    rowsCut: reader.head.rowsCut,
  };
  const { body, truncated } = fitBody(content, maxBodyBytes, redactor);
  return {
    kind: 'projected',
    evidenceStatus: content.matchedCount === 0 ? 'NO_EVIDENCE' : 'EVIDENCE_FOUND',
    notes: notesOf(reader.head),
    truncated,
    body,
    facts: factsOf({ survey, ranked, sampled, body }, redactor),
  };
}

function timeline(
  { counts }: RawLogHead,
  { times }: LogSurvey,
  window: Window | null,
): LogsBody['timeline'] {
  const span = window && { fromMs: Date.parse(window.from), toMs: Date.parse(window.to) };
  return counts === null ? timelineOf(times, span) : timelineOfCounts(counts, span);
}

function notesOf(head: RawLogHead): ScopeNote[] {
  const notes: ScopeNote[] = [];
  if (head.zoneAssumed) notes.push('TIME_ZONE_ASSUMED');
  if (head.bytesReplaced > 0) notes.push('BYTES_REPLACED');
  if (head.newestMayBeMissing) notes.push('NEWEST_MINUTES_MAY_BE_MISSING');
  if (head.rowsCut) notes.push('ROWS_CUT_BY_SOURCE');
  return notes;
}

/** Turns entries and patterns into lines, redacted as a whole before anything is cut. */
class EntryShower {
  readonly #messages = new Messages();
  readonly #reader: RawLogReader;
  readonly #survey: LogSurvey;
  readonly #redactor: Redactor;

  constructor(reader: RawLogReader, survey: LogSurvey, redactor: Redactor) {
    this.#reader = reader;
    this.#survey = survey;
    this.#redactor = redactor;
  }

  event(entry: number): RedactedText {
    const { level, message } = this.#read(entry);
    const time = this.#instant(entry) ?? '-';
    return this.#redactor.redact(`${time} ${level ?? NO_LEVEL} ${message}`);
  }

  pattern({ count, level, first, last, parts }: SurveyedPattern): LogsBody['patterns'][number] {
    const readable = this.#redactor.redact(this.#read(first).message);
    const words = count === 1 ? readable : templateOf(parts, readable);
    return {
      line: this.#redactor.redact(`${count}× ${level ?? NO_LEVEL} ${words}`),
      count,
      level: this.#redactor.redact(level ?? NO_LEVEL),
      first_seen: this.#instant(first),
      last_seen: this.#instant(last),
    };
  }

  /** What the entry says apart from its numbers; never shown. */
  wording(entry: number): string {
    return this.#read(entry)
      .message.slice(0, MAX_WORDING_CHARS)
      .replace(/[\w.:+-]+/g, (word) => (/\d/.test(word) ? '' : word));
  }

  #read(entry: number): { readonly level: LogLevel | null; readonly message: string } {
    const text = this.#reader.at(this.#survey.places[entry] ?? 0)?.text ?? '';
    const { level, message } = this.#messages.read(text);
    return { level, message: onOneLine(message) };
  }

  #instant(entry: number): string | null {
    const time = this.#survey.times[entry];
    return time === undefined || Number.isNaN(time) ? null : toInstant(time);
  }
}

/** The pattern's text, without any word that redaction took out of its example. */
function templateOf(parts: readonly PatternPart[], readable: string): string {
  const template = parts
    .map(({ text, isVariable }) =>
      isVariable || !readable.includes(onOneLine(text)) ? '<*>' : text,
    )
    .map(onOneLine)
    .join('');
  // Quotes in a statement would make the redactor take the placeholder for a literal.
  return readable.includes('<literal:') ? template.replace(QUOTED_PLACEHOLDERS, '<*>') : template;
}

function onOneLine(text: string): string {
  return text
    .slice(0, MAX_SHOWN_CHARS)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .toWellFormed();
}
