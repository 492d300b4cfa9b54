/** A token of a Logs Insights query; the text of a string or expression is what stands between its marks. */
export interface InsightsToken {
  readonly kind: 'word' | 'string' | 'regex' | 'number' | 'mark' | 'pipe' | 'comment';
  readonly text: string;
}

const RULES: readonly (readonly [InsightsToken['kind'], RegExp])[] = [
  ['comment', /#[^\n]*/y],
  ['string', /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy],
  ['word', /[A-Za-z_@][\w.@]*|`[^`]*`/y],
  ['number', /\d+[a-z]*/y],
  ['pipe', /\|/y],
  ['mark', />=|<=|!=|=~|[()[\],=*+<>-]/y],
];
/** Only where the language takes one: behind `like`, and behind the field of `parse`. */
const REGEX = /\/((?:[^/\\\n]|\\.)*)\//y;

/** @throws Error where the text is no query of the part of the language that is known here */
export function insightsTokens(query: string): InsightsToken[] {
  const tokens: InsightsToken[] = [];
  let at = 0;
  while (at < query.length) {
    const blank = matchAt(/\s+/y, query, at);
    const token = blank === null ? tokenAt(query, at, tokens) : null;
    if (token !== null) tokens.push(token.token);
    at += blank?.length ?? token?.length ?? 0;
  }
  return tokens;
}

function tokenAt(query: string, at: number, before: readonly InsightsToken[]) {
  const regex = takesRegex(before) ? matchAt(REGEX, query, at) : null;
  if (regex !== null) {
    return { token: { kind: 'regex', text: regex.slice(1, -1) } as const, length: regex.length };
  }
  for (const [kind, rule] of RULES) {
    const text = matchAt(rule, query, at);
    if (text !== null) return { token: { kind, text: inner(kind, text) }, length: text.length };
  }
  throw new Error(`no token at ${query.slice(at, at + 20)}`);
}

function takesRegex(before: readonly InsightsToken[]): boolean {
  return before.at(-1)?.text === 'like' || before.at(-2)?.text === 'parse';
}

function inner(kind: InsightsToken['kind'], text: string): string {
  return kind === 'string' ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text;
}

function matchAt(rule: RegExp, text: string, at: number): string | null {
  rule.lastIndex = at;
  return rule.exec(text)?.[0] ?? null;
}
