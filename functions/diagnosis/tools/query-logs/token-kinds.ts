import { hashOf } from './character-class.ts';

/** Text of a template. */
export const WORD = 1;
/** A value: it differs from line to line. */
export const VARIABLE = 2;
/** Text that may never become a value: exception classes. */
export const PINNED = 3;
/** A name of several parts such as a class or a key: text, but a second one in its place makes a value. */
export const DOTTED = 4;

/** An error code: text, unless so many stood in its place that it can be none. */
export const CODE = 5;

/** Endings of host names; a name of three parts that ends so is an address. */
const HOST_ENDING =
  /\.(?:[a-z]{2}|com|net|org|edu|gov|mil|info|biz|local|localdomain|internal|lan|cluster|test|example|invalid)$/;
/** A last part in capitals is a constant and tells one message from another. */
const CONSTANT_ENDING = /\.[A-Z][A-Z\d_]*$/;

const TELLING = /^(?:true|false|True|False|[A-Z][A-Z_]+)$/;

const UNITS = new Set('ms s sec secs us ns min kb mb gb tb kib mib gib'.split(' '));
/** Words after which a number is an error code. */
const CODE_WORDS = wordHashes(
  'err error errno errcode errorcode errorCode code sqlstate SQLState SQLSTATE exit signal',
);
const STATUS_WORDS = wordHashes('status status_code statusCode http');
/** Words whose next word is a name. */
const NAMING_WORDS = wordHashes('user username');
const DATE_WORDS = wordHashes(
  'mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec',
);
const METHODS = wordHashes('GET POST PUT DELETE HEAD PATCH OPTIONS');
/** A 404 is an everyday answer and stays with the other answers of its kind. */
const HTTP_FAILURE = /^(?:5\d\d|4(?!04)\d\d)$/;
const HTTP_VERSION_AT_END = /(?:^|\s)HTTP\/\d(?:\.\d)?$/;
const NUMBER_ALONE = /\s\d+(?=\s|$)/;
const CODE_NUMBER = /^-?(?:0x[\da-f]{1,8}|\d{1,8})$/i;
const CODE_NAME = /^[A-Z]{2,6}-?\d{4,6}$/;
const FAILURE = /[A-Za-z](?:Exception|Error|Throwable|Failure|Fault)$/;
/** Letters of the longest ending and one before it. */
const FAILURE_CHARS = 10;

/** True for `ms`, `KB` and the like. */
export function isUnitWord(word: string): boolean {
  return UNITS.has(word.toLowerCase());
}

/** True for a name such as `SocketTimeoutException`. */
export function isFailureName(word: string): boolean {
  return word.length > 5 && FAILURE.test(word.slice(-FAILURE_CHARS));
}

/** True for a name of an error such as `ORA-00060`. */
export function isCodeName(text: string): boolean {
  return CODE_NAME.test(text);
}

/** True for `db.pay.internal`; the text has dots and no digits. */
export function isHostName(text: string): boolean {
  return HOST_ENDING.test(text) && text === text.toLowerCase();
}

/** True for a value that is a case rather than a datum: a truth value, a constant in capitals. */
export function isTelling(value: string): boolean {
  return TELLING.test(value);
}

/** True for `action.SCREEN_ON`. */
export function endsAsConstant(text: string): boolean {
  return CONSTANT_ENDING.test(text);
}

/** True for a word such as `user`, behind which a name stands. */
export function isNaming(wordHash: number): boolean {
  return NAMING_WORDS.has(wordHash);
}

/** True for the name of a day or month. */
export function isDateWord(wordHash: number): boolean {
  return DATE_WORDS.has(wordHash);
}

/** True for a number behind the word with this hash that tells which failure it is. */
export function isCodeAfter(wordHash: number, text: string): boolean {
  if (CODE_WORDS.has(wordHash)) return CODE_NUMBER.test(text);
  return STATUS_WORDS.has(wordHash) && HTTP_FAILURE.test(text);
}

/** True for a failing HTTP status: `before` ends with the version, or with the path of a request. */
export function isFailingAnswer(text: string, before: string, wordHash: number): boolean {
  if (!HTTP_FAILURE.test(text)) return false;
  if (HTTP_VERSION_AT_END.test(before)) return true;
  return METHODS.has(wordHash) && !NUMBER_ALONE.test(before);
}

/** Hashes of the words as written, capitalized and in capitals. */
function wordHashes(words: string): ReadonlySet<number> {
  const spellings = words
    .split(' ')
    .flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]);
  return new Set(spellings.map((spelling) => hashOf(spelling, 0, spelling.length)));
}
