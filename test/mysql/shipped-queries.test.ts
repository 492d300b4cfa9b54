import mysql, { type Connection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MysqlAdapter } from '../../functions/diagnosis/tools/query-mysql/mysql-adapter.ts';
import { loadQueryCatalog } from '../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import {
  eventually,
  type MariaDb,
  missingMariaDb,
  READER,
  SERVER_TIMEOUT_MS,
  startMariaDb,
} from '../support/mariadb.ts';
import { AS_OF, aContext, codeOf, contentOf } from '../support/mysql-adapter.ts';

const CATALOG = await loadQueryCatalog({ playbooksFolder: 'skills' });
const APPLICATION = { user: 'shop_app', password: 'app-canary-2Rd' };
const TENANT = { tenant_id: 'tenant-a' };

/** They read tables of MySQL 8 that MariaDB does not have. */
const MYSQL_ONLY = ['connection_usage', 'lock_wait_blockers', 'lock_waits', 'replication_lag'];

const SHAPE = {
  statement: 'SELECT ID FROM `orders` WHERE STATUS = ? LIMIT ? ',
  calls: '3',
};

/** What the first test's data makes of each query; a row that must be among the rows. */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  orders_by_state: {
    status: 'PAYING',
    order_count: '2',
    amount_cents: '300',
    oldest: '2026-11-30 11:10:00',
    newest: '2026-11-30 11:20:00',
  },
  payments_by_state: {
    status: 'PROCESSING',
    payment_count: '3',
    amount_cents: '600',
    oldest: '2026-11-30 11:10:00',
    newest: '2026-11-30 11:59:30',
  },
  payments_stuck_by_channel: {
    channel: 'alipay',
    stuck_count: '2', // the third one is younger than a minute
    share_percent: '100.0',
    concentration: 'ONE_CHANNEL',
    oldest: '2026-11-30 11:10:00',
    newest: '2026-11-30 11:20:00',
  },
  table_indexes: {
    table_schema: 'shop',
    table_name: 'payments',
    index_name: 'idx_created',
    position_in_index: '1',
    column_name: 'created_at',
    non_unique: '1',
    cardinality: expect.any(String),
  },
  table_sizes: {
    table_schema: 'shop',
    table_name: 'orders',
    engine: 'InnoDB',
    estimated_rows: expect.any(String),
    data_mib: '0.0',
    index_mib: '0.0',
  },
  index_usage: {
    table_schema: 'shop',
    table_name: 'orders',
    index_name: 'NO_INDEX',
    row_reads: expect.any(String),
    row_writes: expect.any(String),
  },
  connections_by_state: {
    command: 'Sleep',
    state: '',
    connections: expect.any(String),
    longest_seconds: expect.any(String),
  },
  connections_by_user: {
    user_name: 'shop_app',
    client: expect.stringMatching(/^(?:localhost|127\.0\.0\.1)$/),
    connections: '2',
    sleeping: '1',
    long_running: '0',
    longest_seconds: expect.any(String),
  },
  running_statements: {
    pid: expect.any(String),
    user_name: 'shop_app',
    client: expect.stringMatching(/^(?:localhost|127\.0\.0\.1):/),
    schema_name: 'shop',
    running_seconds: expect.any(String),
    state: 'User sleep',
    running_statement: 'SELECT SLEEP(600)',
  },
  idle_transactions: {
    pid: expect.any(String),
    user_name: 'shop_app',
    client: expect.stringMatching(/^(?:localhost|127\.0\.0\.1):/),
    idle_seconds: expect.any(String),
    trx_seconds: expect.any(String),
    rows_locked: '1',
    last_statement: 'SELECT id FROM orders WHERE id = 1 FOR UPDATE',
  },
  long_transactions: {
    pid: expect.any(String),
    user_name: 'shop_app',
    client: expect.stringMatching(/^(?:localhost|127\.0\.0\.1):/),
    command: 'Sleep',
    trx_state: 'RUNNING',
    trx_started: expect.any(String),
    trx_seconds: expect.any(String),
    rows_locked: '1',
    rows_modified: '0',
    isolation_level: 'REPEATABLE READ',
    last_statement: 'SELECT id FROM orders WHERE id = 1 FOR UPDATE',
  },
  slow_digests: expect.objectContaining(SHAPE),
  frequent_reads: expect.objectContaining(SHAPE),
  large_results: expect.objectContaining({ ...SHAPE, rows_sent_per_call: '2.0' }),
  digests_without_index: expect.objectContaining({ ...SHAPE, calls_without_index: '3' }),
  temp_tables_on_disk: expect.objectContaining({
    statement: expect.stringContaining('GROUP_CONCAT'),
    disk_tables: '1',
  }),
};

const PARAMETERS: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  table_indexes: { table_name: 'payments' },
  running_statements: { min_seconds: 1 },
  idle_transactions: { min_idle_seconds: 1 },
  long_transactions: { min_seconds: 1 },
};

const SCHEMA = [
  'USE shop',
  `CREATE TABLE orders (id INT PRIMARY KEY, tenant_id VARCHAR(32), status VARCHAR(16), amount_cents INT, created_at DATETIME)`,
  `CREATE TABLE payments (id INT PRIMARY KEY, tenant_id VARCHAR(32), channel VARCHAR(16), status VARCHAR(16), amount_cents INT,
    created_at DATETIME, KEY idx_created (created_at))`,
  `INSERT INTO orders VALUES
    (1, 'tenant-a', 'PAYING', 100, '2026-11-30 11:10:00'), (2, 'tenant-a', 'PAYING', 200, '2026-11-30 11:20:00'),
    (3, 'tenant-a', 'PAID', 400, '2026-11-30 11:30:00'), (4, 'tenant-b', 'PAYING', 800, '2026-11-30 11:30:00'),
    (5, 'tenant-a', 'PAYING', 1600, '2026-11-30 10:59:59'), (6, 'tenant-a', 'PAYING', 3200, '2026-11-30 12:00:00')`,
  `INSERT INTO payments VALUES
    (1, 'tenant-a', 'alipay', 'PROCESSING', 100, '2026-11-30 11:10:00'), (2, 'tenant-a', 'alipay', 'PROCESSING', 200, '2026-11-30 11:20:00'),
    (3, 'tenant-a', 'wechat', 'PROCESSING', 300, '2026-11-30 11:59:30'), (4, 'tenant-b', 'wechat', 'PROCESSING', 400, '2026-11-30 11:20:00'),
    (5, 'tenant-a', 'wechat', 'SUCCEEDED', 500, '2026-11-30 11:30:00')`,
  `CREATE USER ${APPLICATION.user}@'%' IDENTIFIED BY '${APPLICATION.password}'`,
  `GRANT SELECT, INSERT, UPDATE ON shop.* TO ${APPLICATION.user}@'%'`,
];

describe.skipIf(missingMariaDb !== null)('a shipped query on a real server', () => {
  let server: MariaDb;
  let adapter: MysqlAdapter;
  const held: Connection[] = [];

  beforeAll(async () => {
    server = await startMariaDb();
    await server.sql(...SCHEMA);
    const connect = async () => {
      const connection = await mysql.createConnection({
        host: '127.0.0.1',
        port: server.port,
        database: 'shop',
        ...APPLICATION,
      });
      held.push(connection);
      return connection;
    };
    const idle = await connect();
    for (let count = 0; count < 3; count += 1)
      await idle.query("SELECT id FROM orders WHERE status = 'PAYING' LIMIT 2");
    await idle.query('SET SESSION tmp_memory_table_size = 0');
    await idle.query('SELECT status, GROUP_CONCAT(DISTINCT id) FROM orders GROUP BY status');
    await idle.query('START TRANSACTION');
    await idle.query('SELECT id FROM orders WHERE id = 1 FOR UPDATE');
    const busy = await connect();
    busy.query('SELECT SLEEP(600)').catch(() => {}); // ends with the server
    adapter = new MysqlAdapter({
      catalog: CATALOG,
      server: { writer: server.endpoint(READER) },
      reportFault: () => {},
    });
  }, SERVER_TIMEOUT_MS);

  afterAll(async () => {
    for (const connection of held) connection.destroy();
    await server[Symbol.asyncDispose]();
  });

  const ask = (name: string, asOf: number) =>
    adapter.call(
      { query_name: name, parameters: PARAMETERS[name] ?? {} },
      aContext({ asOf, bindings: TENANT }),
    );

  it.each(CATALOG.list().filter(({ name }) => !MYSQL_ONLY.includes(name)))(
    'gives what the data says: $name',
    async ({ name, statement }) => {
      const ofServer = statement.includes('performance_schema.events_statements_summary');

      await eventually(async () => {
        const { columns, rows } = contentOf(await ask(name, ofServer ? Date.now() : AS_OF));
        const found = rows.map((row) =>
          Object.fromEntries(columns.map((column, index) => [column, row[index]])),
        );
        expect(found).toContainEqual(EXPECTED[name]);
      });
    },
  );

  it.each(MYSQL_ONLY)(
    'says that it failed where the server has no such table: %s',
    async (name) => {
      expect(codeOf(await ask(name, AS_OF))).toMatch(/^SOURCE_(?:FAILED|DENIED)$/);
    },
  );

  it.each(['orders_by_state', 'payments_by_state', 'payments_stuck_by_channel'])(
    'shows no tenant but the caller’s: %s',
    async (name) => {
      const context = aContext({ asOf: AS_OF, bindings: { tenant_id: "tenant-b' OR '1'='1" } });

      const result = await adapter.call({ query_name: name, parameters: {} }, context);

      expect(contentOf(result).rows).toEqual([]);
    },
  );

  it('does not run without the caller’s tenant', async () => {
    const result = await adapter.call(
      { query_name: 'orders_by_state', parameters: { tenant_id: 'tenant-a' } },
      aContext({ asOf: AS_OF }),
    );

    expect(codeOf(result)).toBe('BINDING_MISSING');
  });
});
