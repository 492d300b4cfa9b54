import { AT, DIGIT, DOT, SLASH } from './character-class.ts';
import { isDateWord, isFailureName, isHostName, isTelling } from './token-kinds.ts';
import type { TokenText } from './token-text.ts';

/** What stands behind `=` is a value, unless it is one of few that tell cases apart. */
export function isValue(word: string): boolean {
  return !isFailureName(word) && !isTelling(word);
}

/** True for a path or a mail address; the token is the one scanned last. */
export function isPath(text: TokenText, from: number, end: number): boolean {
  const slashes = text.seenOf(SLASH);
  const isAddress = text.seenOf(AT) > 0 && text.class(from) !== AT && text.class(end - 1) !== AT;
  if (slashes === 0) return isAddress;
  const isRooted = text.class(from) === SLASH && end - from > 1;
  return isAddress || slashes > 1 || isRooted || text.seenOf(DOT) > 0;
}

/** True for the name of a host; the token is the one scanned last. */
export function isHost(text: TokenText, from: number, end: number): boolean {
  return text.seenOf(DOT) > 1 && isHostName(text.slice(from, end));
}

/** `Fri Jul  8 06:02:39`: a day or month before a number or another such word. */
export function isDatePart(text: TokenText, end: number): boolean {
  if (!isDateWord(text.scanned)) return false;
  const next = text.behindBlanks(end);
  if (next === end) return false;
  return text.class(next) === DIGIT || isDateWord(text.hash(next, next + 3));
}

/** True for the word before the colon of `host.name:443` or `scheme://…`. */
export function isAddressHead(text: TokenText, from: number, end: number): boolean {
  if (text.code(end + 1) === 47) return text.code(end + 2) === 47;
  const isPort = text.class(end + 1) === DIGIT && text.class(end + 2) === DIGIT;
  return isPort && text.seenOf(DOT) > 0 && !/[A-Z]/.test(text.slice(from, end));
}
