import { MAX_INTERVAL_DAYS } from './sql-allow-list.ts';
import type { SqlReading } from './sql-reading.ts';
import { refuseSql } from './sql-refusal.ts';

/**
 * Reads what follows INTERVAL.
 *
 * @throws SqlRefusal for compound units, and for literal lengths past the longest interval.
 */
export function readInterval(reading: SqlReading): void {
  const { cursor } = reading;
  const first = cursor.peek();
  reading.readExpression();
  const days = DAYS_BY_UNIT.get(cursor.expectKind('word').upper) ?? refuseSql('SYNTAX');
  const isLiteral = first.kind === 'number' || first.kind === 'string';
  const length = isLiteral ? Number(first.text.replaceAll("'", '')) : 0;
  if (!(length * days <= MAX_INTERVAL_DAYS)) refuseSql('UNBOUNDED');
}

const DAYS_BY_UNIT: ReadonlyMap<string, number> = new Map([
  ['MICROSECOND', 0],
  ['SECOND', 1 / 86_400],
  ['MINUTE', 1 / 1_440],
  ['HOUR', 1 / 24],
  ['DAY', 1],
  ['WEEK', 7],
  ['MONTH', 30],
  ['QUARTER', 91],
  ['YEAR', 365],
]);
