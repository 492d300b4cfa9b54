import { isAggregateFunction, isAllowedFunction, isAllowedSysFunction } from './sql-allow-list.ts';
import type { SqlReading } from './sql-reading.ts';
import { refuseSql } from './sql-refusal.ts';

const TIME_UNITS = [
  ...['MICROSECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'],
];

/** Reads a call of a function of the allow-list, with the OVER clause that may follow. */
export function readFunctionCall(reading: SqlReading): void {
  const { cursor, facts } = reading;
  const name = cursor.next().upper;
  if (!isAllowedFunction(name)) refuseSql('FUNCTION');
  cursor.nested(() => {
    cursor.expectSymbol('(');
    const readArguments = ARGUMENT_READERS.get(name) ?? readPlainArguments;
    readArguments(reading);
    cursor.expectSymbol(')');
  });
  const isWindowed = readOverClause(reading);
  if (isAggregateFunction(name) && !isWindowed) facts.aggregates += 1;
}

/** Reads `sys.name(…)` where `sys.` has been read: formatting functions only. */
export function readSysFunctionCall(reading: SqlReading): void {
  const { cursor } = reading;
  if (!isAllowedSysFunction(cursor.next().upper)) refuseSql('FUNCTION');
  cursor.nested(() => {
    cursor.expectSymbol('(');
    readPlainArguments(reading);
    cursor.expectSymbol(')');
  });
}

type ReadArguments = (reading: SqlReading) => void;

/** Functions with a syntax of their own between the parentheses. */
const ARGUMENT_READERS: ReadonlyMap<string, ReadArguments> = new Map([
  ['COUNT', readCountArguments],
  ['GROUP_CONCAT', readGroupConcatArguments],
  ['CAST', readCastArguments],
  ['CONVERT', readConvertArguments],
  ['EXTRACT', readExtractArguments],
  ['TIMESTAMPDIFF', readUnitArguments],
  ['TIMESTAMPADD', readUnitArguments],
  ['TRIM', readTrimArguments],
  ['SUBSTRING', readSubstringArguments],
  ['SUBSTR', readSubstringArguments],
  ['MID', readSubstringArguments],
]);

function readPlainArguments(reading: SqlReading): void {
  const { cursor } = reading;
  if (cursor.isSymbol(')')) return;
  cursor.takeWords('DISTINCT');
  do reading.readExpression();
  while (cursor.takeSymbol(','));
}

function readCountArguments(reading: SqlReading): void {
  if (!reading.cursor.takeSymbol('*')) readPlainArguments(reading);
}

function readGroupConcatArguments(reading: SqlReading): void {
  const { cursor } = reading;
  readPlainArguments(reading);
  if (cursor.takeWords('ORDER', 'BY')) readOrderList(reading);
  if (cursor.takeWords('SEPARATOR')) cursor.expectKind('string');
}

function readCastArguments(reading: SqlReading): void {
  reading.readExpression();
  reading.cursor.expectWord('AS');
  readType(reading);
}

function readConvertArguments(reading: SqlReading): void {
  const { cursor } = reading;
  reading.readExpression();
  if (cursor.takeWords('USING')) {
    cursor.expectKind('word');
    return;
  }
  cursor.expectSymbol(',');
  readType(reading);
}

const TYPES = [
  ...['SIGNED', 'UNSIGNED', 'CHAR', 'BINARY', 'DECIMAL', 'DOUBLE', 'FLOAT', 'REAL'],
  ...['DATE', 'TIME', 'DATETIME', 'YEAR', 'JSON'],
];

function readType({ cursor }: SqlReading): void {
  if (!cursor.takeAnyWord(...TYPES)) cursor.refuse();
  cursor.takeWords('INTEGER');
  if (cursor.takeSymbol('(')) {
    cursor.expectKind('number');
    if (cursor.takeSymbol(',')) cursor.expectKind('number');
    cursor.expectSymbol(')');
  }
  if (cursor.takeWords('CHARACTER', 'SET')) cursor.expectKind('word');
}

function readExtractArguments(reading: SqlReading): void {
  const { cursor } = reading;
  if (!cursor.takeAnyWord(...TIME_UNITS)) cursor.refuse();
  cursor.expectWord('FROM');
  reading.readExpression();
}

function readUnitArguments(reading: SqlReading): void {
  const { cursor } = reading;
  if (!cursor.takeAnyWord(...TIME_UNITS)) cursor.refuse();
  cursor.expectSymbol(',');
  readPlainArguments(reading);
}

function readTrimArguments(reading: SqlReading): void {
  const { cursor } = reading;
  const hasSide = cursor.takeAnyWord('BOTH', 'LEADING', 'TRAILING');
  if (!hasSide || !cursor.isWord('FROM')) reading.readExpression();
  if (cursor.takeWords('FROM')) reading.readExpression();
}

function readSubstringArguments(reading: SqlReading): void {
  const { cursor } = reading;
  reading.readExpression();
  if (cursor.takeWords('FROM')) {
    reading.readExpression();
    if (cursor.takeWords('FOR')) reading.readExpression();
    return;
  }
  cursor.expectSymbol(',');
  readPlainArguments(reading);
}

/** Reads ORDER BY's list: expressions with their directions. */
export function readOrderList(reading: SqlReading): void {
  do {
    reading.readExpression();
    reading.cursor.takeAnyWord('ASC', 'DESC');
  } while (reading.cursor.takeSymbol(','));
}

function readOverClause(reading: SqlReading): boolean {
  const { cursor } = reading;
  if (!cursor.takeWords('OVER')) return false;
  if (cursor.isSymbol('(')) readWindow(reading);
  else cursor.expectName();
  return true;
}

/** Reads a window specification in its parentheses. */
export function readWindow(reading: SqlReading): void {
  const { cursor } = reading;
  cursor.expectSymbol('(');
  if (cursor.isName()) cursor.next();
  if (cursor.takeWords('PARTITION', 'BY')) readPlainArguments(reading);
  if (cursor.takeWords('ORDER', 'BY')) readOrderList(reading);
  if (cursor.takeAnyWord('ROWS', 'RANGE')) readFrame(reading);
  cursor.expectSymbol(')');
}

function readFrame(reading: SqlReading): void {
  const { cursor } = reading;
  const isSpan = cursor.takeWords('BETWEEN');
  readFrameBound(reading);
  if (!isSpan) return;
  cursor.expectWord('AND');
  readFrameBound(reading);
}

function readFrameBound(reading: SqlReading): void {
  const { cursor } = reading;
  if (cursor.takeWords('CURRENT', 'ROW')) return;
  if (!cursor.takeWords('UNBOUNDED')) reading.readExpression();
  if (!cursor.takeAnyWord('PRECEDING', 'FOLLOWING')) cursor.refuse();
}
