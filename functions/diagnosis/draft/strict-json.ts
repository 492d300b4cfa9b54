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
const TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|[{}[\]:]/g;

/** Code of the first flaw in a text whose grammar is right. */
function forgivenFlaw(text: string, maxDepth: number): ParseCode | null {
  const scan = new FlawScan(maxDepth);
  for (const [token] of text.matchAll(TOKEN)) {
    const code = scan.flawOf(token);
    if (code !== null) return code;
  }
  return null;
}

class FlawScan {
  readonly #maxDepth: number;
  /** The keys seen so far in each object or array around the token. */
  readonly #open: Set<string>[] = [];
  #lastString = '';

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  flawOf(token: string): ParseCode | null {
    switch (token) {
      case '{':
      case '[':
        return this.#open.push(new Set()) > this.#maxDepth ? 'TOO_DEEP' : null;
      case '}':
      case ']':
        this.#open.pop();
        return null;
      case ':':
        return this.#keyFlaw(this.#lastString); // A string is a key if a colon follows it.
      default:
        this.#lastString = JSON.parse(token) as string; // a string literal of a text that has parsed
        return this.#lastString.isWellFormed() ? null : 'LONE_SURROGATE';
    }
  }

  #keyFlaw(key: string): ParseCode | null {
    const keys = this.#open.at(-1);
    if (key === '__proto__') return 'FORBIDDEN_KEY';
    if (keys?.has(key)) return 'DUPLICATE_KEY';
    keys?.add(key);
    return null;
  }
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
