import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MariaDb } from './mariadb.ts';

/** Everything lasting that a statement could change on a server. */
export interface ServerState {
  readonly tables: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly accounts: readonly unknown[];
  readonly programs: readonly unknown[];
  readonly files: readonly string[];
}

/** Checksums of all tables, every global variable, every account, every stored program, every file's name. */
export async function stateOf(server: MariaDb): Promise<ServerState> {
  const tables = await server.sql(
    `SELECT CONCAT('\`', table_schema, '\`.\`', table_name, '\`') AS name FROM information_schema.tables
      WHERE table_type IN ('BASE TABLE', 'SEQUENCE')
        AND table_schema NOT IN ('information_schema', 'performance_schema') ORDER BY 1`,
  );
  const names = tables.map(({ name }) => name).join(', ');
  const checksums = await server.sql(`CHECKSUM TABLE ${names}`);
  const variables = await server.sql('SHOW GLOBAL VARIABLES');
  return {
    tables: Object.fromEntries(checksums.map((row) => [row['Table'], row['Checksum']])),
    variables: Object.fromEntries(variables.map((row) => [row['Variable_name'], row['Value']])),
    accounts: await server.sql('SELECT * FROM mysql.global_priv ORDER BY User, Host'),
    programs: [
      ...(await server.sql('SELECT * FROM information_schema.routines ORDER BY specific_name')),
      ...(await server.sql('SELECT * FROM information_schema.triggers')),
      ...(await server.sql('SELECT * FROM information_schema.events')),
      ...(await server.sql('SELECT * FROM information_schema.views ORDER BY table_name')),
    ],
    files: readdirSync(join(server.folder, 'data'), { recursive: true }).map(String).sort(),
  };
}
