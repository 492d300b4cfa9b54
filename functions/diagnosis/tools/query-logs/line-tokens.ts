import {
  AT,
  CLASS_COUNT,
  classOf,
  DIGIT,
  DOT,
  HASH_SEED,
  hashOf,
  isHexPairBehindColon,
  isHexRun,
  JOINER,
  LETTER,
  mixedIn,
  NONE,
  SLASH,
} from './character-class.ts';
import { skipBlanks } from './header-words.ts';
import {
  DOTTED,
  endsAsConstant,
  endsAsFailure,
  isCodeAfter,
  isCodeName,
  isDateWord,
  isFailingAnswer,
  isHostName,
  isNaming,
  isTelling,
  isUnitWord,
  PINNED,
  VARIABLE,
  WORD,
} from './token-kinds.ts';

/** Characters of a message that take part in its pattern; what comes later is one variable. */
const MAX_CHARS = 1_024;
/** Tokens that take part; with the line limit this bounds the work and the key of any line. */
const MAX_TOKENS = 64;
const MAX_CODE_CHARS = 10;
/** Characters between a word and its code, as in `status": `. */
const MAX_CODE_GAP = 4;
const [QUOTE, APOSTROPHE, OPEN, CLOSE, STAR, COLON, EQUALS] = [34, 39, 40, 41, 42, 58, 61];

/**
 * The tokens of one message: words, variables (numbers, ids, addresses, paths, values) and pinned
 * words (exception classes, error codes). Neighbouring variables are one; punctuation and blanks
 * belong to none. One instance is reused line after line, so that a line costs no allocation.
 */
export class LineTokens {
  count = 0;
  readonly starts = new Int32Array(MAX_TOKENS);
  readonly ends = new Int32Array(MAX_TOKENS);
  readonly kinds = new Uint8Array(MAX_TOKENS);
  readonly hashes = new Int32Array(MAX_TOKENS);
  #line = '';
  #limit = 0;
  /** Count of tokens at the last opening parenthesis. */
  #group = -1;
  #hash = 0;
  /** Characters of each class in the token that is being read. */
  readonly #seen = new Int32Array(CLASS_COUNT);

  read(line: string, from: number): void {
    this.#line = line;
    this.#limit = Math.min(line.length, from + MAX_CHARS);
    this.#group = -1;
    this.count = 0;
    let at = from;
    while (at < this.#limit && this.count < MAX_TOKENS) {
      at = classOf(line.charCodeAt(at)) === NONE ? this.#punctuation(at) : this.#token(at);
    }
    if (at < line.length) this.#variable(at, line.length);
  }

  #punctuation(at: number): number {
    const code = this.#line.charCodeAt(at);
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
    while (this.#line.charCodeAt(end) === STAR) end += 1;
    if (end - at >= 3) this.#push(at, end, WORD, STAR);
    return end;
  }

  /** A quoted value behind `=` is one variable, however many words it has. */
  #quoted(at: number, quote: number): number {
    if (this.#line.charCodeAt(at - 1) !== EQUALS) return at + 1;
    let end = at + 1;
    while (end < this.#limit && this.#line.charCodeAt(end) !== quote) end += 1;
    if (end < this.#limit) this.#variable(at + 1, end);
    return end < this.#limit ? end + 1 : at + 1;
  }

  #token(from: number): number {
    const end = this.#scan(from);
    if (end === from) return from + 1;
    if ((this.#seen[DIGIT] ?? 0) > 0) this.#withDigits(from, end);
    else if ((this.#seen[LETTER] ?? 0) > 0) this.#withoutDigits(from, end);
    else if (this.#line.charCodeAt(from - 1) === EQUALS) this.#variable(from, end);
    return end;
  }

  /** End of the token; ASCII and other scripts part, and so do two dots in a row. */
  #scan(from: number): number {
    const line = this.#line;
    const isWide = line.charCodeAt(from) > 127;
    this.#seen.fill(0);
    let hash = HASH_SEED;
    let at = from;
    for (; at < this.#limit; at += 1) {
      const code = line.charCodeAt(at);
      const kind = classOf(code);
      if (kind === NONE || code > 127 !== isWide) break;
      if (kind === DOT && line.charCodeAt(at + 1) === 46) break;
      this.#seen[kind] = (this.#seen[kind] ?? 0) + 1;
      hash = mixedIn(hash, code);
    }
    this.#hash = hash;
    return at;
  }

  #withDigits(from: number, end: number): void {
    if (this.#isNumberedName(from, end)) this.#push(from, end, WORD, this.#hash);
    else if (end - from <= MAX_CODE_CHARS && this.#isCode(from, end)) {
      this.#push(from, end, PINNED, this.#hash);
    } else this.#variable(from, end);
  }

  /** `eth1`, `jk2_init`, `ssh2`: a name, not a value. */
  #isNumberedName(from: number, end: number): boolean {
    const isName = this.#seen[DIGIT] === 1 && this.#isClass(LETTER, from);
    if (!isName || this.#line.charCodeAt(from - 1) === EQUALS) return false;
    return end - from === 1 + (this.#seen[LETTER] ?? 0) && !/_\d/.test(this.#line.slice(from, end));
  }

  #isCode(from: number, end: number): boolean {
    if (this.#line.charCodeAt(end) === COLON) return isCodeName(this.#line.slice(from, end));
    const last = this.count - 1;
    if (last < 0 || from - (this.ends[last] ?? 0) > MAX_CODE_GAP) return false;
    if (this.kinds[last] !== VARIABLE) {
      return isCodeAfter(this.hashes[last] ?? 0, this.#line.slice(from, end));
    }
    if (end - from !== 3) return false;
    const before = this.#line.slice(this.starts[last], this.ends[last]);
    return isFailingAnswer(this.#line.slice(from, end), before, this.hashes[last - 1] ?? 0);
  }

  #withoutDigits(from: number, end: number): void {
    const isVariable =
      (this.#line.charCodeAt(from - 1) === EQUALS && this.#isValue(from, end)) ||
      this.#isPath(from, end) ||
      this.#isName(from) ||
      this.#isHost(from, end) ||
      this.#isDatePart(end) ||
      this.#isAddressPart(from, end);
    if (isVariable) this.#variable(from, end);
    else this.#word(from, end);
  }

  #isHost(from: number, end: number): boolean {
    return (this.#seen[DOT] ?? 0) > 1 && isHostName(this.#line.slice(from, end));
  }

  /** `for user anna`: what follows the word is a name. */
  #isName(from: number): boolean {
    const last = this.count - 1;
    return last >= 0 && isNaming(this.hashes[last] ?? 0) && from - (this.ends[last] ?? 0) === 1;
  }

  /** `Fri Jul  8 06:02:39`: a day or month before a number or another such word. */
  #isDatePart(end: number): boolean {
    if (!isDateWord(this.#hash)) return false;
    const next = skipBlanks(this.#line, end);
    if (next === end) return false;
    return this.#isClass(DIGIT, next) || isDateWord(hashOf(this.#line, next, next + 3));
  }

  /** Behind `=` stands a value, unless it is one of few that tell cases apart. */
  #isValue(from: number, end: number): boolean {
    const text = this.#line.slice(from, end);
    return !endsAsFailure(this.#line, from, end) && !isTelling(text);
  }

  #isPath(from: number, end: number): boolean {
    const slashes = this.#seen[SLASH] ?? 0;
    const isAddress =
      (this.#seen[AT] ?? 0) > 0 && !this.#isClass(AT, from) && !this.#isClass(AT, end - 1);
    if (slashes === 0) return isAddress;
    const isRooted = this.#isClass(SLASH, from) && end - from > 1;
    return isAddress || slashes > 1 || isRooted || (this.#seen[DOT] ?? 0) > 0;
  }

  /** `host.name:443`, `scheme://…`, and `fecd` between the colons of an address. */
  #isAddressPart(from: number, end: number): boolean {
    const isHead = this.#line.charCodeAt(end) === COLON && this.#isAddressHead(from, end);
    return isHead || (end - from <= 4 && this.#isHexGroup(from, end));
  }

  #isAddressHead(from: number, end: number): boolean {
    const [next, afterNext] = [this.#line.charCodeAt(end + 1), this.#line.charCodeAt(end + 2)];
    if (next === 47) return afterNext === 47;
    const isPort = classOf(next) === DIGIT && classOf(afterNext) === DIGIT;
    return isPort && (this.#seen[DOT] ?? 0) > 0 && !/[A-Z]/.test(this.#line.slice(from, end));
  }

  #isHexGroup(from: number, end: number): boolean {
    if (!isHexRun(this.#line, from, end)) return false;
    const last = this.count - 1;
    const gap = from - (this.ends[last] ?? 0);
    const follows = this.kinds[last] === VARIABLE && (gap === 1 || gap === 2);
    if (follows && this.#line.charCodeAt(from - 1) === COLON) return true;
    return end - from >= 2 && isHexPairBehindColon(this.#line, end);
  }

  #word(from: number, end: number): void {
    const trimmed = this.#trimmed(from, end);
    const last = this.count - 1;
    const isUnit = last >= 0 && this.kinds[last] === VARIABLE && this.#isUnit(last, from, trimmed);
    const kind = this.#kindOf(from, trimmed);
    if (isUnit) this.ends[last] = trimmed;
    else
      this.#push(
        from,
        trimmed,
        kind,
        trimmed === end ? this.#hash : hashOf(this.#line, from, trimmed),
      );
  }

  #kindOf(from: number, end: number): number {
    if (endsAsFailure(this.#line, from, end)) return PINNED;
    const isDotted = (this.#seen[DOT] ?? 0) > 1 && !endsAsConstant(this.#line.slice(from, end));
    return isDotted ? DOTTED : WORD;
  }

  /** Without the full stop or dash behind the word. */
  #trimmed(from: number, end: number): number {
    let trimmed = end;
    while (trimmed > from + 1) {
      const kind = classOf(this.#line.charCodeAt(trimmed - 1));
      if (kind !== DOT && kind !== JOINER) break;
      trimmed -= 1;
    }
    return trimmed;
  }

  #isUnit(variable: number, from: number, end: number): boolean {
    const numberEnd = this.ends[variable] ?? 0;
    if (end - from > 4 || from - numberEnd > 1) return false;
    return this.#isClass(DIGIT, numberEnd - 1) && isUnitWord(this.#line.slice(from, end));
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

  #isClass(kind: number, at: number): boolean {
    return classOf(this.#line.charCodeAt(at)) === kind;
  }
}
