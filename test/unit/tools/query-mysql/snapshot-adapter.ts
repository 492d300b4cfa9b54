import type { CallContext } from '../../../../functions/diagnosis/evidence/tool-adapter.ts';
import { loadQueryCatalog } from '../../../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import { SnapshotMysqlAdapter } from '../../../../functions/diagnosis/tools/query-mysql/snapshot-mysql-adapter.ts';
import { aFolder, aQueryFile } from './query-folder.ts';

/** The instant of {@link aSnapshotAdapter}'s snapshot. */
export const AS_OF = Date.parse('2026-11-30T09:00:00Z');

/** The one table of the application's schema. */
export const ORDERS = {
  columns: [
    { name: 'id', type: 'BIGINT UNSIGNED' },
    { name: 'Tenant_Id', type: 'varchar(16)' },
    { name: 'state', type: 'varchar(16)' },
    { name: 'amount', type: 'DECIMAL(12,2)' },
    { name: 'created_at', type: 'DATETIME' },
    { name: 'payload', type: 'BLOB' },
  ],
  rows: [
    [1, 't-1', 'PAYING', '12.50', '2026-11-30 08:30:00', null],
    [2, 't-1', 'paying', '7.25', '2026-11-30 08:59:59', { base64: '3q2+7w==' }],
    [3, 't-2', 'PAYING', '1', '2026-11-30 08:59:59', null],
    [4, 't-1', 'PAID', '3', '2026-11-30 07:59:59', null],
  ],
};

const PROCESSES = {
  columns: [
    { name: 'ID', type: 'bigint unsigned' },
    { name: 'INFO', type: 'longtext' },
  ],
  rows: [[9, 'SELECT 1']],
};

// Written as text, since JavaScript has no such number.
const COUNTERS = `{"columns": [{"name": "variable_name", "type": "varchar(64)"},
  {"name": "v", "type": "bigint unsigned"}],
  "rows": [["a", 18446744073709551615], ["b", 9007199254740993], ["c", -5]]}`;

/** An adapter over a small snapshot and the given query files. */
export async function aSnapshotAdapter(
  files: Record<string, string>,
  { asOf = AS_OF, shippedSample = false }: { asOf?: number; shippedSample?: boolean } = {},
) {
  const playbooksFolder = await aFolder(
    Object.fromEntries(
      Object.entries(files).map(([name, file]) => [`x/queries/${name}.sql`, file]),
    ),
  );
  const folder = await aFolder({
    'shop/orders.json': JSON.stringify(ORDERS),
    'information_schema/processlist.json': JSON.stringify(PROCESSES),
    'performance_schema/global_status.json': COUNTERS,
  });
  const catalog = await loadQueryCatalog({ playbooksFolder });
  return new SnapshotMysqlAdapter({ catalog, folder, asOf, shippedSample });
}

/** A call's context with what the test does not name left at its default. */
export function aContext(context: Partial<CallContext> = {}): CallContext {
  return {
    signal: new AbortController().signal,
    asOf: AS_OF,
    bindings: {},
    atRunEnd: new AsyncDisposableStack(),
    ...context,
  };
}

/** The raw result of one query file's statement as an object, or the code it failed with. */
export async function answerOf(file: string, context: Partial<CallContext> = {}, parameters = {}) {
  const adapter = await aSnapshotAdapter({ q: file });
  const result = await adapter.call({ query_name: 'q', parameters }, aContext(context));
  return 'raw' in result ? JSON.parse(new TextDecoder().decode(result.raw)) : result.code;
}

/** The rows that a statement gives without parameters. */
export const rowsOf = async (sql: string) => (await answerOf(aQueryFile(sql))).rows;
