import { isPrivateColumn } from './sql-allow-list.ts';
import { readSysFunctionCall } from './sql-function.ts';
import type { SqlReading } from './sql-reading.ts';
import { refuseSql } from './sql-refusal.ts';

/** Reads a column, qualified or not, or a call of one of the formatting functions of `sys`. */
export function readColumn(reading: SqlReading): void {
  const { cursor } = reading;
  const isCall = cursor.isSymbolAt(1, '.') && cursor.isSymbolAt(3, '(');
  if (isCall && cursor.takeWords('SYS') && cursor.takeSymbol('.')) readSysFunctionCall(reading);
  else readColumnName(reading);
}

function readColumnName(reading: SqlReading): void {
  const { cursor, facts } = reading;
  const parts = [cursor.expectName()];
  while (cursor.takeSymbol('.')) parts.push(cursor.expectNameAfterDot());
  if (cursor.isSymbol('(')) refuseSql('FUNCTION');
  const [schema] = parts;
  if (parts.length > 3) refuseSql('SYNTAX');
  if (parts.length === 3 && !reading.isAllowedSchema(schema?.upper ?? '')) refuseSql('SCHEMA');
  if (isPrivateColumn(parts.at(-1)?.upper ?? '')) refuseSql('COLUMN');
  facts.columns += 1;
}
