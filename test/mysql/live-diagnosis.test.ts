import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MysqlAdapter } from '../../functions/diagnosis/tools/query-mysql/mysql-adapter.ts';
import { QueryCatalog } from '../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import { createQueryMysqlTool } from '../../functions/diagnosis/tools/query-mysql/query-mysql-tool.ts';
import type { MysqlEndpoint } from '../../shared/contracts/mysql-source.ts';
import { conclude } from '../support/drafts.ts';
import {
  eventually,
  type MariaDb,
  missingMariaDb,
  READER,
  ROOT,
  SERVER_TIMEOUT_MS,
  startMariaDb,
} from '../support/mariadb.ts';
import { aQuery } from '../support/mysql-adapter.ts';
import { type Played, play, rawCall, round } from '../support/played.ts';

const TENANT = 'tenant-canary-6Wq';

/** What may leave the database in no form. */
const CELLS = {
  card_no: '6222020200112233445',
  id_card: '11010519491231002X',
  api_key: 'api-canary-8Fj2kLm',
  note: 'password=note-canary-1Bd phone 13912345678',
};

const QUERIES = [
  aQuery(
    'customers',
    'SELECT id, card_no, id_card, api_key, note FROM customers WHERE tenant_id = :tenant_id',
    { parameters: { tenant_id: { type: 'string', bind: 'caller', max_bytes: 64 } } },
  ),
  aQuery('connection', 'SELECT CONNECTION_ID()'),
];

const ASKED = { query_name: 'customers', parameters: {} };

describe.skipIf(missingMariaDb !== null)('a diagnosis that asks a live server', () => {
  let server: MariaDb;

  beforeAll(async () => {
    server = await startMariaDb();
    const columns = Object.keys(CELLS).map((name) => `${name} VARCHAR(100)`);
    const values = Object.values(CELLS).map((value) => `'${value}'`);
    await server.sql(
      `CREATE TABLE shop.customers (id INT, tenant_id VARCHAR(64), ${columns.join(', ')})`,
      `INSERT INTO shop.customers VALUES (7, '${TENANT}', ${values.join(', ')})`,
      "INSERT INTO shop.customers (id, tenant_id) VALUES (8, 'another')",
    );
  }, SERVER_TIMEOUT_MS);

  afterAll(() => server[Symbol.asyncDispose]());

  const diagnose = async (
    writer: MysqlEndpoint,
    calls: readonly object[],
    bindings: Readonly<Record<string, string>> = { tenant_id: TENANT },
  ) => {
    const faults: { name: string }[] = [];
    const catalog = new QueryCatalog(QUERIES);
    const adapter = new MysqlAdapter({
      catalog,
      server: { writer },
      reportFault: (fault) => faults.push(fault),
    });
    const played = await play(
      [...calls.map((call) => round(rawCall('query_mysql', call))), conclude()],
      { evidence: [createQueryMysqlTool({ catalog, adapter })], request: { bindings } },
    );
    return { ...played, sourceFaults: faults };
  };

  it('shows the caller’s row and none of its secrets, anywhere', async () => {
    const logged = [
      vi.spyOn(console, 'log'),
      vi.spyOn(console, 'warn'),
      vi.spyOn(console, 'error'),
    ];

    const played = await diagnose(server.endpoint(ROOT), [{ input: ASKED }]);

    const [shown] = played.shownAfter(1);
    expect(shown).toMatchObject({
      evidence_status: 'EVIDENCE_FOUND',
      source_kind: 'MYSQL',
      live_state: true,
      returned_count: 1,
      rows: [expect.stringContaining('id=7 card_no=<hidden> id_card=<hidden> api_key=<hidden>')],
    });
    expect(played.sourceFaults).toEqual([{ name: 'MYSQL_USER_CAN_WRITE' }]);
    const told = JSON.stringify([toldIn(played), logged.map(({ mock }) => mock.calls)]);
    for (const cell of Object.values(CELLS)) expect(told).not.toContain(cell);
    expect(told).not.toMatch(/canary|13912345678|127\.0\.0\.1/);
    expect(told).not.toContain(ROOT.password);
  });

  it('tells no secret of a login that fails', async () => {
    const wrong = { user: 'user-canary-2Nc', password: 'wrong-canary-9Hv' };

    const played = await diagnose(server.endpoint(wrong), [{ input: ASKED }]);

    expect(played.shownAfter(1)).toMatchObject([{ error_code: 'SOURCE_DENIED' }]);
    expect(played.sourceFaults).toEqual([{ name: 'ER_ACCESS_DENIED_ERROR' }]);
    expect(JSON.stringify(toldIn(played))).not.toMatch(/canary|127\.0\.0\.1/);
  });

  it('lets the model neither set nor read what the caller binds', async () => {
    const setting = { ...ASKED, parameters: { tenant_id: 'another' } };

    const { requests, shownAfter, invocations } = await diagnose(server.endpoint(READER), [
      { input: setting },
    ]);

    expect(shownAfter(1)).toMatchObject([
      { error_code: 'INVALID_INPUT', fields: ['input.parameters.tenant_id'] },
    ]);
    expect(invocations).toEqual([]);
    expect(JSON.stringify(requests[0])).not.toContain('tenant');
  });

  it('asks nothing without the caller’s binding', async () => {
    const { shownAfter } = await diagnose(server.endpoint(READER), [{ input: ASKED }], {});

    expect(shownAfter(1)).toMatchObject([{ error_code: 'BINDING_MISSING' }]);
  });

  it('holds one connection while it runs and none when it is over', async () => {
    const connection = { query_name: 'connection', parameters: {} };
    const evaluated = { previous_observation: { tool_call_id: 'call-1', evaluation: 'GAINED' } };

    const { shownAfter } = await diagnose(server.endpoint(READER), [
      { input: ASKED },
      { ...evaluated, input: connection },
    ]);

    expect(shownAfter(2)).toMatchObject([{ tool_call_id: 'call-2', returned_count: 1 }]);
    expect(await opened(server)).toBe(1);
    await eventually(async () => expect(await held(server)).toEqual([]));
  });
});

/** Everything that a model, a caller, an operator or an auditor gets to see; raw results are kept apart. */
function toldIn({ outcome, requests, steps, invocations, faults }: Played) {
  return [outcome, requests.map(({ body }) => body), steps, invocations, faults];
}

async function held(server: MariaDb) {
  return server.sql(`SELECT id FROM information_schema.processlist WHERE user = '${READER.user}'`);
}

/** Connections of the reader since the server started. */
async function opened(server: MariaDb): Promise<number> {
  const [row] = await server.sql(
    `SELECT total_connections AS total FROM performance_schema.users WHERE user = '${READER.user}'`,
  );
  return Number(row?.['total']);
}
