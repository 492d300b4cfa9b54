import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  eventually,
  freePort,
  type MariaDb,
  missingMariaDb,
  READER,
  SERVER_TIMEOUT_MS,
  startMariaDb,
} from '../support/mariadb.ts';
import { aContext, anAdapter, aQuery, codeOf, contentOf } from '../support/mysql-adapter.ts';
import { startRelay } from '../support/tcp-relay.ts';

const QUERIES = [
  aQuery('one', 'SELECT 1'),
  aQuery('sleep', 'SELECT SLEEP(60)', { timeout_ms: 60_000 }),
  aQuery('short', 'SELECT SLEEP(50)', { timeout_ms: 3_000 }),
];

const MAX_CONNECTIONS = 12;
const ROOT_CONNECTIONS = 1; // the one that the tests themselves hold

describe.skipIf(missingMariaDb !== null)('query_mysql on a server in trouble', () => {
  let server: MariaDb;

  beforeAll(async () => {
    server = await startMariaDb([`--max-connections=${MAX_CONNECTIONS}`]);
  }, SERVER_TIMEOUT_MS);

  afterAll(() => server[Symbol.asyncDispose]());

  const through = (port: number) =>
    anAdapter({ writer: server.endpoint(READER, { port }) }, QUERIES);
  const running = async () => {
    const rows = await server.sql(
      `SELECT info FROM information_schema.processlist WHERE user = '${READER.user}'`,
    );
    return rows.map(({ info }) => info);
  };

  it('that is not there is SOURCE_UNAVAILABLE', async () => {
    const { ask, faults } = through(await freePort());

    expect(codeOf(await ask('one'))).toBe('SOURCE_UNAVAILABLE');
    expect(faults).toEqual(['ECONNREFUSED']);
  });

  it('that takes the connection and never answers is SOURCE_UNAVAILABLE', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const address = silent.address();
    const { ask, faults } = through(typeof address === 'object' ? (address?.port ?? 0) : 0);

    expect(codeOf(await ask('one'))).toBe('SOURCE_UNAVAILABLE');
    expect(faults).toEqual(['ETIMEDOUT']);
  });

  it('that speaks something else is SOURCE_UNAVAILABLE', async () => {
    const other = createServer((socket) => {
      socket.on('error', () => {}); // the driver hangs up on it
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const { ask } = through(typeof address === 'object' ? (address?.port ?? 0) : 0);

    expect(codeOf(await ask('one'))).toBe('SOURCE_UNAVAILABLE');
  });

  it('that refuses the password is SOURCE_DENIED', async () => {
    const wrong = { ...READER, password: 'wrong-canary-9Hv' };
    const { ask, faults } = anAdapter({ writer: server.endpoint(wrong) }, QUERIES);

    expect(codeOf(await ask('one'))).toBe('SOURCE_DENIED');
    expect(faults).toEqual(['ER_ACCESS_DENIED_ERROR']);
  });

  it('takes a credential that was renewed between two runs, and not the old one', async () => {
    const user = { user: 'rotated', password: 'before' };
    await server.sql(
      `CREATE USER rotated@'%' IDENTIFIED BY 'before'`,
      'GRANT SELECT ON shop.* TO rotated',
    );
    const writer = server.endpoint(user);
    const { ask } = anAdapter({ writer }, QUERIES);

    const fresh = codeOf(await ask('one'));
    await server.sql(`ALTER USER rotated@'%' IDENTIFIED BY 'after'`);
    const expired = codeOf(await ask('one'));
    writeFileSync(writer.login.kind === 'PASSWORD_FILE' ? writer.login.file : '', 'after\n');
    const renewed = codeOf(await ask('one'));

    expect([fresh, expired, renewed]).toEqual(['a result', 'SOURCE_DENIED', 'a result']);
  });

  it('that has no connection left is SOURCE_UNAVAILABLE, and answers when it has one', async () => {
    const { port } = server;
    const held = [];
    for (let count = ROOT_CONNECTIONS; count < MAX_CONNECTIONS; count += 1) {
      held.push(await mysql.createConnection({ host: '127.0.0.1', port, ...READER }));
    }
    const { ask, faults } = through(port);

    const full = codeOf(await ask('one'));
    await Promise.all(held.map((connection) => connection.end()));
    await eventually(async () => expect(await running()).toEqual([]));
    const free = codeOf(await ask('one'));

    expect([full, free]).toEqual(['SOURCE_UNAVAILABLE', 'a result']);
    expect(faults).toEqual(['ER_CON_COUNT_ERROR']);
  });

  it('that allows its user no further connection is SOURCE_UNAVAILABLE', async () => {
    await server.sql(
      "CREATE USER few@'%' IDENTIFIED BY 'few' WITH MAX_USER_CONNECTIONS 1",
      'GRANT SELECT ON shop.* TO few',
    );
    const { ask } = anAdapter(
      { writer: server.endpoint({ user: 'few', password: 'few' }) },
      QUERIES,
    );
    await ask('one', aContext());

    expect(codeOf(await ask('one', aContext()))).toBe('SOURCE_UNAVAILABLE');
  });

  it('whose connection breaks under a statement is SOURCE_UNAVAILABLE', async () => {
    await using relay = await startRelay(server.port);
    const { ask } = through(relay.port);

    const asked = ask('sleep');
    await eventually(async () => expect(await running()).toContain('SELECT SLEEP(60)'));
    relay.cut();

    expect(codeOf(await asked)).toBe('SOURCE_UNAVAILABLE');
  });

  it('whose connection broke between two calls is asked on a new one', async () => {
    await using relay = await startRelay(server.port);
    const { ask } = through(relay.port);
    const context = aContext();

    await ask('one', context);
    relay.cut();
    await eventually(async () =>
      expect(contentOf(await ask('one', context)).rows).toEqual([['1']]),
    );
  });

  it('that stalls keeps no call beyond its signal; its own timeout ends what could not be killed', async () => {
    await using relay = await startRelay(server.port);
    const { ask, faults } = through(relay.port);
    const controller = new AbortController();
    const context = aContext({ signal: controller.signal });

    const asked = ask('short', context).catch((error: unknown) => error);
    await eventually(async () => expect(await running()).toContain('SELECT SLEEP(50)'));
    relay.stall();
    controller.abort('cut off');

    expect(await asked).toBe('cut off');
    await context.atRunEnd.disposeAsync();
    expect(faults).toEqual(['MYSQL_STATEMENT_NOT_KILLED']);
    await eventually(async () => expect(await running()).not.toContain('SELECT SLEEP(50)'));
  });

  it('tells nobody where it is or who asks', async () => {
    const wrong = { user: 'canary_user_3Tz', password: 'wrong-canary-9Hv' };
    const { ask, faults } = anAdapter({ writer: server.endpoint(wrong) }, QUERIES);

    const told = JSON.stringify([await ask('one'), faults]);

    expect(told).not.toMatch(/canary|127\.0\.0\.1|localhost/);
    expect(told).not.toContain(String(server.port));
  });
});
