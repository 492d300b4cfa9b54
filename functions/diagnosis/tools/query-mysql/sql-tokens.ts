import { refuseSql } from './sql-refusal.ts';

/**
 * One lexical element of a statement, after MySQL's lexical rules. `text` is the decoded name of a
 * word or quoted identifier and the source text of everything else; `upper` has its ASCII letters
 * raised, so that no other script can spell a keyword.
 */
export interface SqlToken {
  readonly kind: SqlTokenKind;
  readonly text: string;
  readonly upper: string;
  /** Offsets into the statement in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** `double-quoted` is a string or an identifier, depending on the server's `sql_mode`. */
type SqlTokenKind =
  | 'word'
  | 'quoted'
  | 'string'
  | 'double-quoted'
  | 'number'
  | 'parameter'
  | 'system-variable'
  | 'symbol'
  | 'hint'
  | 'end';

/**
 * Takes a statement apart as the server would, comments left out. Text that servers, SQL modes or
 * character sets read differently is refused rather than guessed at.
 *
 * @throws SqlRefusal for whatever has no certain reading.
 */
export function tokenizeSql(sql: string): readonly SqlToken[] {
  refuseStrangeCharacters(sql);
  const tokens: SqlToken[] = [];
  for (let position = skipBlanks(sql, 0); position < sql.length; ) {
    const token = readToken(sql, position, tokens.at(-1));
    if (token.kind !== 'end') tokens.push(token);
    position = skipBlanks(sql, token.end);
  }
  return [...tokens, tokenOf('end', '', sql.length, sql.length)];
}

function refuseStrangeCharacters(sql: string): void {
  if (!sql.isWellFormed()) refuseSql('CHARACTER');
  for (const character of sql) {
    const code = character.charCodeAt(0);
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    if (isControl && !'\t\n\r'.includes(character)) refuseSql('CHARACTER');
  }
  if (/\r(?!\n)/.test(sql)) refuseSql('CHARACTER'); // a line end to some readers only
}

function skipBlanks(sql: string, from: number): number {
  let position = from;
  while (position < sql.length && ' \t\n\r'.includes(sql.charAt(position))) position += 1;
  return position;
}

function readToken(sql: string, at: number, previous: SqlToken | undefined): SqlToken {
  const rest = sql.slice(at, at + 3);
  if (rest.startsWith('#') || rest.startsWith('--')) return lineComment(sql, at);
  if (rest.startsWith('/*')) return blockComment(sql, at, previous);
  if (/^[0-9]|^\.[0-9]/.test(rest)) return numberToken(sql, at);
  if (rest.startsWith("'")) return quotedToken(sql, at, 'string');
  if (rest.startsWith('"')) return quotedToken(sql, at, 'double-quoted');
  if (rest.startsWith('`')) return quotedToken(sql, at, 'quoted');
  if (rest.startsWith('@')) return systemVariable(sql, at);
  if (rest.startsWith(':')) return parameterToken(sql, at);
  if (/^[A-Za-z_\u0080-\uffff]/.test(rest)) return wordToken(sql, at);
  return symbolToken(sql, at);
}

function lineComment(sql: string, at: number): SqlToken {
  // `--` opens a comment for MySQL only before white space or the end; others read `--1` as one too.
  if (sql.startsWith('--', at) && !/^--(?:\s|$)/.test(sql.slice(at, at + 3))) refuseSql('COMMENT');
  const lineEnd = sql.indexOf('\n', at);
  return tokenOf('end', '', at, lineEnd === -1 ? sql.length : lineEnd + 1);
}

function blockComment(sql: string, at: number, previous: SqlToken | undefined): SqlToken {
  const close = sql.indexOf('*/', at + 2);
  if (close === -1) refuseSql('COMMENT');
  const body = sql.slice(at + 2, close);
  if (body.startsWith('+') && previous?.upper === 'SELECT' && previous.kind === 'word') {
    return tokenOf('hint', body.slice(1), at, close + 2);
  }
  // Executable comments, and bodies that a nesting reader would end elsewhere.
  if (/^(?:M?!|\+)/i.test(body) || body.includes('/*') || body.startsWith('/')) {
    refuseSql('COMMENT');
  }
  return tokenOf('end', '', at, close + 2);
}

const NUMBER =
  /0x[0-9a-fA-F]+|0b[01]+|[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y;

function numberToken(sql: string, at: number): SqlToken {
  const text = match(NUMBER, sql, at);
  const end = at + text.length;
  if (/^[A-Za-z0-9_$.\u0080-\uffff]/.test(sql.slice(end, end + 1))) refuseSql('SYNTAX');
  return tokenOf('number', text, at, end);
}

function quotedToken(
  sql: string,
  at: number,
  kind: 'string' | 'double-quoted' | 'quoted',
): SqlToken {
  const quote = sql.charAt(at);
  const end = closingQuote(sql, at + 1, quote, kind === 'string');
  const source = sql.slice(at, end);
  if (kind === 'string') return tokenOf(kind, source, at, end);
  // A backslash escapes in a double-quoted string and not in a double-quoted identifier.
  if (kind === 'double-quoted' && source.includes('\\')) refuseSql('SYNTAX');
  const name = source.slice(1, -1).replaceAll(quote + quote, quote);
  if (kind === 'quoted' && name.trim() !== name) refuseSql('SYNTAX');
  return tokenOf(kind, name, at, end);
}

function closingQuote(sql: string, from: number, quote: string, escapes: boolean): number {
  for (let position = from; position < sql.length; position += 1) {
    const character = sql.charAt(position);
    if (character === '\\' && escapes) position += 1;
    else if (character === quote && sql.charAt(position + 1) === quote) position += 1;
    else if (character === quote) return position + 1;
  }
  return refuseSql('SYNTAX');
}

const SYSTEM_VARIABLE =
  /@@(?:(?:global|session|local)\.)?([A-Za-z_][A-Za-z0-9_]*)(?![.A-Za-z0-9_$`\u0080-\uffff])/iy;

function systemVariable(sql: string, at: number): SqlToken {
  SYSTEM_VARIABLE.lastIndex = at;
  const found = SYSTEM_VARIABLE.exec(sql);
  if (found?.[1] === undefined) return refuseSql('VARIABLE');
  return tokenOf('system-variable', found[1], at, at + found[0].length);
}

const PARAMETER = /:[a-z_][a-z0-9_]{0,63}(?![A-Za-z0-9_$\u0080-\uffff])/y;

function parameterToken(sql: string, at: number): SqlToken {
  if (sql.startsWith(':=', at)) refuseSql('VARIABLE');
  const text = match(PARAMETER, sql, at);
  return tokenOf('parameter', text.slice(1), at, at + text.length);
}

const WORD = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;
const BIT_OR_HEX_STRING = /[xX]'(?:[0-9a-fA-F]{2})*'|[bB]'[01]*'/y;

function wordToken(sql: string, at: number): SqlToken {
  BIT_OR_HEX_STRING.lastIndex = at;
  const literal = BIT_OR_HEX_STRING.exec(sql)?.[0];
  if (literal !== undefined) return tokenOf('number', literal, at, at + literal.length);
  const text = match(WORD, sql, at);
  const end = at + text.length;
  refuseUnsafeWord(text, sql.charAt(end));
  return tokenOf('word', text, at, end);
}

function refuseUnsafeWord(text: string, following: string): void {
  // No-break spaces and full-width letters are identifier characters to MySQL and blanks or
  // keywords to a human reader.
  if (!/^[\p{L}\p{M}\p{N}_$]+$/u.test(text) || text.normalize('NFKC') !== text) {
    refuseSql('CHARACTER');
  }
  if (text.includes('$$')) refuseSql('SYNTAX'); // dollar quoting of newer servers
  // N'…', x'…' with odd digits and q'[…]' mean different things to different servers.
  if (/^[a-z]$/i.test(text) && /^['"]/.test(following)) refuseSql('SYNTAX');
}

const SYMBOLS = ['<=>', '->>', '->', '<=', '>=', '<>', '!=', '<<', '>>', '||', '&&'];
const SINGLE_SYMBOLS = '(),.;+-*/%=<>!~&|^?';

function symbolToken(sql: string, at: number): SqlToken {
  const long = SYMBOLS.find((symbol) => sql.startsWith(symbol, at));
  if (long !== undefined) return tokenOf('symbol', long, at, at + long.length);
  const single = sql.charAt(at);
  if (!SINGLE_SYMBOLS.includes(single)) refuseSql('CHARACTER'); // \N, {ODBC}, [x], $$, …
  return tokenOf('symbol', single, at, at + 1);
}

function match(pattern: RegExp, sql: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0] ?? refuseSql('SYNTAX');
}

function tokenOf(kind: SqlTokenKind, text: string, start: number, end: number): SqlToken {
  return { kind, text, upper: upperAscii(text), start, end };
}

function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
