import { type QueryReading, startReading } from './sql-query.ts';
import { refuseSql } from './sql-refusal.ts';
import { readShow } from './sql-show.ts';
import { readTableName } from './sql-table.ts';
import { tokenizeSql } from './sql-tokens.ts';

/**
 * Reads one whole statement: SELECT, SHOW, EXPLAIN of a SELECT, or DESCRIBE of a table.
 *
 * @param schemas Upper-case names that a table may be qualified with.
 * @throws SqlRefusal for anything else.
 */
export function readStatement(sql: string, schemas: ReadonlySet<string>): void {
  const tokens = tokenizeSql(sql);
  const reading = startReading(tokens, (upperName) => schemas.has(upperName));
  const { cursor } = reading;
  if (cursor.peek().kind === 'end') refuseSql('EMPTY');
  readKind(reading);
  const hasEnd = cursor.takeSymbol(';');
  if (cursor.peek().kind === 'end') return;
  if (hasEnd) refuseSql('MULTIPLE_STATEMENTS');
  cursor.refuse();
}

function readKind(reading: QueryReading): void {
  const { cursor } = reading;
  if (startsQuery(reading)) reading.readQuery(true);
  else if (cursor.takeWords('SHOW')) readShow(reading);
  else if (cursor.takeAnyWord('EXPLAIN', 'DESCRIBE', 'DESC')) readExplain(reading);
  else refuseSql('STATEMENT_KIND');
}

function startsQuery({ cursor }: QueryReading): boolean {
  return cursor.isWord('SELECT', 'WITH') || cursor.isSymbol('(');
}

const PLAN_FORMATS = ['TRADITIONAL', 'JSON', 'TREE'];

function readExplain(reading: QueryReading): void {
  const { cursor } = reading;
  const isExecuted = cursor.takeWords('ANALYZE');
  const hasFormat = cursor.takeWords('FORMAT');
  if (hasFormat) {
    cursor.expectSymbol('=');
    if (!cursor.takeAnyWord(...PLAN_FORMATS)) cursor.refuse();
  }
  if (startsQuery(reading)) {
    reading.mustBeBounded = isExecuted;
    reading.readQuery(true);
    return;
  }
  if (isExecuted || hasFormat || !cursor.isName()) refuseSql('STATEMENT_KIND');
  readDescribedTable(reading);
}

function readDescribedTable(reading: QueryReading): void {
  const { cursor } = reading;
  readTableName(reading);
  if (cursor.peek().kind === 'string') cursor.next();
  else if (cursor.isName()) cursor.next();
}
