import { describe, expect, it } from 'vitest';
import { toSqliteStatement } from '../../../../functions/diagnosis/tools/query-mysql/snapshot-dialect.ts';

describe('a statement in the words of SQLite', () => {
  it.each([
    ['SELECT 1 -- note\n, 2', 'SELECT 1 , 2'],
    ["SELECT 'it''s \\'a\\' \\n' FROM t", "SELECT 'it''s ''a'' \n' FROM t"],
    ['SELECT "a"', "SELECT 'a'"],
    ['SELECT `or``der` FROM t', 'SELECT `or``der` FROM t'],
    ['SELECT t.plan FROM t', 'SELECT t.`plan` FROM t'],
    ['SELECT NOW(), CURRENT_TIMESTAMP', 'SELECT NOW(), NOW()'],
    ['SELECT UTC_DATE()', 'SELECT CURDATE()'],
    ['SELECT TIMESTAMPDIFF(second, a, b)', "SELECT TIMESTAMPDIFF('SECOND', a, b)"],
    ['SELECT DATE_SUB(a, INTERVAL :n MINUTE)', "SELECT DATE_SUB(a, :n, 'MINUTE')"],
    ['SELECT CAST(a AS UNSIGNED), 1 AS signed', 'SELECT CAST(a AS INTEGER), 1 AS signed'],
    ['SELECT CAST(a AS CHAR(5))', 'SELECT CAST(a AS TEXT(5))'],
    ['SELECT a <=> b, !c', 'SELECT a  IS  b,  NOT c'],
    ['SELECT a && b || c', 'SELECT a  AND  b  OR  c'],
    ['SELECT a / b', 'SELECT a * 1.0 / b'],
    ['SELECT ISNULL(a)', 'SELECT IS_NULL(a)'],
    ['SELECT 1 FROM DUAL', 'SELECT 1 FROM (SELECT 1)'],
    ['SELECT /*+ MAX_EXECUTION_TIME(5) */ 1', 'SELECT   1'],
  ])('%j reads %j', (mysql, sqlite) => {
    expect(toSqliteStatement(mysql)).toBe(sqlite);
  });

  it.each([
    'SHOW PROCESSLIST',
    'EXPLAIN SELECT 1',
    'DESC t',
    'SELECT @@version',
    'SELECT 0x41',
    "SELECT x'41'",
    'SELECT DATE_SUB(a, INTERVAL 1 YEAR)',
    'SELECT TIMESTAMPDIFF(MONTH, a, b)',
    'SELECT NOW() - INTERVAL 5 MINUTE',
  ])('has no counterpart for %j', (mysql) => {
    expect(toSqliteStatement(mysql)).toBeUndefined();
  });
});
