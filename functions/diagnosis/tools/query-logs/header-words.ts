import { isDigit } from './character-class.ts';
import { type LogLevel, levelOfNumber, levelOfWord } from './log-level.ts';

const STREAM =
  /(?:<\d{1,3}>(?:\d )?|[A-Za-z][\w.-]{0,63} {1,40}\| |(?:# )?[Tt]ime(?:stamp)?: {1,4}|\[([A-Za-z][\w./#-]{0,255})\] )/y;
/** The level as one letter, as on Android; sticky. */
export const LEVEL_LETTER = /([VDIWEFTC])(?=[ /])\/?/y;
const MAX_WORD_CHARS = 64;
const MAX_NUMBER_CHARS = 11;
const MAX_PUNCTUATION_CHARS = 3;
const MIN_LEVEL_CHARS = 3;
const MAX_LEVEL_CHARS = 12;
const COLUMNS = /\|(?:[\w.$-]{1,64}\|){0,4}/y;
const LOGGER =
  /[A-Za-z_/][\w.$/<>@-]{0,79}(?:\([\w:.-]{1,32}\))?(?:\[[\d.,]{1,12}\](?: \([^()\s]{1,80}\))?)?(?: {0,40}:(?=\s|$))/y;
const DASHED_LOGGER = /[\w.$/:-]{1,80}(?: \*?\d{1,6})? {1,40}- /y;
const DOTTED_LOGGER = /[A-Za-z_]\w{0,40}(?:\.\w{1,40}){1,8}(?= \[)/y;
const PADDED_LOGGER = /[A-Za-z]\w{0,40}(?= {2,}\S)/y;
const HOST =
  /[\w.@/#:-]{1,80} +(?=[A-Za-z_/(-][\w.$/<>@-]{0,79}(?:\([\w:.-]{1,32}\))?(?:\[[\d.,]{1,12}\](?: \([^()\s]{1,80}\))?)?:)/y;
const LOGGER_SHAPE = /[.$/_]|[A-Z]\w*[a-z]\w*[A-Z]|\d/;
/** Names of failures and of error codes: they begin a message rather than name its writer. */
const FAILURE_NAME = /(?:Exception|Error|Throwable|Failure)$|^[A-Z]{2,6}-?\d{4,6}$/;

/** End of the pattern where it matches at `at`, or -1; patterns are sticky. */
function matchEnd(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(line) ? pattern.lastIndex : -1;
}

/** End of what a collector puts before each line (`[pod/pay-1/app] `, `web-1  | `); 0 without it. */
export function streamEnd(line: string): number {
  if (!canBeginStream(line)) return 0;
  STREAM.lastIndex = 0;
  const match = STREAM.exec(line);
  return match === null || levelOfWord(match[1] ?? '') !== null ? 0 : STREAM.lastIndex;
}

/** The level of the priority that syslog writes in front (`<34>`), or null. */
export function priorityLevel(line: string): LogLevel | null {
  if (line.charCodeAt(0) !== 60) return null;
  const priority = /^<(\d{1,3})>/.exec(line)?.[1];
  return priority === undefined ? null : levelOfNumber(Number(priority) % 8);
}

/** A bracket, a comment, a label, or a bar behind the first word. */
function canBeginStream(line: string): boolean {
  const first = line.charCodeAt(0);
  if (first === 91 || first === 60 || first === 35 || first === 84 || first === 116) return true;
  const afterWord = skipBlanks(line, wordEnd(line, 0));
  return line.charCodeAt(afterWord) === 124;
}

/** Index of the first character from `at` on that is no blank. */
export function skipBlanks(line: string, at: number): number {
  let end = at;
  while (end < line.length && line.charCodeAt(end) <= 32) end += 1;
  return end;
}

/** End of the word at `at`, at most 64 characters on; -1 where a blank stands. */
export function wordEnd(line: string, at: number): number {
  const limit = Math.min(line.length, at + MAX_WORD_CHARS);
  let end = at;
  while (end < limit && line.charCodeAt(end) > 32) end += 1;
  return end === at ? -1 : end;
}

/** End of a process or thread number, or -1. */
export function numberEnd(line: string, at: number): number {
  let end = line.charCodeAt(at) === 45 ? at + 1 : at;
  while (isDigit(line.charCodeAt(end))) end += 1;
  const isNumber = isDigit(line.charCodeAt(end - 1)) && end - at <= MAX_NUMBER_CHARS;
  return isNumber && line.charCodeAt(end) <= 32 ? end : -1;
}

/** End of punctuation that stands alone, or -1. */
export function punctuationEnd(line: string, at: number): number {
  let end = at;
  while (isPunctuation(line.charCodeAt(end))) end += 1;
  const isAlone = end > at && end - at <= MAX_PUNCTUATION_CHARS && line.charCodeAt(end) <= 32;
  return isAlone ? end : -1;
}

/** One of `- : | * # > =`. */
function isPunctuation(code: number): boolean {
  if (code === 45 || code === 58 || code === 124 || code === 42) return true;
  return code === 35 || code === 62 || code === 61;
}

/** End of `|name|number|` columns, or -1. */
export function columnsEnd(line: string, at: number): number {
  return matchEnd(COLUMNS, line, at);
}

/** Start of the `name:` behind a host name, or -1. */
export function hostEnd(line: string, at: number): number {
  return matchEnd(HOST, line, at);
}

/** What is known when a logger is looked for. */
export interface LoggerHint {
  readonly hasLevel: boolean;
  /** The level was a single letter, as where every line has a tag. */
  readonly isTagged: boolean;
}

/** End of a logger or program name with what sets it off from the message; `at` without one. */
export function loggerEnd(line: string, at: number, hint: LoggerHint): number {
  const colon = colonLoggerEnd(line, at, hint);
  if (colon > at) return colon;
  const dashed = matchEnd(DASHED_LOGGER, line, at);
  if (dashed > at) return dashed;
  if (!hint.hasLevel) return at;
  const dotted = matchEnd(DOTTED_LOGGER, line, at);
  return Math.max(at, dotted > at ? dotted : matchEnd(PADDED_LOGGER, line, at));
}

/** `Name:` begins a message as well; behind a level it must look like a name, and never a failure. */
function colonLoggerEnd(line: string, at: number, { hasLevel, isTagged }: LoggerHint): number {
  const end = matchEnd(LOGGER, line, at);
  if (end < 0) return -1;
  const name = line.slice(at, nameEnd(line, end));
  if (FAILURE_NAME.test(name)) return -1;
  return isTagged || !hasLevel || LOGGER_SHAPE.test(name) || name.endsWith(']') ? end : -1;
}

/** End of the name before a colon and blanks. */
function nameEnd(line: string, behindColon: number): number {
  let end = behindColon - 1;
  while (end > 0 && line.charCodeAt(end - 1) === 32) end -= 1;
  return end;
}

/** End of a word that may stand in a header, or -1; a word with a colon behind it ends one. */
export function headerWordEnd(line: string, at: number, isAnyWord: boolean): number {
  const end = wordEnd(line, at);
  if (end < 0 || line.charCodeAt(end - 1) === 58) return -1;
  return isAnyWord || isHeaderWord(line, at, end) ? end : -1;
}

/** True for words no sentence is made of: with a digit or slash in them, or without a small letter. */
function isHeaderWord(line: string, start: number, end: number): boolean {
  let small = false;
  for (let at = start; at < end; at += 1) {
    const code = line.charCodeAt(at);
    if (isDigit(code) || code === 47 || code === 124 || code === 64) return true;
    if (code >= 97 && code <= 122) small = true;
  }
  return !small;
}

/** A level that is set off as one, and where what follows it begins. */
export interface LevelFound {
  readonly level: LogLevel;
  readonly end: number;
}

/**
 * The level written at `at`, with brackets or stars around it; null where there is none or nothing
 * follows it. Words with small letters count only where `isAnyCase`.
 */
export function levelAt(line: string, at: number, isAnyCase: boolean): LevelFound | null {
  const start = skipWrapping(line, at);
  const end = levelWordEnd(line, start, isAnyCase);
  if (end - start < MIN_LEVEL_CHARS || end - start > MAX_LEVEL_CHARS) return null;
  const closed = skipWrapping(line, end);
  const isMarked = isMark(line.charCodeAt(closed));
  const isWrapped = start > at || closed > end;
  if (!isMarked && !isEnded(line, closed)) return null;
  if (!isMarked && !isWrapped && !isSetOff(line, start, end)) return null;
  const level = levelOfWord(line.slice(start, end));
  const rest = skipBlanks(line, isMarked ? closed + 1 : closed);
  return level === null || rest >= line.length ? null : { level, end: rest };
}

/** `:`, `,` and `|` part a level from what follows. */
function isMark(code: number): boolean {
  return code === 58 || code === 44 || code === 124;
}

function isEnded(line: string, at: number): boolean {
  const next = line.charCodeAt(at);
  return next <= 32 || next === 91;
}

/** `Alert raised` is a sentence: a bare word with small letters needs a column of its own. */
function isSetOff(line: string, start: number, end: number): boolean {
  const isCapital = line.charCodeAt(end - 1) <= 90 && line.charCodeAt(start + 1) <= 90;
  return isCapital || line.charCodeAt(end) === 91 || line.charCodeAt(end + 1) <= 32;
}

/** Behind at most two brackets or stars. */
function skipWrapping(line: string, at: number): number {
  let end = at;
  while (end < at + 2 && isWrapping(line.charCodeAt(end))) end += 1;
  return end;
}

/** Brackets of any kind, and the star. */
function isWrapping(code: number): boolean {
  return code === 91 || code === 93 || (code >= 40 && code <= 42) || code === 60 || code === 62;
}

/** End of letters and at most a digit; of capitals only unless any case will do. */
function levelWordEnd(line: string, start: number, isAnyCase: boolean): number {
  let end = start;
  while (isLetter(line.charCodeAt(end), isAnyCase)) end += 1;
  return isDigit(line.charCodeAt(end)) ? end + 1 : end;
}

function isLetter(code: number, isAnyCase: boolean): boolean {
  return (code >= 65 && code <= 90) || (isAnyCase && code >= 97 && code <= 122);
}

/** Index of the bracket that closes the one at `at`, or -1 within the limit. */
export function closingBracket(line: string, at: number, limit: number): number {
  let depth = 0;
  for (let end = at; end < limit; end += 1) {
    const code = line.charCodeAt(end);
    if (code === 91) depth += 1;
    if (code === 93) depth -= 1;
    if (depth === 0) return end;
  }
  return -1;
}
