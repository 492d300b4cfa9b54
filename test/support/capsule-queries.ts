import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeMysqlResult } from '../../functions/diagnosis/tools/query-mysql/mysql-result.ts';
import { loadQueryCatalog } from '../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import { SnapshotMysqlAdapter } from '../../functions/diagnosis/tools/query-mysql/snapshot-mysql-adapter.ts';
import type { Incident } from '../../shared/contracts/incident.ts';

const SKILLS = fileURLToPath(new URL('../../skills', import.meta.url));

export const shippedQueries = await loadQueryCatalog({ playbooksFolder: SKILLS });

/** Rows by column name. */
export type Row = Readonly<Record<string, string | null>>;

/**
 * Asks the snapshot of a capsule's folder a shipped query, with defaults for all parameters but those
 * given.
 * @throws Error with the error code where the query fails
 */
export async function askCapsule(
  folder: string,
  { as_of, bindings = {} }: Incident,
  name: string,
  parameters: Readonly<Record<string, string | number>> = {},
): Promise<Row[]> {
  const asOf = Date.parse(as_of);
  const adapter = new SnapshotMysqlAdapter({
    catalog: shippedQueries,
    folder: join(folder, 'mysql'),
    asOf,
    shippedSample: true,
  });
  const result = await adapter.call(
    { query_name: name, parameters },
    { asOf, bindings, signal: new AbortController().signal, atRunEnd: new AsyncDisposableStack() },
  );
  if (result.kind === 'failed') throw new Error(result.code);
  const { columns = [], rows = [] } = decodeMysqlResult(result.raw) ?? {};
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
  );
}
