import type { BoundValue } from './query-parameters.ts';
import { tokenizeSql } from './sql-tokens.ts';

/** A statement as the server prepares it: `?` for each value, in their order. */
export interface PositionalStatement {
  readonly sql: string;
  readonly values: readonly BoundValue[];
}

/**
 * Puts `?` in the place of every named parameter. Only what the guard's own lexer reads as a parameter
 * is one, so that a colon in a string or a comment stays text.
 *
 * @throws RangeError for a parameter without a value; the catalogue lets none through
 */
export function toPositional(
  statement: string,
  values: Readonly<Record<string, BoundValue>>,
): PositionalStatement {
  const places = tokenizeSql(statement).filter(({ kind }) => kind === 'parameter');
  let end = 0;
  const parts: string[] = [];
  const ordered: BoundValue[] = [];
  for (const place of places) {
    const value = Object.hasOwn(values, place.text) ? values[place.text] : undefined;
    if (value === undefined) throw new RangeError('a parameter of the statement has no value');
    parts.push(statement.slice(end, place.start));
    ordered.push(value);
    end = place.end;
  }
  return { sql: [...parts, statement.slice(end)].join('?'), values: ordered };
}
