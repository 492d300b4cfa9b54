import {
  type EntryFields,
  readJsonEntry,
  readLogfmtEntry,
  type StructuredEntry,
} from './entry-fields.ts';
import { HeaderScanner } from './log-header.ts';
import type { LogLevel } from './log-level.ts';

/** What one entry of a log says, header and format taken off. */
export interface InterpretedEntry {
  readonly level: LogLevel | null;
  /** The timestamp as written, or null. */
  readonly timeText: string | null;
  /** The text behind time and level; may hold the lines of a trace. */
  readonly message: string;
  /** Fields of a structured entry; null for plain text. */
  readonly fields: EntryFields | null;
}

/** Reads entries whatever their format; keeps one scanner so that a line costs little. */
export class EntryInterpreter {
  readonly #header = new HeaderScanner();

  interpret(text: string): InterpretedEntry {
    const structured = text.startsWith('{') ? readJsonEntry(text) : readLogfmtEntry(text);
    if (structured !== null) return this.#withInnerHeader(structured);
    return this.#plain(text);
  }

  #plain(text: string): InterpretedEntry {
    const header = this.#header;
    header.scan(text);
    const timeText = header.timeStart < 0 ? null : text.slice(header.timeStart, header.timeEnd);
    const level = header.level;
    const start = header.loggerStart >= 0 ? header.loggerStart : header.messageStart;
    const inner =
      text.charCodeAt(header.messageStart) === 123
        ? readJsonEntry(text.slice(header.messageStart))
        : null;
    if (inner === null) return { level, timeText, message: text.slice(start), fields: null };
    return { ...inner, level: level ?? inner.level, timeText: timeText ?? inner.timeText };
  }

  /** Collectors wrap whole lines, header and all, into the message of a JSON object. */
  #withInnerHeader(structured: StructuredEntry): InterpretedEntry {
    if (structured.level !== null && structured.timeText !== null) return structured;
    const { level, timeText, message } = this.#plain(structured.message);
    return {
      level: structured.level ?? level,
      timeText: structured.timeText ?? timeText,
      message: structured.level === null && level !== null ? message : structured.message,
      fields: structured.fields,
    };
  }
}
