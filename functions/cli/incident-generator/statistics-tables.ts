import type { SeededRandom } from './seeded-random.ts';
import { aTable, type Cell, type TableSnapshot } from './table-snapshot.ts';
import { MINUTE_MS, SECOND_MS, utcDateTime } from './wall-clock.ts';

const PICOSECONDS_PER_MS = 1_000_000_000;
const SERVER_DAYS_UP = 23;
const MIB = 1_048_576;

/** One shape of statement and what the server counted of it since its start. */
export interface DigestShape {
  readonly text: string;
  readonly calls: number;
  readonly avgMs: number;
  readonly maxMs: number;
  readonly sent: number;
  readonly examined: number;
  readonly errors?: number;
  /** True where it puts temporary tables on disk. */
  readonly temp?: boolean;
  readonly noIndex?: boolean;
  /** Since the start of the server unless given. */
  readonly firstSeen?: number;
  /** In the last seconds unless given. */
  readonly lastSeen?: number;
}

/** Digests of one schema at `asOf`; the calls vary by a fifth. */
export function digestTable(
  random: SeededRandom,
  { schema, asOf }: { readonly schema: string; readonly asOf: number },
  shapes: readonly DigestShape[],
): TableSnapshot {
  return aTable(
    'schema_name varchar, digest varchar, digest_text longtext, count_star bigint, sum_timer_wait bigint, avg_timer_wait bigint, max_timer_wait bigint, sum_lock_time bigint, sum_errors bigint, sum_rows_affected bigint, sum_rows_sent bigint, sum_rows_examined bigint, sum_created_tmp_disk_tables bigint, sum_created_tmp_tables bigint, sum_sort_merge_passes bigint, sum_no_index_used bigint, sum_no_good_index_used bigint, first_seen datetime, last_seen datetime',
    shapes.map((shape) => [schema, ...digestCells(random, asOf, shape)]),
  );
}

function digestCells(random: SeededRandom, asOf: number, shape: DigestShape): Cell[] {
  const calls = Math.floor(shape.calls * (0.8 + random.fraction() / 5));
  const avg = Math.round(shape.avgMs * PICOSECONDS_PER_MS);
  return [
    random.hex(64),
    shape.text,
    calls,
    calls * avg,
    avg,
    shape.maxMs * PICOSECONDS_PER_MS,
    calls * 900_000,
    shape.errors ?? 0,
    shape.sent === 0 ? calls : 0,
    calls * shape.sent,
    calls * shape.examined,
    shape.temp ? Math.floor(calls / 90) : 0,
    shape.temp ? calls : 0,
    0,
    shape.noIndex ? calls : 0,
    0,
    utcDateTime(shape.firstSeen ?? asOf - SERVER_DAYS_UP * 1_440 * MINUTE_MS),
    utcDateTime(shape.lastSeen ?? asOf - random.integer(0, 20) * SECOND_MS),
  ];
}

/** Status counters or settings by name. */
export function variableTable(values: Readonly<Record<string, string>>): TableSnapshot {
  return aTable('variable_name varchar, variable_value varchar', Object.entries(values));
}

/** Reads and writes by index since the start of the server; index null stands for no index. */
export interface IndexUse {
  readonly table: string;
  readonly index: string | null;
  readonly fetched: number;
  readonly inserted?: number;
  readonly updated?: number;
}

export function indexUseTable(schema: string, uses: readonly IndexUse[]): TableSnapshot {
  return aTable(
    'object_schema varchar, object_name varchar, index_name varchar, count_star bigint, count_fetch bigint, count_insert bigint, count_update bigint, count_delete bigint',
    uses.map(({ table, index, fetched, inserted = 0, updated = 0 }) => [
      schema,
      table,
      index,
      fetched + inserted + updated,
      fetched,
      inserted,
      updated,
      0,
    ]),
  );
}

export interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly dataMib: number;
  readonly indexMib: number;
}

export function sizeTable(schema: string, sizes: readonly TableSize[]): TableSnapshot {
  return aTable(
    'table_schema varchar, table_name varchar, table_type varchar, engine varchar, table_rows bigint, data_length bigint, index_length bigint',
    sizes.map(({ table, rows, dataMib, indexMib }) => [
      schema,
      table,
      'BASE TABLE',
      'InnoDB',
      rows,
      Math.round(dataMib * MIB),
      Math.round(indexMib * MIB),
    ]),
  );
}

/** One index: its columns in order, each with the distinct values that the server estimates. */
export interface IndexColumns {
  readonly table: string;
  /** Unique when it is `PRIMARY` or begins with `uk_`. */
  readonly index: string;
  readonly columns: readonly (readonly [name: string, cardinality: number])[];
}

export function indexTable(schema: string, indexes: readonly IndexColumns[]): TableSnapshot {
  return aTable(
    'table_schema varchar, table_name varchar, index_name varchar, non_unique int, seq_in_index int, column_name varchar, cardinality bigint',
    indexes.flatMap(({ table, index, columns }) =>
      columns.map(([column, cardinality], position) => [
        schema,
        table,
        index,
        index === 'PRIMARY' || index.startsWith('uk_') ? 0 : 1,
        position + 1,
        column,
        cardinality,
      ]),
    ),
  );
}

/** Two applier workers of a healthy replica. */
export function applierTable(asOf: number): TableSnapshot {
  const applied = `${utcDateTime(asOf - 2 * SECOND_MS)}.118204`;
  return aTable(
    'channel_name varchar, worker_id bigint, thread_id bigint, service_state varchar, last_error_number int, last_error_message varchar, last_applied_transaction_original_commit_timestamp datetime, applying_transaction_original_commit_timestamp datetime',
    [
      ['', 1, 61, 'ON', 0, '', applied, '0000-00-00 00:00:00.000000'],
      ['', 2, 62, 'ON', 0, '', applied, '0000-00-00 00:00:00.000000'],
    ],
  );
}

export function receiverTable(): TableSnapshot {
  return aTable(
    'channel_name varchar, service_state varchar, last_error_number int, last_error_message varchar',
    [['', 'ON', 0, '']],
  );
}
