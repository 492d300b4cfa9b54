import { isDigit, isOpeningBracket } from './character-class.ts';
import { headerWordEnd, LEVEL_LETTER, levelAt, skipBlanks } from './header-words.ts';
import { type LogLevel, levelOfLetter } from './log-level.ts';
import {
  canBeginTime,
  dateEnd,
  epochEnd,
  namesYear,
  namesZone,
  timestampEnd,
} from './log-timestamp.ts';

/** BGL writes seconds, date and timestamp one after the other, with host names between. */
const MAX_TIMES = 4;
/** Words that may stand before a timestamp (`- 1131566461 2005.11.09 dn228 Nov 9 …`). */
const MAX_WORDS_BEFORE_TIME = 5;
/** Words that may stand between two timestamps. */
const MAX_WORDS_BETWEEN_TIMES = 2;
const GLOG = /^[IWEFCD]\d/;
const CLOSING_MARKS = /[\]),:]/;

/**
 * Finds the timestamps that a header begins with. A level ends them: a date behind it is a datum of
 * the message. Of several the first is the entry's, unless it names no year and a later one a zone.
 */
export class HeaderTimes {
  /** Where the entry's timestamp stands; -1 without one. */
  start = -1;
  end = -1;
  /** Index of the first character behind the timestamps, or where reading began. */
  behind = 0;
  /** The level that stands before or in the timestamps. */
  level: LogLevel | null = null;
  /** True where the timestamp itself begins with the letter of the level, as in glog. */
  isLevelPrefixed = false;
  #line = '';
  #limit = 0;

  /** Reads the header of `line` from `from` up to `limit`. */
  read(line: string, from: number, limit: number): void {
    this.#line = line;
    this.#limit = limit;
    this.start = this.end = -1;
    this.level = null;
    this.isLevelPrefixed = false;
    this.behind = from;
    for (let found = 0; found < MAX_TIMES; found += 1) {
      const next = this.#ahead(this.behind);
      if (next < 0) return;
      this.behind = skipBlanks(line, next);
      if (this.level !== null) return;
    }
  }

  /** Behind the next timestamp that has nothing but header words before it, or -1. */
  #ahead(from: number): number {
    const isNumbered = beginsWithNumber(this.#line, from);
    const maxWords = this.start < 0 ? MAX_WORDS_BEFORE_TIME : MAX_WORDS_BETWEEN_TIMES;
    let level: LogLevel | null = null;
    let at = from;
    for (let words = 0; words <= maxWords && at < this.#limit; words += 1) {
      const end = this.#timeAt(at, isNumbered || words === 0);
      if (end >= 0) {
        this.level ??= level;
        return end;
      }
      const next = headerWordEnd(this.#line, at, isNumbered);
      level = level ?? this.#levelAt(at);
      if (next < 0 || this.#isMessage(at, level)) return -1;
      at = skipBlanks(this.#line, next);
    }
    return -1;
  }

  #levelAt(at: number): LogLevel | null {
    return levelAt(this.#line, at, false)?.level ?? null;
  }

  /** True where a time and a level have been, so that the header is over. */
  #isMessage(at: number, level: LogLevel | null): boolean {
    if (this.start < 0) return false;
    LEVEL_LETTER.lastIndex = at;
    return level !== null || LEVEL_LETTER.test(this.#line);
  }

  #timeAt(from: number, isEpochAllowed: boolean): number {
    const line = this.#line;
    const at = isOpeningBracket(line.charCodeAt(from)) ? from + 1 : from;
    if (!canBeginTime(line.charCodeAt(at), line.charCodeAt(at + 1))) return -1;
    const end = this.#timeEnd(at, isEpochAllowed);
    return end >= 0 && CLOSING_MARKS.test(line.charAt(end)) ? end + 1 : end;
  }

  #timeEnd(at: number, isEpochAllowed: boolean): number {
    const isFirst = this.start < 0;
    let end = timestampEnd(this.#line, at);
    if (end < 0 && isEpochAllowed && isFirst) end = epochEnd(this.#line, at);
    if (end < 0) return isFirst ? -1 : dateEnd(this.#line, at);
    this.#keep(at, end);
    return end;
  }

  #keep(start: number, end: number): void {
    if (this.start >= 0 && !this.#tellsMore(start, end)) return;
    this.start = start;
    this.end = end;
    if (!GLOG.test(this.#line.slice(start, start + 2))) return;
    this.level = levelOfLetter(this.#line.charAt(start));
    this.isLevelPrefixed = true;
  }

  #tellsMore(start: number, end: number): boolean {
    const isYearNamed = namesYear(this.#line.slice(this.start, this.end));
    return !isYearNamed && namesZone(this.#line.slice(start, end));
  }
}

/** A line that begins with a number of its own may have any words before its time. */
function beginsWithNumber(line: string, at: number): boolean {
  return isDigit(line.charCodeAt(at)) || line.startsWith('- ', at);
}
