/** The value that stands behind a key, and how it was written. */
export interface Assignment {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  /** `=` binds, `:` may be prose, a blank nearly always is. */
  readonly binding: 'firm' | 'colon' | 'blank';
  /** The sign between key and value, which decides how a bare value ends. */
  readonly sign: string;
}

/**
 * Reads what is assigned to the key that ends at `keyEnd`, in any notation; undefined where nothing is.
 * Of a long bare value it reads the head that decides; `wholeEnd` reads on.
 */
export function readAssignment(
  text: string,
  keyStart: number,
  keyEnd: number,
): Assignment | undefined {
  const closer = matchAt(CLOSER, text, keyEnd);
  const separator = separatorAt(text, keyEnd + closer.length, closer);
  if (separator === undefined) return undefined;
  const opener = matchAt(OPENER, text, separator.end);
  const start = separator.end + opener.length;
  const quote = /(\\*)(["'`])$|(&quot;|&#39;|&#34;|%22)$/.exec(opener);
  const end =
    quote === null
      ? bracedEnd(text, start, opener)
      : quotedEnd(text, start, quote[1] ?? '', quote[2] ?? quote[3] ?? '"');
  const how = { sign: separator.sign, binding: bindingOf(separator.sign, text[keyStart - 1]) };
  if (end !== undefined) return { start, end, quoted: true, ...how };
  return { start, end: bareEnd(text, start, separator.sign, HEAD), quoted: false, ...how };
}

/** Where the value of an assignment ends, however long it is. */
export function wholeEnd(text: string, { start, end, quoted, sign }: Assignment): number {
  return quoted || end - start < HEAD ? end : bareEnd(text, start, sign, MAX_VALUE);
}

// Behind a key: the end of its quotation, a bracket, a subscript such as ["db"], type hints.
const CLOSER =
  /\\{0,15}["'`]\]?|&quot;|&#3[49];|%22|\\{0,15}\]|\[\\{0,15}["']?\w{1,32}\\{0,15}["']?\]|\(\w{1,12}\)/y;
const SEPARATOR =
  /[ \t]{0,32}(===?|=>|:=|==|=|::?(?!\/\/)|：|＝|%3D|%253D|%3A|%253A|\\u003[adAD]|&#61;|&gt;|->|→|(?:为|是)[:：]?)(?:[ \t]|%20){0,8}/iy;
const SPREAD_SEPARATOR = /\s{0,16}(=>|=|:)\s{0,16}/y;
const ATTRIBUTE =
  /[ \t]{1,8}(?:value|val|content)[ \t]{0,4}(=)[ \t]{0,4}|(?:[ \t]{1,4}[\w:-]{1,32}="[^"<>\n]{0,64}"){0,4}(>)(?:\s{0,16}<(?:value|val|string)>|\s{0,16}(?=[^\s<>]{4,256}\s{0,16}<\/)|[ \t]{0,8})|<\/[\w:-]{1,32}>\s{0,16}<[\w:-]{1,32}(>)/iy;
const NAME_VALUE = /,\s{0,8}\\{0,15}["']value\\{0,15}["']\s{0,4}(:)\s{0,4}/iy;
const TUPLE = /(,)[ \t]{0,4}(?=\\{0,15}["'])/y;
const SENTENCE =
  /(?:[ \t](?:for|of)(?:[ \t][\w.@'-]{1,32}){1,3}?)?[ \t]{1,4}(?:is|was)(?:[ \t]{1,4}|:[ \t]{0,4})()/iy;
const BELOW = /:[ \t]{0,4}\r?\n[ \t]{1,32}(?:- )?(?=\S{6,256}[ \t]{0,4}(?:\r?\n|$))()/y;
const CALL = /\([ \t]{0,4}(?=\\{0,15}["'])()/y;
const NEXT_LINE_VALUE = /\s{0,4}\r?\n[ \t]{1,16}Value(:)[ \t]{0,4}/iy;
const YAML_BLOCK = /:[ \t]{0,4}[>|][+-]?[ \t]{0,4}\r?\n[ \t]{1,32}()/y;
const BLANK = /( )[ ]{0,8}|(\t)/y;
const OPENER =
  /(?:![\w.:]{1,16}[ ])?(?:(?:[A-Za-z]{1,16}\([0-9]{0,6}\)?[ \t]?)?\[{0,2}[bBuUrR@]?(?:"{3}|'{3}|\\{0,15}["'`]|&quot;|&#3[49];|%22))|[[{(]{1,2}(?=[\w+/])|![\w.:]{1,16}[ ]|/y;

const BEHIND_QUOTED = [
  YAML_BLOCK,
  SPREAD_SEPARATOR,
  SEPARATOR,
  ATTRIBUTE,
  NAME_VALUE,
  TUPLE,
  BLANK,
];
const BEHIND_BARE = [
  YAML_BLOCK,
  NEXT_LINE_VALUE,
  BELOW,
  SENTENCE,
  SEPARATOR,
  ATTRIBUTE,
  CALL,
  BLANK,
];
const READ_WITH_CARE: readonly RegExp[] = [SENTENCE, BELOW, TUPLE, CALL];

function separatorAt(
  text: string,
  at: number,
  closer: string,
): { sign: string; end: number } | undefined {
  const candidates = /["'`;2\]]$/.test(closer) ? BEHIND_QUOTED : BEHIND_BARE;
  for (const candidate of candidates) {
    candidate.lastIndex = at;
    const match = candidate.exec(text);
    if (match !== null) {
      const sign = match.slice(1).find((group) => group !== undefined) ?? ' ';
      return { sign: signOf(candidate, sign), end: candidate.lastIndex };
    }
  }
  return undefined;
}

// Where the notation is no sign: a YAML block binds, a sentence and the line below are read with care.
function signOf(candidate: RegExp, sign: string): string {
  if (candidate === YAML_BLOCK) return '=';
  return READ_WITH_CARE.includes(candidate) ? ' ' : sign;
}

function bindingOf(sign: string, before: string | undefined): Assignment['binding'] {
  if (/^\s/.test(sign)) return before === '-' ? 'firm' : 'blank';
  return /^(?:[:：]|%3A|%253A|\\u003a)/i.test(sign) ? 'colon' : 'firm';
}

// Connection strings quote with braces: `Password={a;b}`.
function bracedEnd(text: string, start: number, opener: string): number | undefined {
  if (opener !== '{') return undefined;
  const inside = /^[^\s{}=]{1,256}\}/.exec(text.slice(start, start + 258));
  return inside === null ? undefined : start + inside[0].length - 1;
}

// The closing quote is as deep as the opening one; deeper quotes are part of the value.
function quotedEnd(
  text: string,
  start: number,
  backslashes: string,
  quote: string,
): number | undefined {
  const limit = Math.min(text.length, start + MAX_VALUE);
  let at = text.indexOf(quote, start);
  while (at !== -1 && at <= limit) {
    const isDoubled = quote === "'" && text[at + 1] === quote && at > start;
    const depth = backslashesBefore(text, start, at);
    if (!isDoubled && closes(depth, backslashes.length)) return at - depth;
    at = text.indexOf(quote, at + (isDoubled ? 2 : 1));
  }
  return undefined;
}

function backslashesBefore(text: string, start: number, at: number): number {
  let count = 0;
  while (at - count > start && text[at - count - 1] === '\\') count += 1;
  return count;
}

function closes(depth: number, opening: number): boolean {
  return depth <= opening || (opening === 0 && depth % 2 === 0);
}

/** So much of a bare value tells whether it is a secret, in characters. */
const HEAD = 512;
/** Longest value that is taken as one, in characters: a PEM key in one line has about 3,300. */
const MAX_VALUE = 8_192;

const ALWAYS_ENDS = /[\s"'`<\u3000-\u303f\uff00-\uffef\u2018-\u201d\u4e00-\u9fff]/;
const MAY_END = /[\s"'`<\u3000-\u303f\uff00-\uffef\u2018-\u201d\u4e00-\u9fff\\%,&;|)\]}>]/g;

function bareEnd(text: string, start: number, sign: string, longest: number): number {
  const limit = Math.min(text.length, start + longest);
  const window = text.slice(start, limit);
  for (const { index } of window.matchAll(MAY_END)) {
    if (endsAt(text, start + index, sign)) return start + index;
  }
  return limit;
}

function endsAt(text: string, at: number, sign: string): boolean {
  const character = text[at] ?? '';
  if (ALWAYS_ENDS.test(character)) return true;
  if (character === '\\') return matchAt(/\\{1,15}(?:["'nrt]|u00|$)/y, text, at) !== '';
  if (character === '%') return endsEncoded(text, at, sign);
  if (character === ',') return matchAt(/,(?:[\s"'[{(]|$|[\w.-]{1,64}["']?[=:])/y, text, at) !== '';
  if (character === '&')
    return matchAt(/&(?:amp;|quot;|lt;|gt;|$|[\w.%[\]-]{1,64}=)/y, text, at) !== '';
  if (character === ';' || character === '|')
    return matchAt(/[;|](?:[\s"'\w|]|$)/y, text, at) !== '';
  return (
    ')]}>'.includes(character) && matchAt(/[)\]}>]{1,8}(?:[\s,;:.|"'\\@)\]}]|$)/y, text, at) !== ''
  );
}

function endsEncoded(text: string, at: number, sign: string): boolean {
  if (/^%3[ad]$/i.test(sign)) return matchAt(/%(?:26|22|7D|0A|20)/iy, text, at) !== '';
  if (/^%253[ad]$/i.test(sign)) return matchAt(/%25(?:26|22|7D|0A|20)/iy, text, at) !== '';
  return false;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
