import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  eventually,
  type MariaDb,
  missingMariaDb,
  READER,
  ROOT,
  SERVER_TIMEOUT_MS,
  startMariaDb,
} from '../support/mariadb.ts';
import { aContext, anAdapter, aQuery, codeOf, contentOf } from '../support/mysql-adapter.ts';
import { startRelay } from '../support/tcp-relay.ts';

const MEGABYTE = 1_024 * 1_024;

const QUERIES = [
  aQuery('connection', 'SELECT CONNECTION_ID()'),
  aQuery('of_writer', 'SELECT DATABASE()'),
  aQuery('of_reader', 'SELECT DATABASE()', { target: 'reader' }),
  aQuery('insert', "INSERT INTO orders VALUES (99, 'NEW')"),
  aQuery('create', 'CREATE TABLE made (id INT)'),
  aQuery('drop', 'DROP TABLE orders'),
  aQuery('orders', 'SELECT id FROM orders ORDER BY id'),
  aQuery(
    'settings',
    'SELECT @@time_zone, @@sql_mode, @@character_set_results, @@max_statement_time',
  ),
  aQuery('sleep', 'SELECT SLEEP(60)', { timeout_ms: 60_000 }),
  aQuery('million', 'SELECT seq FROM seq_1_to_1000000'),
  aQuery('exact', 'SELECT seq FROM seq_1_to_50'),
  aQuery('huge', "SELECT REPEAT('x', 1000000) FROM seq_1_to_100", { row_limit: 100 }),
  aQuery('no_table', 'SELECT * FROM nowhere'),
  aQuery('nothing', 'SELECT id FROM orders WHERE id = -1'),
  aQuery('forbidden', 'SELECT user FROM mysql.user'),
];

describe.skipIf(missingMariaDb !== null)('query_mysql on a real server', () => {
  let server: MariaDb;

  beforeAll(async () => {
    server = await startMariaDb();
    await server.sql(
      "CREATE TABLE shop.orders (id INT PRIMARY KEY, state VARCHAR(20)) SELECT 1 AS id, 'PAID' AS state",
      'CREATE DATABASE replica',
      `GRANT SELECT ON replica.* TO ${READER.user}@'%'`,
    );
  }, SERVER_TIMEOUT_MS);

  afterAll(() => server[Symbol.asyncDispose]());

  const reading = () => anAdapter({ writer: server.endpoint(READER) }, QUERIES);
  const connectionsOf = async (user: string) => {
    const rows = await server.sql(
      `SELECT info FROM information_schema.processlist WHERE user = '${user}'`,
    );
    return rows.map(({ info }) => info);
  };

  it('keeps one connection for all calls of a run and closes it with the run', async () => {
    const { ask } = reading();
    const first = aContext();
    const second = aContext();

    const ids = [];
    for (const context of [first, first, second]) {
      ids.push(contentOf(await ask('connection', context)).rows[0]?.[0]);
    }
    await first.atRunEnd.disposeAsync();
    await second.atRunEnd.disposeAsync();

    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    await eventually(async () => expect(await connectionsOf(READER.user)).toEqual([]));
  });

  it('asks the target that the query names', async () => {
    const writer = server.endpoint(READER);
    const { ask } = anAdapter({ writer, reader: { ...writer, database: 'replica' } }, QUERIES);
    const context = aContext();

    const writers = await ask('of_writer', context);
    const readers = await ask('of_reader', context);

    expect([contentOf(writers).rows, contentOf(readers).rows]).toEqual([[['shop']], [['replica']]]);
    expect([writers, readers].map(({ executed }) => executed?.sources)).toEqual([
      ['writer'],
      ['reader'],
    ]);
  });

  it('asks the writer for the reader where there is none', async () => {
    expect(contentOf(await reading().ask('of_reader')).rows).toEqual([['shop']]);
  });

  it.each(['insert', 'create', 'drop'])(
    'changes nothing as a user that could: %s',
    async (name) => {
      const { ask } = anAdapter({ writer: server.endpoint(ROOT) }, QUERIES);

      const changed = await ask(name);

      expect(codeOf(changed)).toBe('SOURCE_FAILED');
      expect(await server.sql('SELECT id FROM shop.orders')).toEqual([{ id: 1 }]);
      expect(await server.sql("SHOW TABLES FROM shop LIKE 'made'")).toEqual([]);
    },
  );

  it('says once that its user can write', async () => {
    const { ask, faults } = anAdapter({ writer: server.endpoint(ROOT) }, QUERIES);

    await ask('orders');
    await ask('orders');

    expect(faults).toEqual(['MYSQL_USER_CAN_WRITE']);
  });

  it('has nothing to say of the user that the documentation grants', async () => {
    const { ask, faults } = reading();

    await ask('orders');

    expect(faults).toEqual([]);
  });

  it('sets its own time zone, SQL mode and character set, whatever the server prefers', async () => {
    await server.sql(
      "SET GLOBAL sql_mode = 'ANSI_QUOTES,IGNORE_SPACE,NO_BACKSLASH_ESCAPES'",
      "SET GLOBAL time_zone = '+08:00'",
      'SET GLOBAL max_statement_time = 100',
    );

    const { rows } = contentOf(await reading().ask('settings'));

    expect(rows).toEqual([
      [
        '+00:00',
        'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
        'utf8mb4',
        '11', // the query's ten seconds and one more, so that our own timeout comes first
      ],
    ]);
  });

  it('kills the statement and drops the connection when the call is cut off', async () => {
    const { ask, faults } = reading();
    const controller = new AbortController();
    const context = aContext({ signal: controller.signal });

    const asked = ask('sleep', context).catch((error: unknown) => error);
    await eventually(async () =>
      expect(await connectionsOf(READER.user)).toEqual(['SELECT SLEEP(60)']),
    );
    controller.abort('cut off');

    expect(await asked).toBe('cut off');
    await context.atRunEnd.disposeAsync();
    await eventually(async () => expect(await connectionsOf(READER.user)).toEqual([]));
    expect(faults).toEqual([]);
  });

  it('opens no connection for a call that is over before it begins', async () => {
    const { ask } = reading();
    const before = await server.sql("SHOW GLOBAL STATUS LIKE 'Connections'");

    const asked = ask('orders', aContext({ signal: AbortSignal.abort('over') }));

    await expect(asked).rejects.toBe('over');
    expect(await server.sql("SHOW GLOBAL STATUS LIKE 'Connections'")).toEqual(before);
  });

  it('takes from a million rows no more than asked for, and the server stops sending', async () => {
    await using relay = await startRelay(server.port);
    const { ask } = anAdapter({ writer: server.endpoint(READER, { port: relay.port }) }, QUERIES);
    const context = aContext();

    const result = contentOf(await ask('million', context));
    await context.atRunEnd.disposeAsync();

    expect(result.rows.map(([cell]) => cell)).toEqual(
      Array.from({ length: 50 }, (_, index) => String(index + 1)),
    );
    expect(result.rows_cut).toBe(true);
    expect(relay.bytesDown()).toBeLessThan(MEGABYTE);
    await eventually(async () => expect(await connectionsOf(READER.user)).toEqual([]));
  });

  it('does not call a result cut that ends at the limit', async () => {
    const { rows, rows_cut } = contentOf(await reading().ask('exact'));

    expect([rows.length, rows_cut]).toEqual([50, false]);
  });

  it('stops reading a result whose values are too large', async () => {
    await using relay = await startRelay(server.port);
    const { ask } = anAdapter({ writer: server.endpoint(READER, { port: relay.port }) }, QUERIES);

    expect(codeOf(await ask('huge'))).toBe('RAW_TOO_LARGE');
    expect(relay.bytesDown()).toBeLessThan(50 * MEGABYTE);
  });

  it('goes on with a new connection after one that had to be dropped', async () => {
    const { ask } = reading();
    const context = aContext();

    await ask('million', context);

    expect(contentOf(await ask('orders', context)).rows).toEqual([['1']]);
  });

  it('keeps its connection after a statement that the server refuses', async () => {
    const { ask, faults } = reading();
    const context = aContext();

    const before = contentOf(await ask('connection', context)).rows;
    const refused = await ask('no_table', context);

    expect(codeOf(refused)).toBe('SOURCE_FAILED');
    expect(contentOf(await ask('connection', context)).rows).toEqual(before);
    expect(faults).toEqual(['ER_NO_SUCH_TABLE']);
  });

  it('has columns and no rows where nothing matches', async () => {
    expect(contentOf(await reading().ask('nothing'))).toEqual({
      columns: ['id'],
      rows: [],
      rows_cut: false,
      live_state: true,
    });
  });

  it('says that a table is forbidden', async () => {
    expect(codeOf(await reading().ask('forbidden'))).toBe('SOURCE_DENIED');
  });
});
