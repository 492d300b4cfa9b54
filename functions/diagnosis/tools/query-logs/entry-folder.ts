import { HeaderScanner } from './log-header.ts';
import { levelOfWord } from './log-level.ts';
import { isFailureLine, isTraceLine } from './trace-lines.ts';

/** Entries kept open at a time, one per stream or thread that interleaves with others. */
const MAX_OPEN = 256;
/** An entry without end is parted here, so that memory stays bounded. */
const MAX_ENTRY_CHARS = 33_554_432;
const STREAM_NAME = /^(?:([\w.-]{1,64}) {1,40}\||\[([A-Za-z][\w./#-]{0,255})\]) /;
const STRUCTURED =
  /^(?:\{|\[\{|[A-Za-z_@][\w.@-]{0,63}="?[^\s"]{1,64}"? (?:.{0,200} )?(?:level|lvl|severity|msg|message)=)/;
const LEADING_LEVEL = /^([A-Z]{3,9})(?::|\s|\])/;
const EXPECTS_MORE = /[:{([,\\]\s*$/;
const CLOSES = /^(?:[\])}]|<\/|<[A-Za-z])/;

/** The lines of one entry, in the order they came. */
export interface FoldedEntry {
  readonly text: string;
  /** Place among the entries by their first line. */
  readonly order: number;
  /** The timestamp of the last plain line before it that begins an entry with one; null without. */
  readonly timeTextBefore: string | null;
}

/**
 * Puts lines together into entries: traces, indented lines and the like belong to the entry above
 * them of the same stream or thread.
 */
export class EntryFolder {
  readonly #header = new HeaderScanner();
  readonly #open = new Map<string, OpenEntry>();
  readonly #closed: FoldedEntry[] = [];
  #order = 0;
  #lastTimeText: string | null = null;

  /** Takes one line; returns the entries that are complete now. */
  push(line: string): FoldedEntry[] {
    // A carriage return alone is a progress bar, or the line ending of an old system.
    const pieces = line.includes('\r') ? line.split('\r') : [line];
    pieces.forEach((piece, at) => {
      if (piece.trim() !== '') this.#place(piece, at > 0);
    });
    return this.#closed.splice(0);
  }

  /** Closes what is still open. */
  finish(): FoldedEntry[] {
    for (const key of [...this.#open.keys()]) this.#release(key);
    return this.#closed.splice(0).sort((a, b) => a.order - b.order);
  }

  #place(line: string, isPiece: boolean): void {
    const { name, body } = streamOf(line);
    const open = this.#open.get(name);
    const isFull = open === undefined || open.chars > MAX_ENTRY_CHARS;
    const continuation = isFull ? null : this.#continuation(body, open, isPiece);
    if (open !== undefined && continuation !== null) append(open, continuation);
    else this.#start(line, name, body);
  }

  /** What the line adds to the open entry, or null when it begins one of its own. */
  #continuation(body: string, open: OpenEntry, isPiece: boolean): string | null {
    if (isTraceLine(body)) return body;
    this.#header.scan(body);
    const { timeStart, messageStart } = this.#header;
    if (timeStart >= 0) {
      const message = body.slice(messageStart);
      return isTraceLine(message) && this.#thread(body) === open.thread ? message : null;
    }
    if (STRUCTURED.test(body) || this.#header.level !== null || beginsWithLevel(body)) return null;
    return isPiece || continues(body, open) ? body : null;
  }

  #start(line: string, name: string, body: string): void {
    this.#header.scan(body);
    const thread = this.#thread(body);
    const entry: OpenEntry = {
      lines: [line],
      chars: line.length,
      order: this.#order,
      timeTextBefore: this.#lastTimeText,
      thread,
      isTimed: this.#header.timeStart >= 0,
      isStructured: STRUCTURED.test(body),
      isComment: body.startsWith('# '),
      isCommentOnly: body.startsWith('# '),
      keys: 0,
    };
    this.#order += 1;
    const { timeStart, timeEnd } = this.#header;
    if (timeStart >= 0) this.#lastTimeText = body.slice(timeStart, timeEnd);
    this.#hold(name, entry);
    if (thread !== '' && thread !== name) this.#hold(thread, entry);
  }

  #thread(body: string): string {
    const { threadStart, threadEnd } = this.#header;
    return threadStart < 0 ? '' : body.slice(threadStart, threadEnd);
  }

  #hold(key: string, entry: OpenEntry): void {
    if (this.#open.has(key)) this.#release(key);
    else if (this.#open.size >= MAX_OPEN) this.#release(this.#open.keys().next().value ?? '');
    this.#open.set(key, entry);
    entry.keys += 1;
  }

  #release(key: string): void {
    const entry = this.#open.get(key);
    if (entry === undefined) return;
    this.#open.delete(key);
    entry.keys -= 1;
    const { lines, order, timeTextBefore } = entry;
    if (entry.keys === 0) this.#closed.push({ text: lines.join('\n'), order, timeTextBefore });
  }
}

interface OpenEntry {
  readonly lines: string[];
  readonly order: number;
  readonly thread: string;
  readonly isTimed: boolean;
  readonly isStructured: boolean;
  readonly timeTextBefore: string | null;
  readonly isComment: boolean;
  /** True while every line begins as a comment. */
  isCommentOnly: boolean;
  chars: number;
  keys: number;
}

function append(open: OpenEntry, line: string): void {
  open.lines.push(line);
  open.chars += line.length;
  open.isCommentOnly &&= line.startsWith('# ');
}

function streamOf(line: string): { name: string; body: string } {
  const match = STREAM_NAME.exec(line);
  const name = match?.[1] ?? match?.[2];
  if (match === null || name === undefined || levelOfWord(name) !== null)
    return { name: '', body: line };
  return { name, body: line.slice(match[0].length) };
}

function beginsWithLevel(body: string): boolean {
  const word = LEADING_LEVEL.exec(body)?.[1];
  return word !== undefined && levelOfWord(word) !== null;
}

function continues(body: string, open: OpenEntry): boolean {
  if (/^\s/.test(body)) return true;
  if (open.isComment && body.startsWith('# ')) return open.isCommentOnly;
  if (isFailureLine(body)) return open.isTimed || open.lines.length > 1;
  if (open.isStructured) return CLOSES.test(body) && open.lines.length > 1;
  const last = open.lines.at(-1) ?? '';
  return (
    open.lines.length > 1 ||
    EXPECTS_MORE.test(last) ||
    CLOSES.test(body) ||
    (open.isComment && !open.isStructured)
  );
}
