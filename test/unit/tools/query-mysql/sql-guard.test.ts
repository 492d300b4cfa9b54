import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardSql } from '../../../../functions/diagnosis/tools/query-mysql/sql-guard.ts';
import { HOSTILE_STATEMENTS } from './hostile-statements.ts';
import { LEGITIMATE_STATEMENTS } from './legitimate-statements.ts';

interface CorpusRow {
  readonly id: string;
  readonly sql: string;
  readonly verdict: 'allow' | 'reject';
}

const CORPUS = readFileSync('test/corpora/sql_guard.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as CorpusRow); // The corpus is ours and has this shape.

/** A window that reaches back decades: only the data could tell, and LIMIT and timeout bound it. */
const ALLOWED_ON_PURPOSE = 'SQL-0184';

const legitimate = CORPUS.filter(({ verdict }) => verdict === 'allow');
const hostile = CORPUS.filter(
  ({ id, verdict }) => verdict === 'reject' && id !== ALLOWED_ON_PURPOSE,
);

describe('the guard on the corpus', () => {
  it.each(legitimate)('allows $id', ({ sql }) => {
    expect(guardSql(sql)).toEqual({ kind: 'allowed' });
  });

  it.each(hostile)('refuses $id', ({ sql }) => {
    expect(guardSql(sql).kind).toBe('refused');
  });
});

describe('the guard beside the corpus', () => {
  it.each(LEGITIMATE_STATEMENTS)('allows %j', (sql) => {
    expect(guardSql(sql)).toEqual({ kind: 'allowed' });
  });

  it.each(HOSTILE_STATEMENTS)('refuses %j', (sql) => {
    expect(guardSql(sql).kind).toBe('refused');
  });
});

describe('the code of a refusal', () => {
  it.each([
    ['', 'EMPTY'],
    ['-- nothing', 'EMPTY'],
    [`SELECT '${'x'.repeat(8_192)}'`, 'TOO_LONG'],
    ['SELECT\u00a01', 'CHARACTER'],
    ['SELECT 1 /*!50000 FOR UPDATE */', 'COMMENT'],
    ['SELECT 1--1', 'COMMENT'],
    ['SELECT FROM t', 'SYNTAX'],
    [`SELECT ${'('.repeat(100)}1${')'.repeat(100)}`, 'NESTING'],
    ['DELETE FROM t', 'STATEMENT_KIND'],
    ['SHOW GRANTS', 'STATEMENT_KIND'],
    ['SELECT 1; SELECT 2', 'MULTIPLE_STATEMENTS'],
    ['SELECT SLEEP(1)', 'FUNCTION'],
    ['SELECT pay.f(1)', 'FUNCTION'],
    ['SELECT user FROM mysql.user LIMIT 1', 'SCHEMA'],
    ['SELECT * FROM information_schema.user_privileges', 'TABLE'],
    ['SELECT password FROM t_user WHERE id = 1 LIMIT 1', 'COLUMN'],
    ['SELECT @a', 'VARIABLE'],
    ['SELECT @@ssl_key', 'VARIABLE'],
    ['SHOW VARIABLES', 'VARIABLE'],
    ['SELECT /*+ SET_VAR(sql_log_bin=0) */ 1', 'HINT'],
    ['SELECT id FROM t WHERE id = 1 LIMIT 1 FOR UPDATE', 'LOCK'],
    ["SELECT 1 INTO OUTFILE '/tmp/x'", 'INTO'],
    ["SELECT id FROM t WHERE a REGEXP 'b' LIMIT 1", 'REGULAR_EXPRESSION'],
    ['WITH RECURSIVE c AS (SELECT 1) SELECT * FROM c', 'RECURSION'],
    ['SELECT * FROM t_order', 'UNBOUNDED'],
  ])('of %j is %s', (sql, code) => {
    expect(guardSql(sql)).toEqual({ kind: 'refused', code });
  });
});

describe('application schemas', () => {
  const sql = 'SELECT id FROM Pay.t_order WHERE id = 1 LIMIT 1';

  it('are refused in a qualified name that nobody configured', () => {
    expect(guardSql(sql)).toEqual({ kind: 'refused', code: 'SCHEMA' });
  });

  it('are allowed by name, whatever the letter case', () => {
    expect(guardSql(sql, ['pay'])).toEqual({ kind: 'allowed' });
  });
});

describe('any text at all', () => {
  it('gets a verdict', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(guardSql(text).kind).toBeOneOf(['allowed', 'refused']);
      }),
    );
  });

  it('is refused when a hostile piece follows a whole statement', () => {
    const pieces = [
      '; DROP TABLE t',
      " INTO OUTFILE '/x'",
      ' FOR UPDATE',
      ' /*! x */',
      ' PROCEDURE p()',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...LEGITIMATE_STATEMENTS),
        fc.constantFrom(...pieces),
        (sql, piece) => {
          expect(guardSql(`${sql}\n${piece}`).kind).toBe('refused');
        },
      ),
    );
  });

  it('is refused when a delay stands in for any number', () => {
    const withNumber = LEGITIMATE_STATEMENTS.filter((sql) => / [0-9]+(?=[ ,)]|$)/.test(sql));
    fc.assert(
      fc.property(fc.constantFrom(...withNumber), (sql) => {
        expect(guardSql(sql.replace(/ [0-9]+(?=[ ,)]|$)/, ' SLEEP(9)')).kind).toBe('refused');
      }),
    );
  });
});
