import { isAllowedSystemTable, isVariableTable, SYSTEM_SCHEMAS } from './sql-allow-list.ts';
import { readExpression } from './sql-expression.ts';
import type { SqlReading } from './sql-reading.ts';
import { refuseSql } from './sql-refusal.ts';

/** What a FROM clause reads. */
export interface TableFacts {
  readonly hasApplicationTable: boolean;
  /** System variables are among the tables: the WHERE clause has to name which. */
  readonly hasVariableTable: boolean;
  /** An ON or USING clause names columns. */
  readonly isFilteredByJoin: boolean;
  /** Tables that only the WHERE clause can join, because a comma stands before them. */
  readonly commaJoins: number;
}

/** A reading that knows the names its WITH clauses defined. */
export interface TableReading extends SqlReading {
  isCommonTable(upperName: string): boolean;
}

type TableKind = 'application' | 'system' | 'variables' | 'derived';

type Seen = { -readonly [Key in keyof TableFacts]: TableFacts[Key] };

/** Reads the table references of a FROM clause, joins included. */
export function readTableReferences(reading: TableReading): TableFacts {
  const seen: Seen = {
    hasApplicationTable: false,
    hasVariableTable: false,
    isFilteredByJoin: false,
    commaJoins: 0,
  };
  let tables = readJoinedTable(reading, seen);
  while (reading.cursor.takeSymbol(',')) {
    const right = readJoinedTable(reading, seen);
    tables += right;
    if (right > 0) seen.commaJoins += 1;
  }
  // With a second table in sight, the filter could name the other one's variables.
  if (seen.hasVariableTable && tables > 1) refuseSql('VARIABLE');
  return seen;
}

/** Reads the name of a table, its schema and the table's place on the allow-list checked. */
export function readTableName(reading: TableReading): TableKind {
  const { cursor } = reading;
  const first = cursor.expectName();
  if (!cursor.takeSymbol('.')) {
    return reading.isCommonTable(first.upper) ? 'derived' : 'application';
  }
  const table = cursor.expectNameAfterDot();
  if (cursor.isSymbol('.', '(')) cursor.refuse();
  if (!reading.isAllowedSchema(first.upper)) refuseSql('SCHEMA');
  if (!SYSTEM_SCHEMAS.has(first.upper)) return 'application';
  if (!isAllowedSystemTable(first.upper, table.upper)) refuseSql('TABLE');
  return isVariableTable(table.upper) ? 'variables' : 'system';
}

/** Returns how many stored tables it read. */
function readJoinedTable(reading: TableReading, seen: Seen): number {
  let tables = readFactor(reading, seen);
  while (takeJoin(reading)) {
    const right = readFactor(reading, seen);
    readJoinCondition(reading, right, seen);
    tables += right;
  }
  return tables;
}

function takeJoin(reading: TableReading): boolean {
  const { cursor } = reading;
  if (cursor.takeWords('JOIN') || cursor.takeWords('STRAIGHT_JOIN')) return true;
  if (cursor.takeAnyWord('INNER', 'CROSS')) {
    cursor.expectWord('JOIN');
    return true;
  }
  if (!cursor.takeAnyWord('LEFT', 'RIGHT')) return false;
  cursor.takeWords('OUTER');
  cursor.expectWord('JOIN');
  return true;
}

/** A join of a stored table without a condition multiplies all rows. */
function readJoinCondition(reading: TableReading, rightTables: number, seen: Seen): void {
  const { cursor, facts } = reading;
  if (cursor.takeWords('USING')) {
    cursor.expectSymbol('(');
    do cursor.expectName();
    while (cursor.takeSymbol(','));
    cursor.expectSymbol(')');
    seen.isFilteredByJoin = true;
    return;
  }
  if (cursor.takeWords('ON')) {
    const before = facts.columns;
    readExpression(reading);
    if (facts.columns === before) refuseSql('UNBOUNDED');
    seen.isFilteredByJoin = true;
    return;
  }
  if (rightTables > 0 && reading.mustBeBounded) refuseSql('UNBOUNDED');
}

function readFactor(reading: TableReading, seen: Seen): number {
  const { cursor } = reading;
  if (cursor.takeWords('DUAL')) return 0;
  if (cursor.isWord('LATERAL') || cursor.isSymbol('(')) return readParenthesised(reading, seen);
  const kind = readTableName(reading);
  if (kind === 'application') seen.hasApplicationTable = true;
  if (kind === 'variables') seen.hasVariableTable = true;
  readPartitions(reading);
  readAlias(reading);
  readIndexHints(reading);
  return kind === 'derived' ? 0 : 1;
}

function readParenthesised(reading: TableReading, seen: Seen): number {
  const { cursor } = reading;
  const isLateral = cursor.takeWords('LATERAL');
  cursor.expectSymbol('(');
  const isQuery = cursor.isWord('SELECT', 'WITH');
  if (!isQuery && isLateral) cursor.refuse();
  if (!isQuery) return readJoinInParentheses(reading, seen);
  reading.readSubquery();
  cursor.expectSymbol(')');
  readDerivedAlias(reading);
  return 0;
}

function readJoinInParentheses(reading: TableReading, seen: Seen): number {
  const tables = reading.cursor.nested(() => readJoinedTable(reading, seen));
  reading.cursor.expectSymbol(')');
  return tables;
}

function readDerivedAlias(reading: TableReading): void {
  const { cursor } = reading;
  cursor.takeWords('AS');
  cursor.expectName(); // MySQL requires it
  if (cursor.isSymbol('(')) readNames(reading);
}

function readAlias({ cursor }: TableReading): void {
  if (cursor.takeWords('AS') || cursor.isName()) cursor.expectName();
}

function readPartitions(reading: TableReading): void {
  if (reading.cursor.takeWords('PARTITION')) readNames(reading);
}

function readIndexHints(reading: TableReading): void {
  const { cursor } = reading;
  while (cursor.takeAnyWord('USE', 'FORCE', 'IGNORE')) {
    if (!cursor.takeAnyWord('INDEX', 'KEY')) cursor.refuse();
    if (cursor.takeWords('FOR')) readHintScope(reading);
    readIndexNames(reading);
  }
}

function readHintScope({ cursor }: TableReading): void {
  if (cursor.takeWords('JOIN') || cursor.takeWords('ORDER', 'BY')) return;
  if (!cursor.takeWords('GROUP', 'BY')) cursor.refuse();
}

function readIndexNames(reading: TableReading): void {
  const { cursor } = reading;
  cursor.expectSymbol('(');
  if (!cursor.isSymbol(')')) {
    do if (!cursor.takeWords('PRIMARY')) cursor.expectName();
    while (cursor.takeSymbol(','));
  }
  cursor.expectSymbol(')');
}

function readNames({ cursor }: TableReading): void {
  cursor.expectSymbol('(');
  do cursor.expectName();
  while (cursor.takeSymbol(','));
  cursor.expectSymbol(')');
}
