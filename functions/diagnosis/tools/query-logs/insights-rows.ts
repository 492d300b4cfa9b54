import type { InsightsRow } from './insights-poll.ts';
import type { RawLogCounts } from './log-raw.ts';
import { LineDecoder } from './log-text.ts';
import { isTraceLine } from './trace-lines.ts';

/** One event of a sample. */
export interface SampledEvent {
  readonly epochMs: number | null;
  readonly text: string;
  /** Log group and stream together. */
  readonly stream: string;
  /** Asks the service for the whole event. */
  readonly pointer: string | null;
  /** The service gave less of the text than the event has. */
  readonly isCut: boolean;
}

/** Two lines that a process writes at once reach their stream within this; milliseconds. */
const MAX_TRACE_GAP_MS = 1_000;

/** The events of a sample, in the order of the rows. */
export function eventsOf(rows: readonly InsightsRow[]): SampledEvent[] {
  return rows.map((row) => {
    const fields = fieldsOf(row);
    const message = fields.get('@message') ?? '';
    return {
      epochMs: readStamp(fields.get('@timestamp')),
      text: cleaned(message),
      stream: `${fields.get('@log') ?? ''}\n${fields.get('@logStream') ?? ''}`,
      pointer: fields.get('@ptr') ?? null,
      isCut: codePointsOf(message) < Number(fields.get('dLength') ?? 0),
    };
  });
}

/** The same lines without colours and control characters. */
export function cleaned(message: string): string {
  const decoder = new LineDecoder();
  return [...decoder.push(Buffer.from(message)), ...decoder.finish()].join('\n').trimEnd();
}

/**
 * All events in time order, the lines of a trace that were logged one by one put together: a trace
 * line belongs to the event right before it in its stream.
 */
export function foldedEvents(events: readonly SampledEvent[]): SampledEvent[] {
  const last = new Map<string, { lines: string[]; at: number; event: SampledEvent }>();
  const folded: { lines: string[]; at: number; event: SampledEvent }[] = [];
  for (const event of inTimeOrder(events)) {
    const at = event.epochMs ?? 0;
    const open = last.get(event.stream);
    if (open !== undefined && isTraceLine(event.text) && at - open.at <= MAX_TRACE_GAP_MS) {
      open.lines.push(event.text);
      open.at = at;
      continue;
    }
    const begun = { lines: [event.text], at, event };
    last.set(event.stream, begun);
    folded.push(begun);
  }
  return folded.map(({ lines, event }) => ({ ...event, text: lines.join('\n') }));
}

/** Counts by bin of time, from the first bin with events to the last; null without any. */
export function countsOf(
  rows: readonly InsightsRow[],
  { binField, binMs }: { readonly binField: string; readonly binMs: number },
): RawLogCounts | null {
  const bins = new Map<number, number>();
  for (const row of rows) {
    const fields = fieldsOf(row);
    const start = readStamp(fields.get(binField));
    const count = Number(fields.get('dCount'));
    if (start !== null && count > 0) bins.set(start, count);
  }
  if (bins.size === 0) return null;
  const fromMs = Math.min(...bins.keys());
  const length = Math.round((Math.max(...bins.keys()) - fromMs) / binMs) + 1;
  const counts = Array.from({ length }, (_none, at) => bins.get(fromMs + at * binMs) ?? 0);
  return { fromMs, widthMs: binMs, counts };
}

function inTimeOrder(events: readonly SampledEvent[]): readonly SampledEvent[] {
  // The service keeps no order within a millisecond: what begins an entry goes before its trace.
  const rank = ({ text }: SampledEvent) => (isTraceLine(text) ? 1 : 0);
  return events.toSorted((a, b) => (a.epochMs ?? 0) - (b.epochMs ?? 0) || rank(a) - rank(b));
}

/** Without the list that a spread would make of a long text; the service counts the same way. */
function codePointsOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count += 1;
  }
  return count;
}

function fieldsOf(row: InsightsRow): Map<string, string> {
  return new Map(row.map(({ field = '', value = '' }) => [field, value]));
}

/** `2026-11-30 09:00:00.000`, in UTC. */
function readStamp(stamp: string | undefined): number | null {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?)$/.exec(stamp ?? '');
  const epochMs = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}Z`);
  return Number.isNaN(epochMs) ? null : epochMs;
}
