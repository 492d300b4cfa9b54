/** What a character is to a token; NONE parts tokens. */
export const NONE = 0;
export const LETTER = 1;
export const DIGIT = 2;
export const SLASH = 3;
export const DOT = 4;
export const AT = 5;
export const JOINER = 6;
/** Number of classes. */
export const CLASS_COUNT = 7;

const ASCII = asciiClasses();

/** The class of a UTF-16 code unit. */
export function classOf(code: number): number {
  return code < 128 ? (ASCII[code] ?? NONE) : wideClass(code);
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** `[`, `(` and `<`. */
export function isOpeningBracket(code: number): boolean {
  return code === 91 || code === 40 || code === 60;
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

/** One step of the hash of a word. */
export function mixedIn(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, 0x5bd1e995);
  return mixed ^ (mixed >>> 15);
}

export const HASH_SEED = 17;

/** Hash of a stretch of text; equal stretches have equal hashes. */
export function hashOf(text: string, from: number, end: number): number {
  let hash = HASH_SEED;
  for (let at = from; at < end; at += 1) hash = mixedIn(hash, text.charCodeAt(at));
  return hash;
}

/** Full-width and CJK punctuation parts words as ASCII punctuation does. */
function wideClass(code: number): number {
  const isCjkPunctuation = code >= 0x3000 && code <= 0x303f;
  const isFullWidth = (code >= 0xff00 && code <= 0xff0f) || (code >= 0xff1a && code <= 0xff20);
  const isGeneral = code >= 0x2000 && code <= 0x206f;
  return isCjkPunctuation || isFullWidth || isGeneral ? NONE : LETTER;
}

function asciiClasses(): Uint8Array {
  const classes = new Uint8Array(128);
  for (let code = 48; code <= 57; code += 1) classes[code] = DIGIT;
  for (let code = 65; code <= 90; code += 1) classes[code] = classes[code + 32] = LETTER;
  const others: readonly (readonly [string, number])[] = [
    ['_', LETTER],
    ['/\\', SLASH],
    ['.', DOT],
    ['@', AT],
    ['-$~%+&?', JOINER],
  ];
  for (const [characters, kind] of others) {
    for (const character of characters) classes[character.charCodeAt(0)] = kind;
  }
  return classes;
}
