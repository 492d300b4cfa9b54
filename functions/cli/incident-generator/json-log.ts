import type { LogEntry } from './log-file.ts';
import { isoLocalTime } from './wall-clock.ts';

/** One event of a service that logs a JSON object per line. */
export interface JsonEvent {
  readonly at: number;
  readonly level: 'INFO' | 'WARN' | 'ERROR';
  readonly service: string;
  readonly pod: string;
  readonly logger: string;
  readonly message: string;
  readonly traceId?: string;
  readonly fields?: Readonly<Record<string, string | number | boolean>>;
  /** The whole stack trace, its lines joined by newlines as encoders do. */
  readonly trace?: readonly string[];
}

/** The event on one line, its fields at the top level as most encoders write them. */
export function jsonEntry(event: JsonEvent): LogEntry {
  const line = {
    '@timestamp': isoLocalTime(event.at),
    level: event.level,
    service: event.service,
    pod: event.pod,
    logger: event.logger,
    ...(event.traceId === undefined ? {} : { trace_id: event.traceId }),
    message: event.message,
    ...event.fields,
    ...(event.trace === undefined ? {} : { stack_trace: event.trace.join('\n') }),
  };
  return { at: event.at, lines: [JSON.stringify(line)], decisive: false };
}
