import { describe, expect, it } from 'vitest';
import { toPositional } from '../../../../functions/diagnosis/tools/query-mysql/positional-statement.ts';

describe('a statement with places for its values', () => {
  it.each([
    ['SELECT 1', {}, 'SELECT 1', []],
    ['SELECT :a', { a: 'x' }, 'SELECT ?', ['x']],
    ['SELECT :b, :a, :b', { a: 1, b: 2, unused: 3 }, 'SELECT ?, ?, ?', [2, 1, 2]],
    ["SELECT ':a', `:a`, :a -- :a", { a: 1 }, "SELECT ':a', `:a`, ? -- :a", [1]],
    [
      "SELECT 'it''s :a' /* :a */ WHERE x = :a",
      { a: 1 },
      "SELECT 'it''s :a' /* :a */ WHERE x = ?",
      [1],
    ],
    ["SELECT '支付😀' = :a", { a: '😀' }, "SELECT '支付😀' = ?", ['😀']],
    ['SELECT :ab, :a', { a: 1, ab: 2 }, 'SELECT ?, ?', [2, 1]],
  ])('%s', (statement, values, sql, ordered) => {
    expect(toPositional(statement, values)).toEqual({ sql, values: ordered });
  });

  it.each(['a', 'constructor', '__proto__'])('has a value for each of them: %s', (name) => {
    expect(() => toPositional(`SELECT :${name}`, {})).toThrow(RangeError);
  });
});
