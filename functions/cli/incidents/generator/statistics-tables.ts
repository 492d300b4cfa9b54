import type { Scenario } from './scenario.ts';
import type { SeededRandom } from './seeded-random.ts';
import { aTable, type TableSnapshot } from './table-snapshot.ts';
import { MINUTE_MS, SECOND_MS, utcDateTime } from './wall-clock.ts';

const PICOSECONDS_PER_MS = 1_000_000_000;
const SERVER_DAYS_UP = 23;

/** Counters, statement digests, sizes and indexes: the tables that tell of hours, not of an instant. */
export function statisticsTables(
  random: SeededRandom,
  scenario: Scenario,
  counts: { readonly sessions: number; readonly running: number; readonly omitDecisive: boolean },
): ReadonlyMap<string, TableSnapshot> {
  return new Map([
    ['performance_schema/global_status', globalStatus(random, counts)],
    ['performance_schema/global_variables', globalVariables(scenario)],
    [
      'performance_schema/events_statements_summary_by_digest',
      digests(random, scenario, counts.omitDecisive),
    ],
    ['performance_schema/table_io_waits_summary_by_index_usage', indexUsage(random, scenario)],
    ['performance_schema/replication_applier_status_by_worker', applierWorkers(scenario)],
    ['performance_schema/replication_connection_status', receivers()],
    ['information_schema/tables', tableSizes(random, scenario)],
    ['information_schema/statistics', indexes(scenario)],
  ]);
}

function globalStatus(
  random: SeededRandom,
  { sessions, running }: { readonly sessions: number; readonly running: number },
): TableSnapshot {
  return aTable('variable_name varchar, variable_value varchar', [
    ['Threads_connected', `${sessions - 1}`],
    ['Threads_running', `${running + 2}`],
    ['Max_used_connections', `${sessions + random.integer(40, 90)}`],
    ['Aborted_connects', `${random.integer(3, 40)}`],
    ['Connection_errors_max_connections', '0'],
    ['Innodb_row_lock_current_waits', `${running}`],
  ]);
}

function globalVariables({ lockWaitSeconds }: Scenario): TableSnapshot {
  return aTable('variable_name varchar, variable_value varchar', [
    ['max_connections', '800'],
    ['wait_timeout', '28800'],
    ['innodb_lock_wait_timeout', `${lockWaitSeconds}`],
    ['transaction_isolation', 'REPEATABLE-READ'],
    ['performance_schema', 'ON'],
  ]);
}

function digests(random: SeededRandom, scenario: Scenario, omitDecisive: boolean): TableSnapshot {
  const lockMs = omitDecisive ? 88 : scenario.lockWaitSeconds * SECOND_MS + 4;
  const errors = omitDecisive ? 0 : random.integer(160, 240);
  const shapes: readonly DigestShape[] = [
    {
      text: 'SELECT * FROM `payments` WHERE `payment_no` = ?',
      calls: 4_912_004,
      avgMs: 0.6,
      maxMs: 210,
      sent: 1,
      examined: 1,
    },
    {
      text: 'UPDATE `payments` SET `status` = ? , `settle_status` = ? , `updated_at` = ? WHERE `payment_no` = ? AND `status` = ?',
      calls: 1_288_310,
      avgMs: 3.1,
      maxMs: lockMs,
      sent: 0,
      examined: 1,
      errors,
    },
    {
      text: 'INSERT INTO `payments` ( `payment_no` , `order_no` , `tenant_id` , `channel` , `status` , `amount_cents` , `settle_status` , `created_at` , `updated_at` ) VALUES (...)',
      calls: 1_301_776,
      avgMs: 1.2,
      maxMs: 95,
      sent: 0,
      examined: 0,
    },
    {
      text: 'SELECT `id` , `payment_no` FROM `payments` WHERE `settle_status` = ? ORDER BY `id` LIMIT ? FOR UPDATE',
      calls: 41_022,
      avgMs: 9.4,
      maxMs: 690,
      sent: scenario.chunkBefore,
      examined: scenario.chunkBefore,
    },
    {
      text: 'SELECT * FROM `orders` WHERE `order_no` = ?',
      calls: 7_630_118,
      avgMs: 0.4,
      maxMs: 160,
      sent: 1,
      examined: 1,
    },
    {
      text: 'SELECT COUNT ( * ) FROM `orders` WHERE `tenant_id` = ? AND `status` = ?',
      calls: 9_240,
      avgMs: 61,
      maxMs: 930,
      sent: 1,
      examined: 22_400,
      temp: true,
    },
    {
      text: 'SELECT * FROM `channel_config`',
      calls: 88_031,
      avgMs: 0.3,
      maxMs: 12,
      sent: 3,
      examined: 3,
      noIndex: true,
    },
  ];
  return aTable(
    'schema_name varchar, digest varchar, digest_text longtext, count_star bigint, sum_timer_wait bigint, avg_timer_wait bigint, max_timer_wait bigint, sum_lock_time bigint, sum_errors bigint, sum_rows_affected bigint, sum_rows_sent bigint, sum_rows_examined bigint, sum_created_tmp_disk_tables bigint, sum_created_tmp_tables bigint, sum_sort_merge_passes bigint, sum_no_index_used bigint, sum_no_good_index_used bigint, first_seen datetime, last_seen datetime',
    shapes.map((shape) => digestRow(random, scenario, shape)),
  );
}

interface DigestShape {
  readonly text: string;
  readonly calls: number;
  readonly avgMs: number;
  readonly maxMs: number;
  readonly sent: number;
  readonly examined: number;
  readonly errors?: number;
  readonly temp?: boolean;
  readonly noIndex?: boolean;
}

function digestRow(random: SeededRandom, scenario: Scenario, shape: DigestShape) {
  const calls = Math.floor(shape.calls * (0.8 + random.fraction() / 5));
  const avg = Math.round(shape.avgMs * PICOSECONDS_PER_MS);
  return [
    scenario.names.schema,
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
    utcDateTime(scenario.asOf - SERVER_DAYS_UP * 1_440 * MINUTE_MS),
    utcDateTime(scenario.asOf - random.integer(0, 20) * SECOND_MS),
  ];
}

function indexUsage(random: SeededRandom, { names }: Scenario): TableSnapshot {
  const count = (thousands: number) => thousands * 1_000 + random.integer(0, 999);
  return aTable(
    'object_schema varchar, object_name varchar, index_name varchar, count_star bigint, count_fetch bigint, count_insert bigint, count_update bigint, count_delete bigint',
    [
      [names.schema, 'payments', 'PRIMARY', count(41_200), count(38_900), 0, count(2_300), 0],
      [names.schema, 'payments', 'uk_payment_no', count(6_200), count(6_200), 0, 0, 0],
      [names.schema, 'payments', 'idx_settle_status', count(9_100), count(9_100), 0, 0, 0],
      [names.schema, 'payments', null, count(1_300), 0, count(1_300), 0, 0],
      [names.schema, 'orders', 'PRIMARY', count(12_400), count(9_900), 0, count(2_500), 0],
      [names.schema, 'orders', 'uk_order_no', count(7_600), count(7_600), 0, 0, 0],
      [names.schema, 'orders', null, count(1_350), 0, count(1_350), 0, 0],
      [names.schema, 'channel_config', null, count(264), count(264), 0, 0, 0],
    ],
  );
}

function applierWorkers({ asOf }: Scenario): TableSnapshot {
  const applied = `${utcDateTime(asOf - 2 * SECOND_MS)}.118204`;
  return aTable(
    'channel_name varchar, worker_id bigint, thread_id bigint, service_state varchar, last_error_number int, last_error_message varchar, last_applied_transaction_original_commit_timestamp datetime, applying_transaction_original_commit_timestamp datetime',
    [
      ['', 1, 61, 'ON', 0, '', applied, '0000-00-00 00:00:00.000000'],
      ['', 2, 62, 'ON', 0, '', applied, '0000-00-00 00:00:00.000000'],
    ],
  );
}

function receivers(): TableSnapshot {
  return aTable(
    'channel_name varchar, service_state varchar, last_error_number int, last_error_message varchar',
    [['', 'ON', 0, '']],
  );
}

function tableSizes(random: SeededRandom, { names }: Scenario): TableSnapshot {
  const row = (table: string, rows: number, data: number, index: number) => [
    names.schema,
    table,
    'BASE TABLE',
    'InnoDB',
    rows + random.integer(0, 90_000),
    data * 1_048_576,
    index * 1_048_576,
  ];
  return aTable(
    'table_schema varchar, table_name varchar, table_type varchar, engine varchar, table_rows bigint, data_length bigint, index_length bigint',
    [
      row('payments', 47_800_000, 9_212, 5_180),
      row('orders', 48_600_000, 11_940, 4_410),
      row('order_items', 120_300_000, 14_006, 6_233),
      [names.schema, 'channel_config', 'BASE TABLE', 'InnoDB', 3, 16_384, 0],
    ],
  );
}

function indexes({ names }: Scenario): TableSnapshot {
  const row = (
    table: string,
    index: string,
    position: number,
    column: string,
    cardinality: number,
  ) => [
    names.schema,
    table,
    index,
    index === 'PRIMARY' || index.startsWith('uk_') ? 0 : 1,
    position,
    column,
    cardinality,
  ];
  return aTable(
    'table_schema varchar, table_name varchar, index_name varchar, non_unique int, seq_in_index int, column_name varchar, cardinality bigint',
    [
      row('payments', 'PRIMARY', 1, 'id', 47_800_000),
      row('payments', 'uk_payment_no', 1, 'payment_no', 47_800_000),
      row('payments', 'idx_settle_status', 1, 'settle_status', 3),
      row('payments', 'idx_tenant_created', 1, 'tenant_id', 61),
      row('payments', 'idx_tenant_created', 2, 'created_at', 46_900_000),
      row('orders', 'PRIMARY', 1, 'id', 48_600_000),
      row('orders', 'uk_order_no', 1, 'order_no', 48_600_000),
      row('orders', 'idx_tenant_created', 1, 'tenant_id', 61),
      row('orders', 'idx_tenant_created', 2, 'created_at', 47_200_000),
    ],
  );
}
