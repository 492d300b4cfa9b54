import { EntryFolder, type FoldedEntry } from './entry-folder.ts';
import { EntryInterpreter, type InterpretedEntry } from './log-entry.ts';
import { LineDecoder } from './log-text.ts';
import { type LogTime, readTime, type TimeReference } from './log-time.ts';

/** One entry of a log as it was read. */
export interface LogEntry extends InterpretedEntry {
  /** Milliseconds since the epoch; null where neither it nor one before it carries a time. */
  readonly epochMs: number | null;
  /** The lines of the entry as they stand in the source, colours taken out. */
  readonly text: string;
  readonly order: number;
  /** True where the time stands in the entry itself, false where it is that of the entry before. */
  readonly isTimed: boolean;
  readonly zoneAssumed: boolean;
}

/** Reads the bytes of one log, piece by piece, into entries in the order they are complete. */
export class LogReader {
  readonly #decoder = new LineDecoder();
  readonly #folder = new EntryFolder();
  readonly #interpreter = new EntryInterpreter();
  readonly #reference: TimeReference;
  #lastEpochMs: number | null = null;

  constructor(reference: TimeReference) {
    this.#reference = reference;
  }

  /** Torn or unknown bytes so far. */
  get bytesReplaced(): number {
    return this.#decoder.bytesReplaced;
  }

  push(bytes: Uint8Array): LogEntry[] {
    return this.#entries(this.#decoder.push(bytes));
  }

  finish(): LogEntry[] {
    const last = this.#entries(this.#decoder.finish());
    return [...last, ...this.#folder.finish().map((folded) => this.#entry(folded))];
  }

  #entries(lines: readonly string[]): LogEntry[] {
    return lines.flatMap((line) => this.#folder.push(line)).map((folded) => this.#entry(folded));
  }

  #entry({ text, order, timeTextBefore }: FoldedEntry): LogEntry {
    const interpreted = this.#interpreter.interpret(text);
    const time = this.#time(interpreted.timeText);
    const epochMs = (time ?? this.#time(timeTextBefore))?.epochMs ?? this.#lastEpochMs;
    this.#lastEpochMs = epochMs;
    return {
      ...interpreted,
      text,
      order,
      epochMs,
      isTimed: time !== null,
      zoneAssumed: time?.zoneAssumed ?? false,
    };
  }
  #time(text: string | null): LogTime | null {
    return text === null ? null : readTime(text, this.#reference);
  }
}
