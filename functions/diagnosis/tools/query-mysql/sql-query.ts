import { MAX_LIMIT, MAX_OFFSET } from './sql-allow-list.ts';
import { SqlCursor } from './sql-cursor.ts';
import { readExpression } from './sql-expression.ts';
import { readOrderList, readWindow } from './sql-function.ts';
import { readHint } from './sql-hint.ts';
import type { SqlFacts, SqlReading } from './sql-reading.ts';
import { refuseSql } from './sql-refusal.ts';
import { readTableReferences, type TableFacts } from './sql-table.ts';
import type { SqlToken } from './sql-tokens.ts';
import { readVariableFilter } from './sql-variable-filter.ts';

/** Branches of UNION, EXCEPT, INTERSECT in one statement. */
const MAX_BRANCHES = 20;

/** Prepares the reading of a statement's tokens. */
export function startReading(
  tokens: readonly SqlToken[],
  isAllowedSchema: (upperName: string) => boolean,
): QueryReading {
  return new QueryReading(new SqlCursor(tokens), isAllowedSchema);
}

/** Reads SELECT statements and everything nested in them. */
export class QueryReading implements SqlReading {
  readonly cursor: SqlCursor;
  readonly isAllowedSchema: (upperName: string) => boolean;
  facts: SqlFacts = { columns: 0, aggregates: 0 };
  mustBeBounded = true;
  #branches = 0;
  #commonTables: ReadonlySet<string> = new Set();

  constructor(cursor: SqlCursor, isAllowedSchema: (upperName: string) => boolean) {
    this.cursor = cursor;
    this.isAllowedSchema = isAllowedSchema;
  }

  readExpression(): void {
    readExpression(this);
  }

  readSubquery(): void {
    this.readQuery(false);
  }

  /** True for a name that an enclosing WITH defined. */
  isCommonTable(upperName: string): boolean {
    return this.#commonTables.has(upperName);
  }

  /** Reads a query expression; one whose rows are the answer has to bound them. */
  readQuery(isAnswer: boolean): void {
    const outerFacts = this.facts;
    const outerTables = this.#commonTables;
    this.cursor.nested(() => {
      if (this.cursor.takeWords('WITH')) this.#readCommonTables();
      const needsLimit = this.#readBranches(isAnswer);
      if (this.cursor.takeWords('ORDER', 'BY')) readOrderList(this);
      const isLimited = this.cursor.takeWords('LIMIT') && readLimit(this);
      if (needsLimit && !isLimited && this.mustBeBounded) this.#refuseUnbounded();
    });
    this.facts = outerFacts;
    this.#commonTables = outerTables;
  }

  #refuseUnbounded(): never {
    const isAtEnd = this.cursor.isSymbol(')', ';') || this.cursor.peek().kind === 'end';
    return isAtEnd ? refuseSql('UNBOUNDED') : this.cursor.refuse();
  }

  #readCommonTables(): void {
    if (this.cursor.isWord('RECURSIVE')) refuseSql('RECURSION');
    do {
      const name = this.cursor.expectName();
      if (this.cursor.isSymbol('(')) readNameList(this);
      this.cursor.expectWord('AS');
      this.cursor.expectSymbol('(');
      this.readSubquery();
      this.cursor.expectSymbol(')');
      this.#commonTables = new Set([...this.#commonTables, name.upper]);
    } while (this.cursor.takeSymbol(','));
  }

  /** Says whether the branches read an application table that nothing bounds yet. */
  #readBranches(isAnswer: boolean): boolean {
    let needsLimit = false;
    do {
      this.#branches += 1;
      if (this.#branches > MAX_BRANCHES) refuseSql('UNBOUNDED');
      needsLimit = this.#readBranch(isAnswer) || needsLimit;
    } while (takeSetOperator(this));
    return needsLimit;
  }

  #readBranch(isAnswer: boolean): boolean {
    if (!this.cursor.takeSymbol('(')) return this.#readSelect(isAnswer);
    this.readQuery(isAnswer);
    this.cursor.expectSymbol(')');
    return false;
  }

  #readSelect(isAnswer: boolean): boolean {
    this.cursor.expectWord('SELECT');
    this.facts = { columns: 0, aggregates: 0 };
    if (this.cursor.peek().kind === 'hint') readHint(this.cursor.next().text);
    while (this.cursor.takeAnyWord('ALL', 'DISTINCT', 'DISTINCTROW', 'STRAIGHT_JOIN')) {
      // Modifiers that change neither locks nor results.
    }
    readSelectList(this);
    const isAggregated = this.facts.aggregates > 0;
    const tables = this.cursor.takeWords('FROM') ? readTableReferences(this) : NO_TABLES;
    const isFiltered = this.#readWhere(tables);
    const isGrouped = this.#readGroupsAndWindows();
    const givesRows = isAnswer && !isAggregated && !isGrouped;
    return tables.hasApplicationTable && (givesRows || !isFiltered);
  }

  #readWhere(tables: TableFacts): boolean {
    const hasWhere = this.cursor.takeWords('WHERE');
    if (tables.hasVariableTable) {
      if (!hasWhere) refuseSql('VARIABLE');
      readVariableFilter(this);
      return true;
    }
    const before = this.facts.columns;
    if (hasWhere) readExpression(this);
    const columns = this.facts.columns - before;
    // A filter without a column filters nothing, and a join needs a column of each side.
    if (hasWhere && columns === 0) refuseSql('UNBOUNDED');
    if (columns < 2 * tables.commaJoins && this.mustBeBounded) refuseSql('UNBOUNDED');
    return hasWhere || tables.isFilteredByJoin;
  }

  #readGroupsAndWindows(): boolean {
    const isGrouped = this.cursor.takeWords('GROUP', 'BY');
    if (isGrouped) readOrderList(this);
    if (isGrouped && this.cursor.takeWords('WITH')) this.cursor.expectWord('ROLLUP');
    if (this.cursor.takeWords('HAVING')) readExpression(this);
    if (this.cursor.takeWords('WINDOW')) this.#readWindows();
    return isGrouped;
  }

  #readWindows(): void {
    do {
      this.cursor.expectName();
      this.cursor.expectWord('AS');
      readWindow(this);
    } while (this.cursor.takeSymbol(','));
  }
}

const NO_TABLES: TableFacts = {
  hasApplicationTable: false,
  hasVariableTable: false,
  isFilteredByJoin: false,
  commaJoins: 0,
};

function takeSetOperator({ cursor }: SqlReading): boolean {
  if (!cursor.takeAnyWord('UNION', 'EXCEPT', 'INTERSECT')) return false;
  cursor.takeAnyWord('ALL', 'DISTINCT');
  return true;
}

function readNameList({ cursor }: SqlReading): void {
  cursor.expectSymbol('(');
  do cursor.expectName();
  while (cursor.takeSymbol(','));
  cursor.expectSymbol(')');
}

function readSelectList(reading: SqlReading): void {
  do readSelectItem(reading);
  while (reading.cursor.takeSymbol(','));
}

function readSelectItem(reading: SqlReading): void {
  const { cursor } = reading;
  if (cursor.takeSymbol('*') || takeTableStar(reading)) return;
  readExpression(reading);
  if (cursor.takeWords('AS')) {
    const { kind } = cursor.peek();
    if (kind === 'string' || kind === 'double-quoted') cursor.next();
    else cursor.expectName();
  } else if (cursor.isName()) cursor.next();
}

function takeTableStar({ cursor }: SqlReading): boolean {
  if (!cursor.isSymbolAt(1, '.') || !cursor.isSymbolAt(2, '*')) return false;
  cursor.expectName();
  cursor.expectSymbol('.');
  cursor.expectSymbol('*');
  return true;
}

function readLimit(reading: SqlReading): true {
  const first = readCount(reading);
  const { cursor } = reading;
  if (cursor.takeSymbol(',')) refuseLarge(readCount(reading), first);
  else refuseLarge(first, cursor.takeWords('OFFSET') ? readCount(reading) : 0);
  return true;
}

/** The literal, or 0 for a parameter, whose bound the catalogue declares. */
function readCount({ cursor }: SqlReading): number {
  if (cursor.takeSymbol('?')) return 0;
  const { kind, text } = cursor.peek();
  if (kind !== 'number' && kind !== 'parameter') cursor.refuse();
  cursor.next();
  if (kind === 'parameter') return 0;
  return /^[0-9]+$/.test(text) ? Number(text) : refuseSql('SYNTAX');
}

function refuseLarge(limit: number, offset: number): void {
  if (limit > MAX_LIMIT || offset > MAX_OFFSET) refuseSql('UNBOUNDED');
}
