import { mayMatchPrivateVariable } from './sql-allow-list.ts';
import { readConjunction } from './sql-expression.ts';
import type { SqlReading } from './sql-reading.ts';
import { refuseSql } from './sql-refusal.ts';

/**
 * Reads a WHERE clause over system variables: it begins with the names or the pattern it is about,
 * and whatever else follows can only narrow that down.
 *
 * @throws SqlRefusal where a private variable could be among them.
 */
export function readVariableFilter(reading: SqlReading): void {
  const { cursor, facts } = reading;
  let name = cursor.expectName();
  if (cursor.takeSymbol('.')) name = cursor.expectNameAfterDot();
  if (name.upper !== 'VARIABLE_NAME') refuseSql('VARIABLE');
  facts.columns += 1;
  readNames(reading);
  if (cursor.takeWords('AND')) readConjunction(reading);
}

/** Reads the literal behind `SHOW VARIABLES LIKE`. */
export function readVariablePattern({ cursor }: SqlReading): void {
  const pattern = cursor.expectKind('string').text.slice(1, -1);
  if (mayMatchPrivateVariable(pattern)) refuseSql('VARIABLE');
}

function readNames(reading: SqlReading): void {
  const { cursor } = reading;
  if (cursor.takeSymbol('=') || cursor.takeWords('LIKE')) {
    readVariablePattern(reading);
    return;
  }
  cursor.expectWord('IN');
  cursor.expectSymbol('(');
  do readVariablePattern(reading);
  while (cursor.takeSymbol(','));
  cursor.expectSymbol(')');
}
