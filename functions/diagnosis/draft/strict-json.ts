import type { ParseCode } from '../../../shared/contracts/failure.ts';

/** The value of a strict JSON text, or why it is none. */
export type StrictJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly code: ParseCode };

/**
 * Parses JSON and refuses what `JSON.parse` forgives: a key given twice (escapes resolved),
 * `__proto__` as a key, a lone surrogate in a string, nesting deeper than `maxDepth`. `JSON.parse`
 * alone decides on the grammar; it keeps no call stack per level, so a deep text is safe to hand it.
 * Linear in the length of the text.
 */
export function parseStrictJson(text: string, maxDepth: number): StrictJson {
  const parsed = parsedOrNull(text);
  if (parsed === null) return { kind: 'refused', code: syntaxCode(text) };

  const code = forgivenFlaw(text, maxDepth);
  return code === null ? { kind: 'value', value: parsed.value } : { kind: 'refused', code };
}

function parsedOrNull(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null; // JSON.parse has no other way to say that a text is not JSON.
  }
}

/**
 * A whole string or one structural character. The closing quote is optional: a string that never
 * ends is taken in one go and not tried again from each quote inside it.
 */
const TOKEN = /"(?:[^"\\]|\\[^])*"?|[{}[\]:]/g;

/** Code of the first flaw in a text whose grammar is right. */
function forgivenFlaw(text: string, maxDepth: number): ParseCode | null {
  const open: Set<string>[] = []; // the keys seen so far in each object or array around the token
  let string = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      if (open.push(new Set()) > maxDepth) return 'TOO_DEEP';
    } else if (token === '}' || token === ']') {
      open.pop();
    } else {
      const code = token === ':' ? keyFlaw(string, open) : stringFlaw((string = decoded(token)));
      if (code !== null) return code;
    }
  }
  return null;
}

/** A string is a key if and only if a colon follows it. */
function keyFlaw(key: string, open: readonly Set<string>[]): ParseCode | null {
  const keys = open.at(-1);
  if (key === '__proto__') return 'FORBIDDEN_KEY';
  if (keys?.has(key)) return 'DUPLICATE_KEY';
  keys?.add(key);
  return null;
}

function stringFlaw(text: string): ParseCode | null {
  return text.isWellFormed() ? null : 'LONE_SURROGATE';
}

function decoded(token: string): string {
  return JSON.parse(token) as string; // The token is a string literal of a text that has parsed.
}

/** What is wrong with a text that is not JSON, as near as its outline tells. */
function syntaxCode(text: string): ParseCode {
  const start = text.search(/[^ \t\r\n]/);
  if (/^(?:```|~~~)/.test(text.slice(start, start + 3))) return 'FENCED';
  if (text[start] !== '{') return text.includes('{') ? 'PREFIXED' : 'MALFORMED';

  const end = endOfFirstObject(text);
  return end !== null && parsedOrNull(text.slice(0, end)) !== null ? 'TRAILING' : 'MALFORMED';
}

function endOfFirstObject(text: string): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return null;
}
