import { OBSERVATION_CAPS, type ScopeNote } from '../../../../shared/contracts/observation.ts';
import type { QueryLogsInput } from '../../../../shared/contracts/tool-inputs.ts';
import { toInstant } from '../../../../shared/kernel/clock.ts';
import { cutUtf8 } from '../../../../shared/kernel/utf8.ts';
import type { RedactedText, Redactor } from '../../../../shared/redaction/redactor.ts';
import type { LogsBody } from '../../evidence/evidence-body.ts';
import type {
  Projection,
  ProjectionRequest,
  ResultProjector,
} from '../../evidence/result-projector.ts';
import { sampleEvents } from './event-sampling.ts';
import type { LogLevel } from './log-level.ts';
import { type RawLogHead, RawLogReader } from './log-raw.ts';
import { type LogSurvey, Messages, type SurveyedPattern, surveyLogs } from './log-survey.ts';
import { timelineOf, timelineOfCounts } from './log-timeline.ts';
import { fitBody, type LogsContent } from './logs-body.ts';
import type { PatternPart } from './pattern-miner.ts';
import { rankPatterns } from './pattern-ranking.ts';

const MAX_FACTS = 3;
const MAX_FACT_BYTES = 300;
/** Characters of an entry that are redacted for showing; many times what a line may have. */
const MAX_SHOWN_CHARS = 8_192;
const NO_LEVEL = '-';

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
  { redactor, maxBodyBytes }: ProjectionRequest<QueryLogsInput>,
): Projection<LogsBody> {
  const ranked = rankPatterns(survey, OBSERVATION_CAPS.patterns);
  const sampled = sampleEvents(survey, ranked, OBSERVATION_CAPS.events);
  const shower = new EntryShower(reader, survey, redactor);
  const content: LogsContent = {
    matchedCount: reader.head.matchedCount,
    patternCount: survey.patterns.length,
    patterns: ranked
      .flatMap((index) => survey.patterns[index] ?? [])
      .map((pattern) => shower.pattern(pattern)),
    events: sampled.map((entry) => ({ line: shower.event(entry), entry })),
    timeline:
      reader.head.counts === null ? timelineOf(survey.times) : timelineOfCounts(reader.head.counts),
    rowsCut: reader.head.rowsCut,
  };
  const { body, truncated } = fitBody(content, maxBodyBytes, redactor);
  return {
    kind: 'projected',
    evidenceStatus: content.matchedCount === 0 ? 'NO_EVIDENCE' : 'EVIDENCE_FOUND',
    notes: notesOf(reader.head),
    truncated,
    body,
    facts: factsOf(body, redactor),
  };
}

function notesOf(head: RawLogHead): ScopeNote[] {
  const notes: ScopeNote[] = [];
  if (head.zoneAssumed) notes.push('TIME_ZONE_ASSUMED');
  if (head.bytesReplaced > 0) notes.push('BYTES_REPLACED');
  if (head.newestMayBeMissing) notes.push('NEWEST_MINUTES_MAY_BE_MISSING');
  if (head.rowsCut) notes.push('ROWS_CUT_BY_SOURCE');
  return notes;
}

/** The lines of the first ranks, word for word or their beginning. */
function factsOf(body: LogsBody, redactor: Redactor): RedactedText[] {
  return body.patterns.slice(0, MAX_FACTS).flatMap(({ line }) => {
    const fact = redactor.redact(cutUtf8(line, MAX_FACT_BYTES));
    return line.startsWith(fact) ? [fact] : [];
  });
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
    const template = templateOf(parts, readable);
    return {
      line: this.#redactor.redact(`${count}× ${level ?? NO_LEVEL} ${template}`),
      count,
      level: this.#redactor.redact(level ?? NO_LEVEL),
      first_seen: this.#instant(first),
      last_seen: this.#instant(last),
    };
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
  return parts
    .map(({ text, isVariable }) =>
      isVariable || !readable.includes(onOneLine(text)) ? '<*>' : text,
    )
    .map(onOneLine)
    .join('');
}

function onOneLine(text: string): string {
  return text
    .slice(0, MAX_SHOWN_CHARS)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .toWellFormed();
}
