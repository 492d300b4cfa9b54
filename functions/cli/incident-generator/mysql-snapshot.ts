import type { MysqlSession } from './mysql-session.ts';
import type { SeededRandom } from './seeded-random.ts';
import { sessionTables } from './server-tables.ts';
import {
  applierTable,
  type DigestShape,
  digestTable,
  indexTable,
  indexUseTable,
  receiverTable,
  sizeTable,
  type TableSize,
  variableTable,
} from './statistics-tables.ts';
import type { TableSnapshot } from './table-snapshot.ts';

/** One table of the application: its size, and its indexes with columns, cardinality and reads. */
export interface ServerTable extends TableSize {
  readonly indexes: readonly {
    readonly index: string;
    readonly columns: readonly (readonly [name: string, cardinality: number])[];
    readonly reads: number;
  }[];
  /** Rows read by scans since the start of the server. */
  readonly scanned: number;
  readonly writes: number;
}

const ROW_BYTES = 230;
const ENTRY_BYTES = 42;
const MIB = 1_048_576;

/**
 * A table of `rows` rows; `indexes` lists the columns of each index as `name:cardinality, …`, as many
 * as rows where no cardinality is given.
 */
export function serverTable(
  table: string,
  rows: number,
  indexes: Readonly<Record<string, string>>,
  { scanned = 0, writes = Math.floor(rows / 11) } = {},
): ServerTable {
  const names = Object.keys(indexes);
  return {
    table,
    rows,
    dataMib: Math.max(1 / 64, (rows * ROW_BYTES) / MIB),
    indexMib: (rows * ENTRY_BYTES * Math.max(0, names.length - 1)) / MIB,
    scanned,
    writes,
    indexes: Object.entries(indexes).map(([index, columns], position) => ({
      index,
      reads: Math.floor((rows * 5) / (position * 3 + 2)),
      columns: columns.split(',').map((column) => {
        const [name = '', cardinality = `${rows}`] = column.trim().split(':');
        return [name, Number(cardinality)] as const;
      }),
    })),
  };
}

/** A MySQL server as an incident needs it told. */
export interface MysqlServer {
  readonly schema: string;
  readonly asOf: number;
  readonly sessions: readonly MysqlSession[];
  readonly digests: readonly DigestShape[];
  readonly tables: readonly ServerTable[];
  readonly maxConnections: number;
  /** Connection attempts that failed since the start of the server. */
  readonly abortedConnects: number;
}

/** The tables of the server's own schemas, without those of the application. */
export function mysqlSnapshot(
  random: SeededRandom,
  server: MysqlServer,
): Map<string, TableSnapshot> {
  const { schema, asOf, sessions, tables } = server;
  const [first] = tables;
  const place = { schema, table: first?.table ?? '', index: first?.indexes[0]?.index ?? '' };
  return new Map([
    ...sessionTables(place, sessions),
    ['performance_schema/global_status', variableTable(status(random, server))],
    ['performance_schema/global_variables', variableTable(settings(server))],
    [
      'performance_schema/events_statements_summary_by_digest',
      digestTable(random, { schema, asOf }, server.digests),
    ],
    [
      'performance_schema/table_io_waits_summary_by_index_usage',
      indexUseTable(schema, tables.flatMap(indexUses)),
    ],
    ['performance_schema/replication_applier_status_by_worker', applierTable(asOf)],
    ['performance_schema/replication_connection_status', receiverTable()],
    ['information_schema/tables', sizeTable(schema, tables)],
    [
      'information_schema/statistics',
      indexTable(
        schema,
        tables.flatMap(({ table, indexes }) => indexes.map((index) => ({ table, ...index }))),
      ),
    ],
  ]);
}

function status(random: SeededRandom, { sessions, abortedConnects }: MysqlServer) {
  const running = sessions.filter((session) => session.running !== null).length;
  return {
    Threads_connected: `${sessions.length - 1}`,
    Threads_running: `${running + 2}`,
    Max_used_connections: `${sessions.length + random.integer(20, 60)}`,
    Aborted_connects: `${abortedConnects}`,
    Connection_errors_max_connections: '0',
    Innodb_row_lock_current_waits: '0',
  };
}

function settings({ maxConnections }: MysqlServer) {
  return {
    max_connections: `${maxConnections}`,
    wait_timeout: '28800',
    innodb_lock_wait_timeout: '50',
    transaction_isolation: 'REPEATABLE-READ',
    performance_schema: 'ON',
  };
}

function indexUses({ table, indexes, scanned, writes }: ServerTable) {
  return [
    ...indexes.map(({ index, reads }, position) => ({
      table,
      index,
      fetched: reads,
      updated: position === 0 ? Math.floor(writes / 2) : 0,
    })),
    { table, index: null, fetched: scanned, inserted: Math.ceil(writes / 2) },
  ];
}
