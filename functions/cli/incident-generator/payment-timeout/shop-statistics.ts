import type { SeededRandom } from '../seeded-random.ts';
import {
  applierTable,
  type DigestShape,
  digestTable,
  type IndexUse,
  indexTable,
  indexUseTable,
  receiverTable,
  sizeTable,
  type TableSize,
  variableTable,
} from '../statistics-tables.ts';
import type { TableSnapshot } from '../table-snapshot.ts';
import { SECOND_MS } from '../wall-clock.ts';
import { LOCKED } from './mysql-sessions.ts';
import type { Scenario } from './scenario.ts';

interface Counts {
  readonly sessions: number;
  readonly running: number;
  readonly omitDecisive: boolean;
}

/** Counters, statement digests, sizes and indexes: the tables that tell of hours, not of an instant. */
export function shopStatistics(
  random: SeededRandom,
  scenario: Scenario,
  counts: Counts,
): ReadonlyMap<string, TableSnapshot> {
  const { asOf, names } = scenario;
  const { schema } = names;
  return new Map([
    ['performance_schema/global_status', variableTable(status(random, counts))],
    ['performance_schema/global_variables', variableTable(settings(scenario))],
    [
      'performance_schema/events_statements_summary_by_digest',
      digestTable(random, { schema, asOf }, shapes(random, scenario, counts.omitDecisive)),
    ],
    [
      'performance_schema/table_io_waits_summary_by_index_usage',
      indexUseTable(schema, indexUses(random)),
    ],
    ['performance_schema/replication_applier_status_by_worker', applierTable(asOf)],
    ['performance_schema/replication_connection_status', receiverTable()],
    ['information_schema/tables', sizeTable(schema, sizes(random))],
    ['information_schema/statistics', indexTable(schema, INDEXES)],
  ]);
}

function status(random: SeededRandom, { sessions, running }: Counts) {
  return {
    Threads_connected: `${sessions - 1}`,
    Threads_running: `${running + 2}`,
    Max_used_connections: `${sessions + random.integer(40, 90)}`,
    Aborted_connects: `${random.integer(3, 40)}`,
    Connection_errors_max_connections: '0',
    Innodb_row_lock_current_waits: `${running}`,
  };
}

function settings({ lockWaitSeconds }: Scenario) {
  return {
    max_connections: '800',
    wait_timeout: '28800',
    innodb_lock_wait_timeout: `${lockWaitSeconds}`,
    transaction_isolation: 'REPEATABLE-READ',
    performance_schema: 'ON',
  };
}

function shapes(random: SeededRandom, scenario: Scenario, omitDecisive: boolean): DigestShape[] {
  const lockMs = omitDecisive ? 88 : scenario.lockWaitSeconds * SECOND_MS + 4;
  const errors = omitDecisive ? 0 : random.integer(160, 240);
  return [
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
}

function indexUses(random: SeededRandom): IndexUse[] {
  const count = (thousands: number) => thousands * 1_000 + random.integer(0, 999);
  return [
    { table: 'payments', index: 'PRIMARY', fetched: count(38_900), updated: count(2_300) },
    { table: 'payments', index: 'uk_payment_no', fetched: count(6_200) },
    { table: 'payments', index: LOCKED.index, fetched: count(9_100) },
    { table: 'payments', index: null, fetched: 0, inserted: count(1_300) },
    { table: 'orders', index: 'PRIMARY', fetched: count(9_900), updated: count(2_500) },
    { table: 'orders', index: 'uk_order_no', fetched: count(7_600) },
    { table: 'orders', index: null, fetched: 0, inserted: count(1_350) },
    { table: 'channel_config', index: null, fetched: count(264) },
  ];
}

function sizes(random: SeededRandom): TableSize[] {
  const size = (table: string, rows: number, dataMib: number, indexMib: number) => ({
    table,
    rows: rows + random.integer(0, 90_000),
    dataMib,
    indexMib,
  });
  return [
    size('payments', 47_800_000, 9_212, 5_180),
    size('orders', 48_600_000, 11_940, 4_410),
    size('order_items', 120_300_000, 14_006, 6_233),
    { table: 'channel_config', rows: 3, dataMib: 1 / 64, indexMib: 0 },
  ];
}

const INDEXES = [
  { table: 'payments', index: 'PRIMARY', columns: [['id', 47_800_000]] },
  { table: 'payments', index: 'uk_payment_no', columns: [['payment_no', 47_800_000]] },
  { table: 'payments', index: LOCKED.index, columns: [['settle_status', 3]] },
  {
    table: 'payments',
    index: 'idx_tenant_created',
    columns: [
      ['tenant_id', 61],
      ['created_at', 46_900_000],
    ],
  },
  { table: 'orders', index: 'PRIMARY', columns: [['id', 48_600_000]] },
  { table: 'orders', index: 'uk_order_no', columns: [['order_no', 48_600_000]] },
  {
    table: 'orders',
    index: 'idx_tenant_created',
    columns: [
      ['tenant_id', 61],
      ['created_at', 47_200_000],
    ],
  },
] as const;
