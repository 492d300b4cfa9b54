import { describe, expect, it } from 'vitest';
import { loadQueryCatalog } from '../../../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import { createQueryMysqlTool } from '../../../../functions/diagnosis/tools/query-mysql/query-mysql-tool.ts';
import { aFolder, aQueryFile, LOOKBACK, TENANT } from './query-folder.ts';

const NO_ADAPTER = { call: () => Promise.reject(new Error('is not called here')) };

async function aTool() {
  const playbooksFolder = await aFolder({
    'x/queries/orders.sql': aQueryFile(
      `SELECT COUNT(*) FROM t_order
WHERE tenant_id = :tenant_id AND created_at >= :window_from AND created_at <= :window_to`,
      {
        header: { temporal: 'windowed', timeout_ms: '7000' },
        parameters: `${LOOKBACK}\n${TENANT}`,
      },
    ),
  });
  const catalog = await loadQueryCatalog({ playbooksFolder });
  return createQueryMysqlTool({ catalog, adapter: NO_ADAPTER });
}

async function keyOf(parameters: unknown, name = 'orders') {
  const prepared = (await aTool()).prepare({ query_name: name, parameters });
  return prepared.kind === 'valid' ? prepared.input.equivalence : prepared;
}

describe('the description', () => {
  it('names queries and what the model may set, never what only the caller may', async () => {
    const { description } = await aTool();

    expect(description).toContain('- orders (windowed): Orders by state.');
    expect(description).toContain('lookback_minutes: integer 1..1440, default 60');
    expect(description).not.toContain('tenant_id');
    expect(description).not.toContain('t_order');
  });
});

describe('a parameter in the description', () => {
  it.each([
    ['type: decimal', 'min: 0.5', 'decimal 0.5..9'],
    ['type: enum', 'values: [A, B]', 'one of A | B'],
    ['type: string', 'max_bytes: 20', 'string, at most 20 bytes'],
    ['type: datetime', '', 'RFC 3339 instant'],
    ['type: boolean', '', 'boolean'],
  ])('of %s says what it takes', async (type, bound, told) => {
    const lines = [type, bound, bound.startsWith('min') ? 'max: 9' : ''].filter(Boolean);
    const parameters = ['  p:', ...lines.map((line) => `    ${line}`)].join('\n');
    const file = aQueryFile('SELECT :p', {
      parameters: `${parameters}\n    bind: model\n    description: What it is`,
    });
    const catalog = await loadQueryCatalog({
      playbooksFolder: await aFolder({ 'x/queries/q.sql': file }),
    });

    const { description } = createQueryMysqlTool({ catalog, adapter: NO_ADAPTER });

    expect(description).toContain(`  - p: ${told}, required. What it is`);
  });

  it('is missing when there is no query', async () => {
    const catalog = await loadQueryCatalog({ playbooksFolder: await aFolder({}) });

    const { description } = createQueryMysqlTool({ catalog, adapter: NO_ADAPTER });

    expect(description).toContain('当前没有已编目的查询');
  });
});

describe('an input', () => {
  it.each([
    ['no object', 5, ['input']],
    ['no query', { parameters: {} }, ['input.query_name']],
    ['no parameters', { query_name: 'orders' }, ['input.parameters']],
    ['a key too many', { query_name: 'orders', parameters: {}, sql: 'x' }, ['input']],
    [
      'nested parameters',
      { query_name: 'orders', parameters: { lookback_minutes: [5] } },
      ['input.parameters.lookback_minutes'],
    ],
    [
      'a value above its bound',
      { query_name: 'orders', parameters: { lookback_minutes: 1441 } },
      ['input.parameters.lookback_minutes'],
    ],
    [
      "the caller's parameter",
      { query_name: 'orders', parameters: { tenant_id: 't-2' } },
      ['input.parameters.tenant_id'],
    ],
  ])('with %s is invalid and says where', async (_case, input, fields) => {
    expect((await aTool()).prepare(input)).toEqual({ kind: 'invalid', fields });
  });

  it('with an unknown query is left to the adapter', async () => {
    const prepared = (await aTool()).prepare({ query_name: 'refunds', parameters: {} });

    expect(prepared).toMatchObject({ kind: 'valid', input: { timeoutMs: null } });
  });

  it("has the query's own timeout", async () => {
    const prepared = (await aTool()).prepare({ query_name: 'orders', parameters: {} });

    expect(prepared).toMatchObject({ kind: 'valid', input: { timeoutMs: 7_000 } });
  });
});

describe('equivalence', () => {
  it('does not depend on whether a default is spelled out', async () => {
    expect(await keyOf({})).toEqual(await keyOf({ lookback_minutes: 60 }));
  });

  it('tells other values apart', async () => {
    expect(await keyOf({ lookback_minutes: 59 })).not.toEqual(await keyOf({}));
  });

  it('tells unknown queries apart', async () => {
    expect(await keyOf({}, 'a')).not.toEqual(await keyOf({}, 'b'));
  });
});
