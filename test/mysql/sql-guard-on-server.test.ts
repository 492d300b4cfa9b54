import { readFileSync } from 'node:fs';
import mysql, { type Connection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadQueryCatalog } from '../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import { guardSql } from '../../functions/diagnosis/tools/query-mysql/sql-guard.ts';
import { tokenizeSql } from '../../functions/diagnosis/tools/query-mysql/sql-tokens.ts';
import {
  type MariaDb,
  missingMariaDb,
  ROOT,
  SERVER_TIMEOUT_MS,
  startMariaDb,
} from '../support/mariadb.ts';
import { stateOf } from '../support/mariadb-state.ts';
import { HOSTILE_STATEMENTS } from '../unit/tools/query-mysql/hostile-statements.ts';
import { LEGITIMATE_STATEMENTS } from '../unit/tools/query-mysql/legitimate-statements.ts';

const SCHEMA = [
  'CREATE DATABASE pay',
  'USE pay',
  `CREATE TABLE t_order (id INT PRIMARY KEY, user_id INT, status VARCHAR(20), remark VARCHAR(50), channel VARCHAR(20),
    amount DECIMAL(12,2), created_at DATETIME, update_time DATETIME, is_deleted INT, create_by VARCHAR(20),
    KEY idx_created (created_at))`,
  `CREATE TABLE t_payment (id INT PRIMARY KEY, order_id INT, status VARCHAR(20), channel VARCHAR(20), error_code VARCHAR(20),
    amount DECIMAL(12,2), created_at DATETIME)`,
  `CREATE TABLE t_gateway_call (id INT PRIMARY KEY, channel VARCHAR(20), cost_ms INT, error_code VARCHAR(20), created_at DATETIME)`,
  'CREATE TABLE t_audit (id INT PRIMARY KEY, action VARCHAR(20), created_at DATETIME)',
  'CREATE TABLE t_job (id INT PRIMARY KEY, name VARCHAR(50), created_at DATETIME)',
  'CREATE TABLE t_flags (id INT PRIMARY KEY, `delete` INT, `update` INT)',
  'CREATE TABLE t_msg (id INT PRIMARY KEY, body VARCHAR(50), created_at DATETIME)',
  'CREATE TABLE t_grant (id INT PRIMARY KEY, load_file_name VARCHAR(50), created_at DATETIME)',
  "INSERT INTO t_order (id, user_id, status, created_at) VALUES (1, 42, 'PAYING', NOW()), (7, 42, 'PAID', NOW())",
  "INSERT INTO t_payment (id, order_id, status, created_at) VALUES (1, 1, 'FAILED', NOW())",
  'CREATE VIEW v_order AS SELECT id, status FROM t_order',
];

const CORPUS = readFileSync('test/corpora/sql_guard.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { readonly sql: string }).sql); // The corpus is ours and has this shape.

describe.skipIf(missingMariaDb !== null)('statements that the guard allows', () => {
  let server: MariaDb;
  let powerful: Connection;

  beforeAll(async () => {
    // Statistics of the engine's own change by themselves.
    server = await startMariaDb([
      '--innodb-stats-persistent=OFF',
      '--innodb-stats-auto-recalc=OFF',
    ]);
    await server.sql(...SCHEMA);
    powerful = await mysql.createConnection({
      host: '127.0.0.1',
      port: server.port,
      database: 'pay',
      multipleStatements: true, // so that a second statement would run if there were one
      user: ROOT.user,
      password: ROOT.password,
    });
  }, SERVER_TIMEOUT_MS);

  afterAll(async () => {
    powerful.destroy();
    await server[Symbol.asyncDispose]();
  });

  it('change nothing as a user who may do anything', async () => {
    const catalog = await loadQueryCatalog({ playbooksFolder: 'skills' });
    const statements = [
      ...[...CORPUS, ...LEGITIMATE_STATEMENTS, ...HOSTILE_STATEMENTS].filter(isAllowed),
      ...catalog.list().map(({ statement }) => statement),
    ];
    const before = await stateOf(server);

    const codes = [];
    for (const sql of statements) codes.push(await codeOf(powerful, withLiterals(sql)));

    expect(await stateOf(server)).toEqual(before);
    // The rest asks for tables and forms that only MySQL has.
    expect(codes.filter((code) => code === 'ran').length).toBeGreaterThan(0.7 * statements.length);
    expect(await openTransactions(powerful)).toEqual([]);
  });

  it('would be seen to change something', async () => {
    const before = await stateOf(server);

    await powerful.query("UPDATE t_order SET remark = 'seen' WHERE id = 7");

    expect(await stateOf(server)).not.toEqual(before);
  });
});

function isAllowed(sql: string): boolean {
  return guardSql(sql).kind === 'allowed';
}

async function codeOf(connection: Connection, sql: string): Promise<string> {
  try {
    await connection.query(sql);
    return 'ran';
  } catch (error) {
    return String(Reflect.get(Object(error), 'code'));
  }
}

/** Named parameters as plain numbers, since this connection prepares nothing. */
function withLiterals(sql: string): string {
  return tokenizeSql(sql)
    .filter(({ kind }) => kind === 'parameter')
    .reduceRight((text, { start, end }) => `${text.slice(0, start)}10${text.slice(end)}`, sql);
}

/** Transactions that the connection is left with between two statements. */
async function openTransactions(connection: Connection): Promise<unknown> {
  const [rows] = await connection.query(
    'SELECT trx_id FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()',
  );
  return rows;
}
