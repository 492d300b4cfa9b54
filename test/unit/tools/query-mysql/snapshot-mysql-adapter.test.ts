import { describe, expect, it } from 'vitest';
import { loadQueryCatalog } from '../../../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import { SnapshotMysqlAdapter } from '../../../../functions/diagnosis/tools/query-mysql/snapshot-mysql-adapter.ts';
import { aFolder, aQueryFile, LOOKBACK, TENANT } from './query-folder.ts';
import { AS_OF, aContext, answerOf, aSnapshotAdapter, ORDERS, rowsOf } from './snapshot-adapter.ts';

describe('a windowed query', () => {
  const file = aQueryFile(
    `SELECT id, amount FROM orders
WHERE tenant_id = :tenant_id AND created_at >= :window_from AND created_at <= :window_to
ORDER BY id LIMIT 20`,
    { header: { temporal: 'windowed' }, parameters: `${LOOKBACK}\n${TENANT}` },
  );

  it('binds the window from as_of and the tenant from the caller', async () => {
    const adapter = await aSnapshotAdapter({ q: file });
    const context = aContext({ bindings: { tenant_id: 't-1' } });

    const result = await adapter.call({ query_name: 'q', parameters: {} }, context);

    expect(result).toEqual({
      kind: 'result',
      raw: new TextEncoder().encode(
        '{"columns":["id","amount"],"rows":[["1","12.5"],["2","7.25"]],"rows_cut":false,"live_state":false}',
      ),
      sourceKind: 'SQLITE',
      window: { from: '2026-11-30T08:00:00.000Z', to: '2026-11-30T09:00:00.000Z' },
      executed: {
        statement: expect.stringContaining(':tenant_id'),
        window: { from: '2026-11-30T08:00:00.000Z', to: '2026-11-30T09:00:00.000Z' },
        sources: [expect.stringMatching(/^query-mysql-/)],
      },
    });
  });

  it('reaches back as far as the model asks', async () => {
    const parameters = { lookback_minutes: 1 };

    const answer = await answerOf(file, { bindings: { tenant_id: 't-1' } }, parameters);

    expect(answer.rows).toEqual([['2', '7.25']]);
  });

  it.each([
    ['absent', {}],
    ['too long', { tenant_id: 't-12345678901234567' }],
  ])('does not run when the binding is %s', async (_case, bindings) => {
    expect(await answerOf(file, { bindings })).toBe('BINDING_MISSING');
  });

  it("does not take the model's word for the tenant", async () => {
    expect(await answerOf(file, {}, { tenant_id: 't-2' })).toBe('BINDING_MISSING');
  });
});

describe('a live query', () => {
  const file = aQueryFile('SELECT id FROM information_schema.PROCESSLIST');

  it.each([
    ['the very instant of the snapshot', AS_OF, false],
    ['another instant', AS_OF - 60_000, true],
  ])('asked for %s says whether its state is of later', async (_case, asOf, isLive) => {
    const answer = await answerOf(file, { asOf });

    expect(answer).toEqual({ columns: ['ID'], rows: [['9']], rows_cut: false, live_state: isLive });
  });
});

describe('rows of a snapshot', () => {
  it('stop at the limit of the header and say that there were more', async () => {
    const file = aQueryFile('SELECT id FROM orders ORDER BY id LIMIT 20', {
      header: { row_limit: '2' },
    });

    const answer = await answerOf(file);

    expect(answer).toEqual({
      columns: ['id'],
      rows: [['1'], ['2']],
      rows_cut: true,
      live_state: false,
    });
  });

  it('keep integers of any length, bytes and NULL', async () => {
    expect(await rowsOf('SELECT v FROM performance_schema.global_status')).toEqual([
      ['18446744073709551615'],
      ['9007199254740993'],
      ['-5'],
    ]);
    expect(await rowsOf('SELECT payload FROM orders WHERE id IN (1, 2) LIMIT 5')).toEqual([
      [null],
      ['0xdeadbeef'],
    ]);
  });

  it("compare text without letter case, as MySQL's default collation does", async () => {
    expect(await rowsOf("SELECT COUNT(*) FROM orders WHERE state = 'Paying'")).toEqual([['3']]);
  });
});

describe('a call that cannot be answered', () => {
  it('for want of the query is QUERY_UNKNOWN', async () => {
    const adapter = await aSnapshotAdapter({});

    const result = await adapter.call({ query_name: 'q', parameters: {} }, aContext());

    expect(result).toEqual({ kind: 'failed', code: 'QUERY_UNKNOWN', executed: null });
  });

  it.each([
    ['a table', 'SELECT id FROM refunds WHERE id = 1 LIMIT 1'],
    ['a column', 'SELECT refunded FROM orders WHERE id = 1 LIMIT 1'],
    ['a schema in front of its table', 'SELECT id FROM processlist WHERE id = 1 LIMIT 1'],
    ['SHOW', 'SHOW PROCESSLIST'],
    ['a time unit', 'SELECT TIMESTAMPDIFF(MONTH, NOW(), NOW())'],
  ])('for want of %s is SOURCE_FAILED', async (_case, sql) => {
    expect(await answerOf(aQueryFile(sql))).toBe('SOURCE_FAILED');
  });

  it('for want of the folder is SOURCE_UNAVAILABLE', async () => {
    const playbooksFolder = await aFolder({ 'x/queries/q.sql': aQueryFile('SELECT 1') });
    const catalog = await loadQueryCatalog({ playbooksFolder });
    const options = { catalog, folder: '/nowhere', asOf: AS_OF, shippedSample: false };

    const result = await new SnapshotMysqlAdapter(options).call(
      { query_name: 'q', parameters: {} },
      aContext(),
    );

    expect(result).toMatchObject({ kind: 'failed', code: 'SOURCE_UNAVAILABLE' });
  });

  it.each([
    ['a file that is no JSON', { 'shop/a.json': '{' }],
    [
      'a row of another width',
      { 'shop/a.json': '{"columns":[{"name":"a","type":"int"}],"rows":[[]]}' },
    ],
    [
      'a cell of no known kind',
      { 'shop/a.json': '{"columns":[{"name":"a","type":"int"}],"rows":[[{}]]}' },
    ],
    [
      'two application schemas',
      { 'a/t.json': JSON.stringify(ORDERS), 'b/t.json': JSON.stringify(ORDERS) },
    ],
  ])('throws for %s', async (_case, files: Record<string, string>) => {
    const playbooksFolder = await aFolder({ 'x/queries/q.sql': aQueryFile('SELECT 1') });
    const catalog = await loadQueryCatalog({ playbooksFolder });
    const folder = await aFolder(files);
    const adapter = new SnapshotMysqlAdapter({
      catalog,
      folder,
      asOf: AS_OF,
      shippedSample: false,
    });

    await expect(adapter.call({ query_name: 'q', parameters: {} }, aContext())).rejects.toThrow();
  });

  it('throws when it was aborted before', async () => {
    const adapter = await aSnapshotAdapter({ q: aQueryFile('SELECT 1') });
    const signal = AbortSignal.abort(new Error('deadline'));

    const call = adapter.call({ query_name: 'q', parameters: {} }, aContext({ signal }));

    await expect(call).rejects.toThrow('deadline');
  });
});

it('calls shipped sample data MOCK', async () => {
  const adapter = await aSnapshotAdapter({ q: aQueryFile('SELECT 1') }, { shippedSample: true });

  const result = await adapter.call({ query_name: 'q', parameters: {} }, aContext());

  expect(result).toMatchObject({ kind: 'result', sourceKind: 'MOCK' });
});
