/** Stands behind a name of JSON, where `=` stands behind one of plain text. */
const JSON_NAME = '\u241d';

/**
 * Stand for the two characters that could end a string literal or escape in it. The event's text gets
 * the same replacement, so they compare as what they stand for. Printed control pictures: assigned,
 * visible, and in no log.
 */
const QUOTE = '\u241f';
const BACKSLASH = '\u241c';

/** Control characters, and the separators that some readers take for the end of a line. */
const UNSPEAKABLE = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** What may stand beside `name=value`, and counts as a blank there. */
const SEPARATORS = [...":,;{}[]()|&?<>!#$%*+/^~'`，；。、：（）【】「」《》", BACKSLASH];

/**
 * Takes out what differs between spellings of a pair: the quotes around JSON names, the marks around
 * pairs, the backslashes before the quotes of JSON inside a string of JSON.
 */
const PAIR_REPLACEMENTS: readonly (readonly [string, string])[] = [
  [`${BACKSLASH}${QUOTE}`, QUOTE],
  [`${QUOTE}: `, `${QUOTE}:`],
  [`${QUOTE}:`, JSON_NAME],
  ...SEPARATORS.map((mark): [string, string] => [mark, ' ']),
  [` ${QUOTE}`, ' '],
];

/** The event's text in small letters, as an expression. */
export const PLAIN_TEXT = 'tolower(@message)';

/** The same with the two characters replaced: for filters that hold one of them. */
export const SPOKEN_TEXT = `replace(replace(${PLAIN_TEXT}, '"', "${QUOTE}"), '\\\\', "${BACKSLASH}")`;

/** The event's pairs in their one form between blanks, as an expression over the spoken text. */
export function pairsOf(textField: string): string {
  return PAIR_REPLACEMENTS.reduce(
    (inner, [from, to]) => `replace(${inner}, "${from}", "${to}")`,
    `concat(" ", ${textField}, " ")`,
  );
}

/**
 * Text as a double-quoted literal. What is in it can't end it: no double quote, no backslash and no
 * control character is left, whatever the text was.
 *
 * @throws RangeError for a control character, which no filter can hold
 */
export function literal(text: string): string {
  const inner = spoken(text);
  if (UNSPEAKABLE.test(inner)) throw new RangeError('a control character in a literal');
  return `"${inner}"`;
}

/** Texts to find among the pairs where a JSON field with this name in it has this value. */
export function jsonForms(name: string, value: string): readonly string[] {
  const said = saidValue(value);
  return [`${name}${JSON_NAME}${QUOTE}${said}${QUOTE}`, `${name}${JSON_NAME}${said} `];
}

/** Texts to find among the pairs where plain text says `name=value`. */
export function plainForms(name: string, value: string): readonly string[] {
  const bare = ` ${name}=${saidValue(value)}`;
  const ends = [' ', QUOTE, '.', '='].map((end) => `${bare}${end}`);
  return [...ends, ` ${name}=${QUOTE}${saidValue(value)}${QUOTE}`];
}

/** Text to find among the pairs where a JSON field has this name. */
export function jsonName(name: string): string {
  return ` ${name}${JSON_NAME}`;
}

/** True for text that needs no replacement. */
export function isPlain(text: string): boolean {
  return !/["\\]/.test(text);
}

function saidValue(value: string): string {
  return PAIR_REPLACEMENTS.reduce((inner, [from, to]) => inner.replaceAll(from, to), spoken(value));
}

function spoken(text: string): string {
  return text.toWellFormed().toLowerCase().replaceAll('"', QUOTE).replaceAll('\\', BACKSLASH);
}
