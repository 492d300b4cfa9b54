import { isSnapshotUnit } from './snapshot-functions.ts';
import { type SqlToken, tokenizeSql } from './sql-tokens.ts';

/**
 * A guarded MySQL statement in the words of SQLite, or undefined where SQLite has no counterpart:
 * SHOW, EXPLAIN, DESCRIBE, system variables, hexadecimal and bit literals, INTERVAL arithmetic other than
 * as the argument of a function.
 */
export function toSqliteStatement(statement: string): string | undefined {
  const tokens = tokenizeSql(statement);
  const translated: string[] = [];
  let position = 0;
  for (let index = 0; tokens[index]?.kind !== 'end'; ) {
    const piece = translate(tokens, index);
    if (piece === undefined) return undefined;
    const isApart = (tokens[index]?.start ?? 0) > position;
    translated.push(isApart ? ` ${piece.text}` : piece.text);
    index += piece.taken;
    position = tokens[index - 1]?.end ?? position;
  }
  return translated.join('');
}

/** Every `schema.table` that a guarded statement spells, in upper case; columns with their table too. */
export function qualifiedNames(statement: string): ReadonlySet<string> {
  const tokens = tokenizeSql(statement);
  const names = tokens.map(({ upper }, index) => `${tokens[index - 2]?.upper ?? ''}.${upper}`);
  return new Set(names.filter((_, index) => tokens[index - 1]?.text === '.'));
}

interface Piece {
  readonly text: string;
  /** Tokens it stands for. */
  readonly taken: number;
}

const UNTRANSLATABLE = ['SHOW', 'EXPLAIN', 'DESCRIBE', 'DESC'];

function translate(tokens: readonly SqlToken[], index: number): Piece | undefined {
  const token = tokens[index];
  if (token === undefined || token.kind === 'system-variable') return undefined;
  if (index === 0 && UNTRANSLATABLE.includes(token.upper)) return undefined;
  if (token.kind === 'word') return translateWord(tokens, index, token);
  const text = literal(token);
  return text === undefined ? undefined : { text, taken: 1 };
}

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['&&', ' AND '],
  ['||', ' OR '],
  ['<=>', ' IS '],
  ['!', ' NOT '],
  // MySQL's division keeps fractions; SQLite cuts them off between integers.
  ['/', '* 1.0 /'],
]);

function literal({ kind, text }: SqlToken): string | undefined {
  switch (kind) {
    case 'symbol':
      return SYMBOLS.get(text) ?? text;
    case 'string':
      return quoteText(unescaped(text.slice(1, -1)));
    case 'double-quoted':
      return quoteText(text);
    case 'quoted':
      return quoteName(text);
    case 'parameter':
      return `:${text}`;
    case 'number':
      return /^[0-9.]+(?:[eE][+-]?[0-9]+)?$/.test(text) ? text : undefined;
    case 'hint':
      return ' ';
    default:
      return undefined;
  }
}

/** MySQL's escapes in strings; `\%` and `\_` keep their backslash there and are rare enough here. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['0', '\0'],
  ['Z', '\x1a'],
]);

function unescaped(body: string): string {
  return body.replace(/''|\\(.)/gs, (_match, escaped: string | undefined) =>
    escaped === undefined ? "'" : (ESCAPES.get(escaped) ?? escaped),
  );
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name in backticks, which SQLite takes for nothing but a name. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

const CLOCK_WORDS: ReadonlyMap<string, string> = new Map([
  ['CURRENT_TIMESTAMP', 'NOW'],
  ['LOCALTIME', 'NOW'],
  ['LOCALTIMESTAMP', 'NOW'],
  ['UTC_TIMESTAMP', 'NOW'],
  ['CURRENT_DATE', 'CURDATE'],
  ['UTC_DATE', 'CURDATE'],
  ['CURRENT_TIME', 'CURTIME'],
  ['UTC_TIME', 'CURTIME'],
]);

const CAST_TYPES: ReadonlyMap<string, string> = new Map([
  ['SIGNED', 'INTEGER'],
  ['UNSIGNED', 'INTEGER'],
  ['CHAR', 'TEXT'],
  ['DATE', 'TEXT'],
  ['DATETIME', 'TEXT'],
  ['DOUBLE', 'REAL'],
]);

function translateWord(
  tokens: readonly SqlToken[],
  index: number,
  { text, upper }: SqlToken,
): Piece | undefined {
  if (upper === 'INTERVAL') return translateInterval(tokens, index);
  const before = tokens[index - 1]?.upper;
  const after = tokens[index + 1]?.text;
  const isUnit = before === '(' && isUnitCall(tokens[index - 2]);
  if (isUnit) return isSnapshotUnit(upper) ? { text: quoteText(upper), taken: 1 } : undefined;
  // Behind a dot stands a name, even where SQLite has a keyword of that spelling.
  if (before === '.') return { text: quoteName(text), taken: 1 };
  const isCast = before === 'AS' && (after === '(' || after === ')');
  const castType = isCast ? CAST_TYPES.get(upper) : undefined;
  return { text: castType ?? translatedKeyword(upper, after) ?? text, taken: 1 };
}

function translatedKeyword(upper: string, after: string | undefined): string | undefined {
  const clock = CLOCK_WORDS.get(upper);
  if (clock !== undefined) return after === '(' ? clock : `${clock}()`;
  if (upper === 'ISNULL') return 'IS_NULL';
  return upper === 'DUAL' ? '(SELECT 1)' : undefined;
}

function isUnitCall(token: SqlToken | undefined): boolean {
  return token?.upper === 'TIMESTAMPDIFF' || token?.upper === 'TIMESTAMPADD';
}

/** `DATE_SUB(x, INTERVAL n unit)` becomes `DATE_SUB(x, n, 'unit')`. */
function translateInterval(tokens: readonly SqlToken[], index: number): Piece | undefined {
  const value = tokens[index + 1];
  const unit = tokens[index + 2];
  const isArgument = tokens[index - 1]?.text === ',' && tokens[index + 3]?.text === ')';
  if (!isArgument || value === undefined || !isSnapshotUnit(unit?.upper ?? '')) return undefined;
  const length = literal(value);
  return length === undefined
    ? undefined
    : { text: `${length}, ${quoteText(unit?.upper ?? '')}`, taken: 3 };
}
