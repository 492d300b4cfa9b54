import { isDigit } from './character-class.ts';
import { type LogLevel, levelOfWord } from './log-level.ts';

const STREAM =
  /(?:[\w.-]{1,64} {1,40}\| |(?:# )?[Tt]ime(?:stamp)?: {1,4}|\[([A-Za-z][\w./#-]{0,255})\] )/y;
const WORD = /\S{1,64}/y;
const NUMBER = /-?\d{1,10}(?=\s)/y;
const PUNCTUATION = /[-:|*#>=]{1,3}(?=\s)/y;
const COLUMNS = /\|(?:[\w.$-]{1,64}\|){0,4}/y;
const LOGGER =
  /[A-Za-z_/][\w.$/<>@-]{0,79}(?:\([\w:.-]{1,32}\))?(\[[\d.,]{1,12}\](?: \([^()\s]{1,80}\))?)?(?: {0,40}:(?=\s|$))/y;
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
  STREAM.lastIndex = 0;
  const match = STREAM.exec(line);
  return match === null || levelOfWord(match[1] ?? '') !== null ? 0 : STREAM.lastIndex;
}

/** Index of the first character from `at` on that is no blank. */
export function skipBlanks(line: string, at: number): number {
  let end = at;
  while (end < line.length && line.charCodeAt(end) <= 32) end += 1;
  return end;
}

/** End of the word at `at`, or -1. */
export function wordEnd(line: string, at: number): number {
  return matchEnd(WORD, line, at);
}

/** End of a process or thread number, or -1. */
export function numberEnd(line: string, at: number): number {
  return matchEnd(NUMBER, line, at);
}

/** End of punctuation that stands alone, or -1. */
export function punctuationEnd(line: string, at: number): number {
  return matchEnd(PUNCTUATION, line, at);
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
  LOGGER.lastIndex = at;
  const match = LOGGER.exec(line);
  if (match === null) return -1;
  const end = LOGGER.lastIndex;
  const name = match[0].replace(/[\s:]{1,41}$/, '');
  if (FAILURE_NAME.test(name)) return -1;
  return isTagged || match[1] !== undefined || !hasLevel || LOGGER_SHAPE.test(name) ? end : -1;
}

/** True for words no sentence is made of: with a digit or slash in them, or without a small letter. */
export function isHeaderWord(line: string, start: number, end: number): boolean {
  let small = false;
  for (let at = start; at < end; at += 1) {
    const code = line.charCodeAt(at);
    if (isDigit(code) || code === 47 || code === 124 || code === 64) return true;
    if (code >= 97 && code <= 122) small = true;
  }
  return !small;
}

/** The level that a short word in capitals names, brackets aside. */
export function levelOfHeaderWord(line: string, start: number, end: number): LogLevel | null {
  if (end < start || end - start > 12) return null;
  const word = line.slice(start, end).replace(/[^A-Z]/g, '');
  return word === '' ? null : levelOfWord(word);
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
