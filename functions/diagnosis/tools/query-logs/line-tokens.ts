import { DIGIT, DOT, JOINER, LETTER, NONE } from './character-class.ts';
import {
  CODE,
  DOTTED,
  endsAsConstant,
  isCodeAfter,
  isCodeName,
  isFailingAnswer,
  isFailureName,
  isNaming,
  isUnitWord,
  PINNED,
  VARIABLE,
  WORD,
} from './token-kinds.ts';
import { isAddressHead, isDatePart, isHost, isPath, isValue } from './token-shapes.ts';
import { TokenText } from './token-text.ts';

/** Tokens that take part; with the limit on characters this bounds the key of any line. */
const MAX_TOKENS = 64;
const MAX_CODE_CHARS = 10;
/** Characters between a word and its code, as in `status": `. */
const MAX_CODE_GAP = 4;
const [QUOTE, APOSTROPHE, OPEN, CLOSE, STAR, COLON, EQUALS] = [34, 39, 40, 41, 42, 58, 61];

/**
 * The tokens of one message: words, variables (numbers, ids, addresses, paths, values), error
 * codes and pinned words (exception classes). Neighbouring variables are one; punctuation and blanks
 * belong to none. One instance is reused line after line, so that a line costs little.
 */
export class LineTokens {
  count = 0;
  readonly starts = new Int32Array(MAX_TOKENS);
  readonly ends = new Int32Array(MAX_TOKENS);
  readonly kinds = new Uint8Array(MAX_TOKENS);
  readonly hashes = new Int32Array(MAX_TOKENS);
  readonly #text = new TokenText();
  /** Count of tokens at the last opening parenthesis. */
  #group = -1;

  /** Reads the message that begins at `from`; positions of tokens count from the line's beginning. */
  read(line: string, from: number): void {
    const text = this.#text;
    text.load(line, from);
    this.#group = -1;
    this.count = 0;
    let at = 1;
    while (at < text.end && this.count < MAX_TOKENS) {
      at = text.class(at) === NONE ? this.#punctuation(at) : this.#token(at);
    }
    const behind = line.length - from + 1;
    if (at < behind) this.#variable(at, behind);
    this.#shift(from - 1);
  }

  #shift(by: number): void {
    for (let token = 0; token < this.count; token += 1) {
      this.starts[token] = (this.starts[token] ?? 0) + by;
      this.ends[token] = (this.ends[token] ?? 0) + by;
    }
  }

  #punctuation(at: number): number {
    const code = this.#text.code(at);
    if (code === OPEN) this.#group = this.count;
    else if (code === CLOSE) this.#closeGroup(at);
    else if (code === STAR) return this.#stars(at);
    else if (code === QUOTE || code === APOSTROPHE) return this.#quoted(at, code);
    return at + 1;
  }

  /** `(2.67 KB)` behind something else is an aside that other lines of the kind leave out. */
  #closeGroup(at: number): void {
    const first = this.#group;
    this.#group = -1;
    if (first <= 0 || this.count !== first + 1 || this.kinds[first] !== VARIABLE) return;
    this.count = first;
    if (this.kinds[first - 1] === VARIABLE) this.ends[first - 1] = at + 1;
  }

  #stars(at: number): number {
    let end = at + 1;
    while (this.#text.code(end) === STAR) end += 1;
    if (end - at >= 3) this.#push(at, end, WORD, STAR);
    return end;
  }

  /** A quoted value behind `=` is one variable, however many words it has. */
  #quoted(at: number, quote: number): number {
    if (this.#text.code(at - 1) !== EQUALS) return at + 1;
    const end = this.#text.next(quote, at + 1);
    if (end < this.#text.end) this.#variable(at + 1, end);
    return end < this.#text.end ? end + 1 : at + 1;
  }

  #token(from: number): number {
    const end = this.#text.scan(from);
    if (end === from) return from + 1;
    if (this.#text.seenOf(DIGIT) > 0) this.#withDigits(from, end);
    else if (this.#text.seenOf(LETTER) > 0) this.#withoutDigits(from, end);
    else if (this.#text.code(from - 1) === EQUALS) this.#variable(from, end);
    return end;
  }

  #withDigits(from: number, end: number): void {
    if (this.#isNumberedName(from, end)) this.#push(from, end, WORD, this.#text.scanned);
    else if (end - from <= MAX_CODE_CHARS && this.#isCode(from, end)) {
      this.#push(from, end, CODE, this.#text.scanned);
    } else this.#variable(from, end);
  }

  /** `eth1`, `jk2_init`, `ssh2`: a name, not a value. */
  #isNumberedName(from: number, end: number): boolean {
    const text = this.#text;
    if (this.#text.seenOf(DIGIT) !== 1 || text.class(from) !== LETTER) return false;
    if (text.code(from - 1) === EQUALS || end - from !== 1 + this.#text.seenOf(LETTER))
      return false;
    return !/_\d/.test(text.slice(from, end));
  }

  #isCode(from: number, end: number): boolean {
    const text = this.#text;
    if (text.code(end) === COLON) return isCodeName(text.slice(from, end));
    const last = this.count - 1;
    if (last < 0 || from - (this.ends[last] ?? 0) > MAX_CODE_GAP) return false;
    const wordHash = this.hashes[last] ?? 0;
    if (this.kinds[last] !== VARIABLE) return isCodeAfter(wordHash, text.slice(from, end));
    if (end - from !== 3) return false;
    const before = text.slice(this.starts[last] ?? 0, this.ends[last] ?? 0);
    return isFailingAnswer(text.slice(from, end), before, this.hashes[last - 1] ?? 0);
  }

  #withoutDigits(from: number, end: number): void {
    if (this.#isVariable(from, end)) this.#variable(from, end);
    else this.#word(from, end);
  }

  #isVariable(from: number, end: number): boolean {
    const before = this.#text.code(from - 1);
    const text = this.#text;
    if (before === EQUALS) return isValue(text.slice(from, end));
    const isWhole = end - from === text.seenOf(LETTER);
    if (!isWhole && (isPath(text, from, end) || isHost(text, from, end))) return true;
    return this.#isName(from) || isDatePart(text, end) || this.#isAddressPart(from, end);
  }

  /** `for user anna`: what follows the word is a name. */
  #isName(from: number): boolean {
    const last = this.count - 1;
    return last >= 0 && from - (this.ends[last] ?? 0) === 1 && isNaming(this.hashes[last] ?? 0);
  }

  /** `host.name:443`, `scheme://…`, and `fecd` between the colons of an address. */
  #isAddressPart(from: number, end: number): boolean {
    const isHead = this.#text.code(end) === COLON && isAddressHead(this.#text, from, end);
    return isHead || (end - from <= 4 && this.#isHexGroup(from, end));
  }

  #isHexGroup(from: number, end: number): boolean {
    const text = this.#text;
    if (!text.isHex(from, end)) return false;
    const last = this.count - 1;
    const gap = from - (this.ends[last] ?? 0);
    const follows = this.kinds[last] === VARIABLE && (gap === 1 || gap === 2);
    if (follows && text.code(from - 1) === COLON) return true;
    return end - from >= 2 && text.code(end) === COLON && text.isHex(end + 1, end + 3);
  }

  #word(from: number, end: number): void {
    const trimmed = this.#trimmed(from, end);
    const last = this.count - 1;
    const isUnit = last >= 0 && this.kinds[last] === VARIABLE && this.#isUnit(last, from, trimmed);
    if (isUnit) this.ends[last] = trimmed;
    else {
      const hash = trimmed === end ? this.#text.scanned : this.#text.hash(from, trimmed);
      this.#push(from, trimmed, this.#kindOf(from, trimmed), hash);
    }
  }

  #kindOf(from: number, end: number): number {
    const isDotted = this.#text.seenOf(DOT) > 1;
    const isCapitalized = this.#text.mayEndAsFailure(end);
    if (!isDotted && !isCapitalized) return WORD;
    const word = this.#text.slice(from, end);
    if (isCapitalized && isFailureName(word)) return PINNED;
    return isDotted && !endsAsConstant(word) ? DOTTED : WORD;
  }

  /** Without the full stop or dash behind the word. */
  #trimmed(from: number, end: number): number {
    let trimmed = end;
    while (trimmed > from + 1) {
      const kind = this.#text.class(trimmed - 1);
      if (kind !== DOT && kind !== JOINER) break;
      trimmed -= 1;
    }
    return trimmed;
  }

  #isUnit(variable: number, from: number, end: number): boolean {
    const numberEnd = this.ends[variable] ?? 0;
    if (end - from > 4 || from - numberEnd > 1) return false;
    return this.#text.class(numberEnd - 1) === DIGIT && isUnitWord(this.#text.slice(from, end));
  }

  #variable(from: number, end: number): void {
    const last = this.count - 1;
    const joins = last >= 0 && this.kinds[last] === VARIABLE && last !== this.#group - 1;
    if (joins || (last >= 0 && this.count === MAX_TOKENS)) this.ends[last] = end;
    else this.#push(from, end, VARIABLE, 1);
  }

  #push(from: number, end: number, kind: number, hash: number): void {
    const at = this.count;
    if (at >= MAX_TOKENS) return;
    this.starts[at] = from;
    this.ends[at] = end;
    this.kinds[at] = kind;
    this.hashes[at] = hash;
    this.count = at + 1;
  }
}
