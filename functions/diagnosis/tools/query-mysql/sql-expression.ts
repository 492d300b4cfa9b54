import { isAllowedVariable, isPrivateColumn } from './sql-allow-list.ts';
import { readColumn } from './sql-column.ts';
import { readFunctionCall } from './sql-function.ts';
import { readInterval } from './sql-interval.ts';
import type { SqlReading } from './sql-reading.ts';
import { refuseSql } from './sql-refusal.ts';

/** Values of one IN list; longer ones belong into a join. */
const MAX_LIST_VALUES = 200;

/** Prefix operators in a row; each one is a level of nesting to the server. */
const MAX_PREFIXES = 8;

const UNARY_SYMBOLS = ['-', '+', '!', '~'];
const BINARY_SYMBOLS = [
  ...['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '&&', '||', '->', '->>'],
  ...['=', '<', '>', '<=', '>=', '<>', '!=', '<=>'],
];
const BINARY_WORDS = ['AND', 'OR', 'XOR', 'DIV', 'MOD'];

/**
 * Reads an expression. Which operators bind tighter does not matter for what it may touch, so it
 * is read as a flat chain of operands.
 */
export function readExpression(reading: SqlReading): void {
  readChain(reading, true);
}

/** Reads an expression whose outermost operators narrow it down only: no OR, no XOR. */
export function readConjunction(reading: SqlReading): void {
  readChain(reading, false);
}

/** Reads one or more expressions parted by commas; returns how many. */
function readExpressions(reading: SqlReading): number {
  let count = 0;
  do {
    readExpression(reading);
    count += 1;
  } while (reading.cursor.takeSymbol(','));
  return count;
}

function readChain(reading: SqlReading, mayWiden: boolean): void {
  reading.cursor.nested(() => {
    readOperand(reading);
    while (readContinuation(reading, mayWiden)) {
      // Each step consumes at least one token.
    }
  });
}

function readContinuation(reading: SqlReading, mayWiden: boolean): boolean {
  const { cursor } = reading;
  if (cursor.takeWords('COLLATE')) {
    cursor.expectName();
    return true;
  }
  if (cursor.takeWords('IS')) return readIsPredicate(reading);
  if (readNegatablePredicate(reading)) return true;
  const widens = cursor.isWord('OR', 'XOR') || cursor.isSymbol('||');
  if (widens && !mayWiden) refuseSql('VARIABLE');
  if (!cursor.isSymbol(...BINARY_SYMBOLS) && !cursor.isWord(...BINARY_WORDS)) return false;
  cursor.next();
  if (cursor.takeAnyWord('ANY', 'ALL', 'SOME')) readParenthesisedQuery(reading);
  else readOperand(reading);
  return true;
}

function readIsPredicate({ cursor }: SqlReading): true {
  cursor.takeWords('NOT');
  if (!cursor.takeAnyWord('NULL', 'TRUE', 'FALSE', 'UNKNOWN')) cursor.refuse();
  return true;
}

function readNegatablePredicate(reading: SqlReading): boolean {
  const { cursor } = reading;
  const isNegated = cursor.takeWords('NOT');
  if (cursor.takeWords('IN')) {
    readInList(reading);
    return true;
  }
  if (cursor.takeWords('LIKE')) {
    readOperand(reading);
    if (cursor.takeWords('ESCAPE')) cursor.expectKind('string');
    return true;
  }
  if (cursor.takeWords('BETWEEN')) {
    readBetween(reading);
    return true;
  }
  return isNegated ? cursor.refuse() : false;
}

function readInList(reading: SqlReading): void {
  const { cursor } = reading;
  cursor.expectSymbol('(');
  if (startsQuery(reading)) reading.readSubquery();
  else if (readExpressions(reading) > MAX_LIST_VALUES) refuseSql('UNBOUNDED');
  cursor.expectSymbol(')');
}

function readBetween(reading: SqlReading): void {
  const { cursor } = reading;
  readOperand(reading);
  while (!cursor.takeWords('AND')) {
    if (!cursor.isSymbol(...BINARY_SYMBOLS) && !cursor.isWord('DIV', 'MOD')) cursor.refuse();
    cursor.next();
    readOperand(reading);
  }
  readOperand(reading);
}

function readOperand(reading: SqlReading): void {
  const { cursor } = reading;
  readPrefixes(reading);
  const { kind } = cursor.peek();
  if (cursor.isSymbol('(')) readParenthesis(reading);
  else if (kind === 'word') readWordOperand(reading);
  else if (kind === 'quoted') readColumn(reading);
  else if (kind === 'double-quoted') readDoubleQuoted(reading);
  else if (kind === 'string') readStrings(reading);
  else readValue(reading);
}

function readPrefixes({ cursor }: SqlReading): void {
  let count = 0;
  while (cursor.isSymbol(...UNARY_SYMBOLS) || cursor.isWord('NOT', 'BINARY')) {
    cursor.next();
    count += 1;
    if (count > MAX_PREFIXES) refuseSql('NESTING');
  }
}

function readValue({ cursor }: SqlReading): void {
  const { kind, upper } = cursor.peek();
  if (kind === 'system-variable' && !isAllowedVariable(upper)) refuseSql('VARIABLE');
  const isValue = kind === 'number' || kind === 'parameter' || kind === 'system-variable';
  if (!isValue && !cursor.isSymbol('?')) cursor.refuse();
  cursor.next();
}

function readParenthesis(reading: SqlReading): void {
  reading.cursor.nested(() => {
    reading.cursor.expectSymbol('(');
    if (startsQuery(reading)) reading.readSubquery();
    else readExpressions(reading);
    reading.cursor.expectSymbol(')');
  });
}

function startsQuery({ cursor }: SqlReading): boolean {
  return cursor.isWord('SELECT', 'WITH');
}

function readParenthesisedQuery(reading: SqlReading): void {
  reading.cursor.expectSymbol('(');
  reading.readSubquery();
  reading.cursor.expectSymbol(')');
}

/** Adjacent strings are one literal. */
function readStrings({ cursor }: SqlReading): void {
  while (cursor.peek().kind === 'string') cursor.next();
}

/** A string to one SQL mode and a column to another: allowed where both are harmless. */
function readDoubleQuoted({ cursor }: SqlReading): void {
  const { upper } = cursor.next();
  if (isPrivateColumn(upper)) refuseSql('COLUMN');
  if (cursor.isSymbol('.', '(') || cursor.peek().kind === 'double-quoted') cursor.refuse();
}

const CONSTANTS = ['NULL', 'TRUE', 'FALSE', 'UNKNOWN'];
const BARE_FUNCTIONS = [
  ...['CURRENT_TIMESTAMP', 'CURRENT_DATE', 'CURRENT_TIME', 'LOCALTIME', 'LOCALTIMESTAMP'],
  ...['UTC_TIMESTAMP', 'UTC_DATE', 'UTC_TIME'],
];
const INTRODUCERS = ['_UTF8MB4', '_UTF8MB3', '_UTF8', '_LATIN1', '_ASCII', '_BINARY'];

type ReadOperand = (reading: SqlReading) => void;

/** Operands that a keyword opens. */
const KEYWORD_OPERANDS: ReadonlyMap<string, ReadOperand> = new Map([
  ['CASE', readCase],
  ['EXISTS', readParenthesisedQuery],
  ['INTERVAL', readInterval],
  ['ROW', readParenthesis],
]);

function readWordOperand(reading: SqlReading): void {
  const { cursor } = reading;
  const readKeywordOperand = KEYWORD_OPERANDS.get(cursor.peek().upper);
  if (readKeywordOperand !== undefined) {
    cursor.next();
    readKeywordOperand(reading);
  } else if (cursor.isSymbolAt(1, '(')) readFunctionCall(reading);
  else if (startsTypedLiteral(reading)) readTypedLiteral(reading);
  else if (!cursor.takeAnyWord(...CONSTANTS, ...BARE_FUNCTIONS)) readColumn(reading);
}

function readTypedLiteral(reading: SqlReading): void {
  const { cursor } = reading;
  cursor.next();
  if (cursor.peek().kind === 'number') cursor.next();
  else readStrings(reading);
}

function startsTypedLiteral({ cursor }: SqlReading): boolean {
  const { kind } = cursor.peek(1);
  if (cursor.isWord('DATE', 'TIME', 'TIMESTAMP')) return kind === 'string';
  return cursor.isWord(...INTRODUCERS) && (kind === 'string' || kind === 'number');
}

function readCase(reading: SqlReading): void {
  const { cursor } = reading;
  if (!cursor.isWord('WHEN')) readExpression(reading);
  do {
    cursor.expectWord('WHEN');
    readExpression(reading);
    cursor.expectWord('THEN');
    readExpression(reading);
  } while (cursor.isWord('WHEN'));
  if (cursor.takeWords('ELSE')) readExpression(reading);
  cursor.expectWord('END');
}
