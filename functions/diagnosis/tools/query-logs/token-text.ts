import {
  CLASS_COUNT,
  classOf,
  DOT,
  HASH_SEED,
  isHexDigit,
  LETTER,
  mixedIn,
  NONE,
} from './character-class.ts';

/** Characters of a message that take part in its pattern. */
export const MAX_PATTERN_CHARS = 1_024;

/**
 * The beginning of a message as numbers, which are several times faster to walk over than a string.
 * Positions begin at 1; the codes at 0 and behind the end are 0, so that neighbours can be looked at
 * without a check.
 */
export class TokenText {
  /** Position behind the last character. */
  end = 1;
  readonly codes: Uint16Array;
  /** Characters of each class in the token scanned last. */
  readonly #seen = new Int32Array(CLASS_COUNT);
  /** Hash of the token scanned last. */
  scanned = 0;
  readonly #bytes: Buffer;
  #text = '';

  constructor() {
    const memory = new ArrayBuffer(2 * (MAX_PATTERN_CHARS + 4));
    this.codes = new Uint16Array(memory);
    this.#bytes = Buffer.from(memory);
  }

  load(line: string, from: number): void {
    const isWhole = from === 0 && line.length <= MAX_PATTERN_CHARS;
    this.#text = isWhole ? line : line.slice(from, from + MAX_PATTERN_CHARS);
    this.end = 1 + this.#text.length;
    this.#bytes.write(this.#text, 2, 'utf16le'); // Every platform Node runs on is little-endian.
    this.codes[this.end] = 0;
    this.codes[this.end + 1] = 0;
  }

  /** End of the token at `from`; ASCII and other scripts part, and so do two dots in a row. */
  scan(from: number): number {
    const isWide = this.code(from) > 127;
    for (let kind = LETTER; kind < CLASS_COUNT; kind += 1) this.#seen[kind] = 0;
    let hash = HASH_SEED;
    let at = from;
    for (; at < this.end; at += 1) {
      const code = this.codes[at] ?? 0;
      const kind = classOf(code);
      if (kind === NONE || code > 127 !== isWide || this.#isEllipsis(kind, at)) break;
      this.#seen[kind] = (this.#seen[kind] ?? 0) + 1;
      hash = mixedIn(hash, code);
    }
    this.scanned = hash;
    return at;
  }

  #isEllipsis(kind: number, at: number): boolean {
    return kind === DOT && this.codes[at] === this.codes[at + 1];
  }

  /** Characters of a class in the token scanned last. */
  seenOf(kind: number): number {
    return this.#seen[kind] ?? 0;
  }

  code(at: number): number {
    return at < 0 ? 0 : (this.codes[at] ?? 0);
  }

  class(at: number): number {
    return classOf(this.codes[at] ?? 0);
  }

  slice(from: number, end: number): string {
    return this.#text.slice(from - 1, end - 1);
  }

  /** False for most words at the price of three looks: the endings of failures begin with a capital. */
  mayEndAsFailure(end: number): boolean {
    const [five, seven, nine] = [this.code(end - 5), this.code(end - 7), this.code(end - 9)];
    return five === 69 || five === 70 || seven === 70 || nine === 69 || nine === 84;
  }

  hash(from: number, end: number): number {
    let hash = HASH_SEED;
    for (let at = from; at < end; at += 1) hash = mixedIn(hash, this.code(at));
    return hash;
  }

  /** Position of the next character that is no blank. */
  behindBlanks(from: number): number {
    let at = from;
    while (at < this.end && this.code(at) <= 32) at += 1;
    return at;
  }

  /** Position of the next character with this code, or the end. */
  next(code: number, from: number): number {
    let at = from;
    while (at < this.end && this.code(at) !== code) at += 1;
    return at;
  }

  isHex(from: number, end: number): boolean {
    for (let at = from; at < end; at += 1) if (!isHexDigit(this.code(at))) return false;
    return true;
  }
}
