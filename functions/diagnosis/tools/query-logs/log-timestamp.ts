import { isDigit } from './character-class.ts';

const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const TIME = '\\d{1,2}:\\d{1,2}:\\d{1,2}(?:[.,:]\\d{1,9})?';
const ZONE =
  '(?: ?(?:Z|[+-]\\d{2}:?\\d{2})(?![\\w:])| (?:UTC|GMT|[A-Z]{2}T|[A-Z]{2}[SD]T)(?![\\w:]))?';
/** The shapes a header writes an instant in; `log-time.ts` reads the parts of each. */
const SHAPES = [
  `\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}(?:[T:_-]| {1,2}|, )(?:${TIME}|\\d{2}\\.\\d{2}\\.\\d{2}(?:[.,]\\d{1,9})?)${ZONE}`,
  `\\d{8}(?:[-T ]${TIME}|T\\d{6}(?:[.,]\\d{1,9})?)${ZONE}`,
  `\\d{6} {1,2}(?:\\d{6}|${TIME})(?=\\s|$)`,
  `\\d{1,2}[/.-]\\d{1,2}[/.-](?:\\d{4}|\\d{2}),? ${TIME}(?: [AP]M)?${ZONE}`,
  `\\d{1,2}[/.-]\\d{1,2} ${TIME}`,
  `\\d{1,2}[/ -](?:${MONTHS})[/ -]\\d{4}[: ]${TIME}${ZONE}`,
  `(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? {1,2})?(?:(?:${MONTHS}) {1,2}\\d{1,2},?(?: \\d{4})? ${TIME}${ZONE}(?: \\d{4})?|\\d{1,2} (?:${MONTHS}) \\d{4} ${TIME}${ZONE})`,
  `[IWEFCD]\\d{4} ${TIME}`,
  `${TIME}(?=[\\s\\]|]|$)`,
];
const CLOCK = new RegExp(`(?:${SHAPES.join('|')})`, 'y');
// Ten digits that begin with 1 are seconds from 2001 to 2033; three, six or nine more make them finer.
const EPOCH = /1\d{9}(?:\.\d{1,9}|\d{3}|\d{6}|\d{9})?(?=[\s\]|,]|$)/y;
/** Four digits in a row that are no fraction, offset or glog's date, or a date of three numbers. */
const NAMED_YEAR = /(?<![.,:+\dA-Z]| -)\d{4}|^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}/;
const NAMED_ZONE = /\d ?(?:Z|[+-]\d{2}:?\d{2}| [A-Z]{3,4})$/;
const DATE_SEPARATORS = '-/.';
const DATE_ONLY = /\d{4}[-/.]\d{2}[-/.]\d{2}(?=\s)/y;

/** End of a timestamp that starts at `at`, or -1. Linear in the length of the timestamp. */
export function timestampEnd(line: string, at: number): number {
  return endOf(CLOCK, line, at);
}

/** End of a number of seconds, ms, µs or ns since 1970 that starts at `at`, or -1. */
export function epochEnd(line: string, at: number): number {
  return line.charCodeAt(at) === 49 ? endOf(EPOCH, line, at) : -1;
}

/** End of a bare date that starts at `at`, or -1. */
export function dateEnd(line: string, at: number): number {
  return DATE_SEPARATORS.includes(line.charAt(at + 4)) ? endOf(DATE_ONLY, line, at) : -1;
}

/** True for a timestamp, as `timestampEnd` or `epochEnd` found it, that says which year it is of. */
export function namesYear(time: string): boolean {
  return NAMED_YEAR.test(time);
}

/** True for a timestamp that ends with a zone or offset. */
export function namesZone(time: string): boolean {
  return NAMED_ZONE.test(time);
}

/** True for two codes a timestamp can begin with: a digit, a name such as `Nov`, `E1130`. */
export function canBeginTime(first: number, second: number): boolean {
  if (isDigit(first)) return true;
  return first >= 65 && first <= 87 && ((second >= 97 && second <= 122) || isDigit(second));
}

function endOf(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(line) ? pattern.lastIndex : -1;
}
