import { logbackTime } from './wall-clock.ts';

/** One event of a log; `decisive` marks those without which the cause can't be told. */
export interface LogEntry {
  readonly at: number;
  readonly lines: readonly string[];
  readonly decisive: boolean;
}

export interface JavaEvent {
  readonly at: number;
  readonly level: 'INFO' | 'WARN' | 'ERROR';
  readonly thread: string;
  readonly pod: string;
  readonly traceId?: string;
  readonly logger: string;
  readonly message: string;
  readonly trace?: readonly string[];
  readonly decisive?: boolean;
}

/** An event as a Java service writes it to its standard output, stack trace included. */
export function javaEntry(event: JavaEvent): LogEntry {
  const origin = `[${event.thread}] [${event.pod},${event.traceId ?? ''}]`;
  const head = `${logbackTime(event.at)} ${event.level.padEnd(5)} ${origin} ${event.logger} - ${event.message}`;
  return {
    at: event.at,
    lines: [head, ...(event.trace ?? [])],
    decisive: event.decisive ?? false,
  };
}

/** An event of a single line that carries its own time. */
export function plainEntry(at: number, line: string): LogEntry {
  return { at, lines: [line], decisive: false };
}

/** The file: events in order of time, each with its lines together. */
export function logFile(entries: readonly LogEntry[], omitDecisive: boolean): string {
  return entries
    .filter(({ decisive }) => !(decisive && omitDecisive))
    .toSorted((left, right) => left.at - right.at)
    .map(({ lines }) => `${lines.join('\n')}\n`)
    .join('');
}
