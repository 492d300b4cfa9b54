import { OBSERVATION_CAPS } from '../../../../shared/contracts/observation.ts';
import { cutUtf8, utf8Length } from '../../../../shared/kernel/utf8.ts';
import type { RedactedText, Redactor } from '../../../../shared/redaction/redactor.ts';
import type { LogsBody } from '../../evidence/evidence-body.ts';

/** Everything that may be shown, in full length; the most telling pattern and event come first. */
export interface LogsContent {
  readonly matchedCount: number;
  readonly patternCount: number;
  readonly patterns: readonly LogsBody['patterns'][number][];
  /** With the place in time that the shown events are put in order by. */
  readonly events: readonly { readonly line: RedactedText; readonly entry: number }[];
  readonly timeline: LogsBody['timeline'];
  /** The source itself left something out. */
  readonly rowsCut: boolean;
}

/** A body within its bytes, and whether something that matched is not in it. */
export interface FittedBody {
  readonly body: LogsBody;
  readonly truncated: boolean;
}

/** Lengths that lines are tried at, in bytes, until everything fits. */
const LINE_CAPS = [OBSERVATION_CAPS.lineBytes, 640, 400, 256];
/** Patterns and events of the first ranks keep this many bytes of their lines. */
const FIRST_RANKS = 5;
const FIRST_RANK_BYTES = 512;
const ELLIPSIS = '…';

/**
 * Fits the content into `maxBytes` of JSON: shorter lines first, then without the lowest ranks.
 * The one place that decides what is cut.
 */
export function fitBody(content: LogsContent, maxBytes: number, redactor: Redactor): FittedBody {
  let lines = cutLines(content, OBSERVATION_CAPS.lineBytes, redactor);
  for (const cap of LINE_CAPS) {
    lines = cutLines(content, cap, redactor);
    if (sizeOf(bodyOf(content, lines)) <= maxBytes) break;
  }
  const kept = withinBudget(content, lines, maxBytes);
  return { body: bodyOf(content, kept), truncated: isTruncated(content, kept) };
}

type Lines = Pick<LogsContent, 'patterns' | 'events' | 'timeline'>;

/** True if and only if an entry, a pattern or a part of a shown line is missing. */
function isTruncated(content: LogsContent, kept: Lines): boolean {
  return (
    content.rowsCut ||
    kept.events.length < content.matchedCount ||
    kept.patterns.length < content.patternCount ||
    kept.patterns.some(({ line }, at) => line !== content.patterns[at]?.line) ||
    kept.events.some(({ line }, at) => line !== content.events[at]?.line)
  );
}

function cutLines(
  { patterns, events, timeline }: LogsContent,
  cap: number,
  redactor: Redactor,
): Lines {
  const capAt = (rank: number) => (rank < FIRST_RANKS ? Math.max(cap, FIRST_RANK_BYTES) : cap);
  return {
    patterns: patterns.map((pattern, rank) => ({
      ...pattern,
      line: cutLine(pattern.line, capAt(rank), redactor),
    })),
    events: events.map((event, rank) => ({
      ...event,
      line: cutLine(event.line, capAt(rank), redactor),
    })),
    timeline,
  };
}

/** The line, or its beginning with an ellipsis; what a cut leaves is redacted once more. */
function cutLine(line: RedactedText, maxBytes: number, redactor: Redactor): RedactedText {
  if (utf8Length(line) <= maxBytes) return line;
  for (let bytes = maxBytes; bytes > 0; bytes -= 64) {
    const cut = redactor.redact(cutUtf8(line, bytes - utf8Length(ELLIPSIS)) + ELLIPSIS);
    if (utf8Length(cut) <= maxBytes) return cut;
  }
  return redactor.redact(ELLIPSIS);
}

/** Leaves out the lowest ranks until the rest fits; the timeline goes after the first ranks. */
function withinBudget(content: LogsContent, lines: Lines, maxBytes: number): Lines {
  if (sizeOf(bodyOf(content, lines)) <= maxBytes) return lines;
  const kept = { patterns: 0, events: 0, timeline: 0 };
  let bytes = sizeOf(bodyOf(content, { patterns: [], events: [], timeline: [] })) + 2;
  const take = (kind: keyof typeof kept, item: unknown, rank: number): void => {
    const size = sizeOf(item) + 1;
    if (kept[kind] < rank || bytes + size > maxBytes) return;
    bytes += size;
    kept[kind] = rank + 1;
  };
  const ranks = Math.max(lines.patterns.length, lines.events.length);
  for (let rank = 0; rank <= ranks; rank += 1) {
    if (rank === Math.min(FIRST_RANKS, ranks)) take('timeline', lines.timeline, 0);
    if (rank < lines.patterns.length) take('patterns', lines.patterns[rank], rank);
    if (rank < lines.events.length) take('events', lines.events[rank]?.line, rank);
  }
  return {
    patterns: lines.patterns.slice(0, kept.patterns),
    events: lines.events.slice(0, kept.events),
    timeline: kept.timeline === 0 ? [] : lines.timeline,
  };
}

function bodyOf(content: LogsContent, { patterns, events, timeline }: Lines): LogsBody {
  return {
    matched_count: content.matchedCount,
    returned_count: events.length,
    patterns,
    events: [...events].sort((a, b) => a.entry - b.entry).map(({ line }) => line),
    timeline,
  };
}

function sizeOf(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}
