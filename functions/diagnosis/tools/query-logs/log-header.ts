import { isDigit } from './character-class.ts';
import { HeaderTimes } from './header-times.ts';
import {
  closingBracket,
  columnsEnd,
  headerWordEnd,
  hostEnd,
  LEVEL_LETTER,
  levelAt,
  loggerEnd,
  numberEnd,
  priorityLevel,
  punctuationEnd,
  skipBlanks,
  streamEnd,
} from './header-words.ts';
import { type LogLevel, levelOfLetter, levelOfWord } from './log-level.ts';

/** A header longer than this is none; it also bounds the work per line. */
const MAX_HEADER_CHARS = 320;
const MAX_STEPS = 16;
/** Words that may stand between a timestamp and a level (`R02-M1 RAS KERNEL INFO`). */
const MAX_WORDS_BEFORE_LEVEL = 3;
/** Process and thread. */
const MAX_NUMBERS = 2;

const UPTIME = /^\d{1,9}(?:\.\d{1,6})?m?s$/;
const [OPENING, PIPE, DASH] = [91, 124, 45];

/**
 * Finds where the message of a line begins: behind timestamps, level, thread, process ids, host
 * and logger, whatever their order. One instance is reused line after line; its fields hold the
 * findings of the last `scan`.
 */
export class HeaderScanner {
  level: LogLevel | null = null;
  /** Index of the first character of the message. */
  messageStart = 0;
  /** Where the timestamp of the header stands, the first where it has several; -1 without one. */
  timeStart = -1;
  timeEnd = -1;
  /** Text in brackets beside time and level: a thread, a context. */
  threadStart = -1;
  threadEnd = -1;
  loggerStart = -1;
  loggerEnd = -1;
  readonly #times = new HeaderTimes();
  #line = '';
  #limit = 0;
  #isTagged = false;
  #hasUptime = false;
  #numbers = 0;

  scan(line: string): void {
    this.#reset(line);
    let at = this.#behindTimes(skipBlanks(line, streamEnd(line)));
    for (let steps = 0; steps < MAX_STEPS && at < this.#limit; steps += 1) {
      const next = skipBlanks(this.#line, this.#step(at));
      if (next === at) break;
      at = next;
    }
    this.messageStart = at;
  }

  #reset(line: string): void {
    this.#line = line;
    this.#limit = Math.min(line.length, MAX_HEADER_CHARS);
    this.level = priorityLevel(line);
    this.#isTagged = this.#hasUptime = false;
    this.#numbers = 0;
    this.timeStart = this.timeEnd = -1;
    this.threadStart = this.threadEnd = -1;
    this.loggerStart = this.loggerEnd = -1;
  }

  #behindTimes(from: number): number {
    const times = this.#times;
    times.read(this.#line, from, this.#limit);
    this.level = times.isLevelPrefixed ? times.level : (this.level ?? times.level);
    this.timeStart = times.start;
    this.timeEnd = times.end;
    return times.behind;
  }

  #step(at: number): number {
    const first = this.#code(at);
    if (this.loggerStart >= 0) return this.#behindLogger(at, first);
    if (first === OPENING) return this.#bracket(at);
    const level = this.#levelAhead(at);
    if (level > at) return level;
    if (this.timeStart < 0 && this.level === null) return at;
    return this.#behindLevel(at, first);
  }

  /** `nova.compute.manager [req-3ea4 - -] …`: a context in brackets where no colon ended the header. */
  #behindLogger(at: number, first: number): number {
    const level = this.#programsLevel(at);
    if (level > at) return level;
    const isSetOff = this.#code(this.loggerEnd - 1) === 58 || this.#code(this.loggerEnd - 1) === 32;
    return first === OPENING && !isSetOff && this.threadStart < 0 ? this.#bracket(at) : at;
  }

  /** `sshd[71]: error: …`: syslog has no place for a level, so that programs write it themselves. */
  #programsLevel(at: number): number {
    if (this.level !== null || this.timeStart < 0) return -1;
    const found = levelAt(this.#line, at, true);
    this.level = found?.level ?? null;
    return found?.end ?? -1;
  }

  #behindLevel(at: number, first: number): number {
    const punctuation = punctuationEnd(this.#line, at);
    if (punctuation > 0) return punctuation;
    if (first === PIPE) return this.#columns(at);
    const isNumber = isDigit(first) || (first === DASH && isDigit(this.#code(at + 1)));
    return isNumber ? this.#number(at) : this.#logger(at);
  }

  #levelAhead(start: number): number {
    if (this.level !== null) return -1;
    let at = start;
    for (let words = 0; words <= MAX_WORDS_BEFORE_LEVEL && at < this.#limit; words += 1) {
      const end = this.#levelAt(at, words === 0);
      if (end > 0) return end;
      const next = this.timeStart < 0 ? -1 : headerWordEnd(this.#line, at, false);
      if (next < 0) return -1;
      at = skipBlanks(this.#line, next);
    }
    return -1;
  }

  #levelAt(at: number, isAdjacent: boolean): number {
    const found = levelAt(this.#line, at, isAdjacent && this.timeStart >= 0);
    if (found === null) return isAdjacent ? this.#levelLetter(at) : -1;
    this.level = found.level;
    return found.end;
  }

  #levelLetter(at: number): number {
    if (this.timeStart < 0 || this.#isTagged) return -1;
    LEVEL_LETTER.lastIndex = at;
    const letter = LEVEL_LETTER.exec(this.#line)?.[1];
    if (letter === undefined) return -1;
    this.level = levelOfLetter(letter);
    this.#isTagged = true;
    return LEVEL_LETTER.lastIndex;
  }

  #bracket(at: number): number {
    const end = closingBracket(this.#line, at, this.#limit);
    if (end < 0) return at;
    const inner = this.#line.slice(at + 1, end).trim();
    const level = this.level === null ? levelOfWord(inner) : null;
    if (level !== null) this.level = level;
    else if (UPTIME.test(inner)) this.#hasUptime = true;
    else if (this.timeStart < 0 && !this.#hasUptime) return at;
    else if (this.threadStart < 0) {
      this.threadStart = at + 1;
      this.threadEnd = end;
    }
    return end + 1;
  }

  #columns(at: number): number {
    const end = columnsEnd(this.#line, at);
    if (end > at + 1) this.#keepLogger(at + 1, at + 1);
    return end;
  }

  #number(at: number): number {
    const end = numberEnd(this.#line, at);
    const isBehindLevel = this.level !== null && !this.#line.startsWith(' ---', end);
    if (end < 0 || isBehindLevel || this.#numbers >= MAX_NUMBERS) return at;
    this.#numbers += 1;
    return end;
  }

  #logger(at: number): number {
    const hint = { hasLevel: this.level !== null, isTagged: this.#isTagged };
    const end = loggerEnd(this.#line, at, hint);
    if (end > at) return this.#keepLogger(at, end);
    const name = hint.hasLevel ? -1 : hostEnd(this.#line, at);
    const behindName = name < 0 ? -1 : loggerEnd(this.#line, name, hint);
    return behindName > name ? this.#keepLogger(name, behindName) : at;
  }

  #keepLogger(start: number, end: number): number {
    this.loggerStart = start;
    this.loggerEnd = end;
    return end;
  }

  #code(at: number): number {
    return this.#line.charCodeAt(at);
  }
}
