import { describe, expect, it } from 'vitest';
import {
  loadQueryCatalog,
  QueryCatalog,
} from '../../../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import { toSqliteStatement } from '../../../../functions/diagnosis/tools/query-mysql/snapshot-dialect.ts';
import { aFolder, aQueryFile, LOOKBACK, TENANT } from './query-folder.ts';

const WINDOWED = `SELECT COUNT(*) FROM t_order
WHERE tenant_id = :tenant_id AND created_at >= :window_from AND created_at <= :window_to`;

async function refusalOf(file: string): Promise<string> {
  const playbooksFolder = await aFolder({ 'diagnose-x/queries/orders.sql': file });
  return loadQueryCatalog({ playbooksFolder }).then(
    () => 'loaded',
    (error: unknown) => String(error).replace(playbooksFolder, ''),
  );
}

describe('a query file', () => {
  it('is read into name, header and statement', async () => {
    const file = aQueryFile(`${WINDOWED};`, {
      header: { temporal: 'windowed' },
      parameters: `${LOOKBACK}\n${TENANT}`,
    });
    const playbooksFolder = await aFolder({ 'diagnose-x/queries/orders.sql': file });

    const catalog = await loadQueryCatalog({ playbooksFolder });

    expect(catalog.list()).toEqual([
      {
        name: 'orders',
        statement: WINDOWED,
        header: {
          description: 'Orders by state.',
          target: 'reader',
          temporal: 'windowed',
          row_limit: 20,
          timeout_ms: 5000,
          parameters: {
            lookback_minutes: {
              type: 'integer',
              bind: 'model',
              min: 1,
              max: 1440,
              default: 60,
              description: 'Minutes before as_of',
            },
            tenant_id: { type: 'string', bind: 'caller', max_bytes: 16 },
          },
        },
      },
    ]);
  });

  const integer = (name: string, more = '') =>
    `  ${name}:\n    type: integer\n    bind: model\n    min: 1\n    max: 9\n    description: d${more}`;

  it.each([
    ['no header', 'SELECT 1', 1],
    ['a header that is no YAML', '-- description: [\n\nSELECT 1', 1],
    ['a key twice', aQueryFile('SELECT 1').replace('-- target', '-- temporal: live\n-- target'), 4],
    ['a missing key', aQueryFile('SELECT 1').replace('-- target: reader\n', ''), 1],
    ['an unknown key', aQueryFile('SELECT 1', { header: { owner: 'me' } }), 1],
    ['a row limit out of bounds', aQueryFile('SELECT 1', { header: { row_limit: '201' } }), 4],
    ['a timeout out of bounds', aQueryFile('SELECT 1', { header: { timeout_ms: '99' } }), 5],
    ['an unknown target', aQueryFile('SELECT 1', { header: { target: 'both' } }), 2],
    [
      'a type without bounds',
      aQueryFile('SELECT :a', { parameters: '  a:\n    type: integer' }),
      8,
    ],
    [
      'min above max',
      aQueryFile('SELECT :a', { parameters: integer('a').replace('min: 1', 'min: 10') }),
      8,
    ],
    [
      'a model parameter without description',
      aQueryFile('SELECT :a', { parameters: integer('a').replace('\n    description: d', '') }),
      8,
    ],
    [
      'a default for a caller',
      aQueryFile('SELECT :tenant_id', { parameters: `${TENANT}\n    default: x` }),
      8,
    ],
    [
      'a default out of bounds',
      aQueryFile('SELECT :a', { parameters: integer('a', '\n    default: 10') }),
      15,
    ],
    ['an undeclared parameter', aQueryFile('SELECT 1,\n:b'), 8],
    ['an unused parameter', aQueryFile('SELECT 1', { parameters: integer('a') }), 14],
    ['a bare placeholder', aQueryFile('SELECT\n?'), 8],
    ['a refused statement', aQueryFile('SELECT SLEEP(1)'), 7],
    ['no statement', aQueryFile(''), 8],
    ['a live query with a window', aQueryFile('SELECT :window_from'), 7],
    [
      'a windowed query without one',
      aQueryFile('SELECT 1', { header: { temporal: 'windowed' } }),
      7,
    ],
    [
      'a window without lookback',
      aQueryFile('SELECT :window_from, :window_to', { header: { temporal: 'windowed' } }),
      7,
    ],
    [
      'a declared window',
      aQueryFile('SELECT :window_from', { parameters: integer('window_from') }),
      14,
    ],
  ])('with %s is refused with its line', async (_flaw, file, line) => {
    const refusal = await refusalOf(file);

    expect(refusal).toMatch(`CONFIGURATION_INVALID: /diagnose-x/queries/orders.sql:${line}: `);
  });
});

describe('the catalogue', () => {
  it('refuses a name that two folders use', async () => {
    const playbooksFolder = await aFolder({
      'diagnose-x/queries/orders.sql': aQueryFile('SELECT 1'),
    });
    const queriesFolder = await aFolder({ 'orders.sql': aQueryFile('SELECT 2') });

    const loading = loadQueryCatalog({ playbooksFolder, queriesFolder });

    await expect(loading).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' });
  });

  it('refuses a file name that is no query name', async () => {
    const queriesFolder = await aFolder({ 'Orders-By.sql': aQueryFile('SELECT 1') });
    const playbooksFolder = await aFolder({});

    const loading = loadQueryCatalog({ playbooksFolder, queriesFolder });

    await expect(loading).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' });
  });

  it('refuses a folder that is not there', async () => {
    const loading = loadQueryCatalog({ playbooksFolder: '/nowhere' });

    await expect(loading).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' });
  });

  it('lets a statement name a configured schema', async () => {
    const file = aQueryFile('SELECT id FROM pay.t_order WHERE id = 1 LIMIT 1');
    const playbooksFolder = await aFolder({ 'diagnose-x/queries/orders.sql': file });

    const catalog = await loadQueryCatalog({ playbooksFolder, applicationSchemas: ['pay'] });

    expect(catalog.get('orders')?.name).toBe('orders');
  });

  it('changes its hash with any statement', async () => {
    const one = await loadQueryCatalog({
      playbooksFolder: await aFolder({ 'x/queries/a.sql': aQueryFile('SELECT 1') }),
    });
    const two = await loadQueryCatalog({
      playbooksFolder: await aFolder({ 'x/queries/a.sql': aQueryFile('SELECT 2') }),
    });

    expect(one.hash()).not.toBe(two.hash());
    expect(new QueryCatalog(one.list()).hash()).toBe(one.hash());
  });

  it('holds shipped queries that a snapshot can answer', async () => {
    const catalog = await loadQueryCatalog({ playbooksFolder: 'skills' });

    const untranslatable = catalog
      .list()
      .filter(({ statement }) => toSqliteStatement(statement) === undefined);

    expect(untranslatable).toEqual([]);
  });
});
