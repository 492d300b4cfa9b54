import { javaTrace } from '../java-trace.ts';
import { jsonEntry } from '../json-log.ts';
import { javaEntry, type LogEntry } from '../log-file.ts';
import { healthChecks } from '../platform-noise.ts';
import type { Pod } from '../pods.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { arrivals, type Span } from '../span.ts';
import { SECOND_MS } from '../wall-clock.ts';

/** The numbers of the incident whose pool is full of a report. */
export interface StockCase {
  readonly span: Span;
  readonly onset: number;
  readonly stockPods: readonly Pod[];
  readonly orderPods: readonly Pod[];
}

export const REPORT_SQL =
  'SELECT `f` . `sku_id` , SUM ( `f` . `qty` ) AS `qty` , COUNT ( * ) AS `times` FROM `stock_flow` `f` WHERE `f` . `warehouse_id` = ? AND DATE ( `f` . `created_at` ) = ? GROUP BY `f` . `sku_id` ORDER BY `qty` DESC';

/** One execution of the report, as the server shows it. */
export function reportOf(random: SeededRandom): string {
  return `SELECT f.sku_id, SUM(f.qty) AS qty, COUNT(*) AS times FROM stock_flow f WHERE f.warehouse_id = ${random.integer(1, 14)} AND DATE(f.created_at) = '2026-11-12' GROUP BY f.sku_id ORDER BY qty DESC`;
}

const MAX_WAIT_MS = 5_000;
const CALLER_TIMEOUT_MS = 3_000;
const TRACE_SHARE = 0.12;

/** The stock service: reservations that get no connection, and reports that take long. */
export function stockLog(random: SeededRandom, incident: StockCase): LogEntry[] {
  const { span, stockPods, onset } = incident;
  return [
    ...arrivals(random, span, () => [7_000, 17_000]).map((at) => reservation(random, incident, at)),
    ...arrivals(random, { ...span, from: onset - 70 * SECOND_MS }, () => [4_000, 11_000]).map(
      (at) => reportLine(random, stockPods, at),
    ),
    ...stockPods.flatMap((pod) => healthChecks(random, span, pod)),
  ];
}

function reservation(random: SeededRandom, { onset, stockPods }: StockCase, at: number): LogEntry {
  const shared = {
    thread: `http-nio-8080-exec-${random.integer(1, 80)}`,
    pod: random.pick(stockPods).name,
    traceId: random.hex(16),
    logger: 'c.b.stock.reserve.ReserveService',
  };
  const what = `orderNo=B${random.integer(10_000_000, 99_999_999)} sku=${random.integer(100_000, 988_000)}`;
  if (at < onset || random.chance(0.08)) {
    const message = `库存预占成功 ${what} costMs=${random.integer(6, 48)}`;
    return javaEntry({ ...shared, at, level: 'INFO', message });
  }
  const cause = `com.alibaba.druid.pool.GetConnectionTimeoutException: wait millis ${MAX_WAIT_MS + random.integer(0, 9)}, active 20, maxActive 20, creating 0, runningSqlCount ${random.integer(17, 20)} : ${reportOf(random)}`;
  return javaEntry({
    ...shared,
    at: at + MAX_WAIT_MS,
    level: 'ERROR',
    message: `库存预占失败 ${what} ${cause}`,
    trace: random.chance(TRACE_SHARE) ? poolTrace(cause) : [],
  });
}

function poolTrace(cause: string): string[] {
  return javaTrace(
    'org.springframework.transaction.CannotCreateTransactionException: Could not open JDBC Connection for transaction',
    [
      'org.springframework.jdbc.datasource.DataSourceTransactionManager.doBegin(DataSourceTransactionManager.java:313)',
      'c.b.stock.reserve.ReserveService$$SpringCGLIB$$0.reserve(<generated>)',
    ],
    {
      headline: cause,
      frames: [
        'com.alibaba.druid.pool.DruidDataSource.getConnectionInternal(DruidDataSource.java:1717)',
        'com.alibaba.druid.pool.DruidDataSource.getConnectionDirect(DruidDataSource.java:1425)',
      ],
    },
  );
}

/** Druid's own note of a statement that took long; it is written when the statement ends. */
function reportLine(random: SeededRandom, pods: readonly Pod[], at: number): LogEntry {
  return javaEntry({
    at,
    level: 'WARN',
    thread: `http-nio-8080-exec-${random.integer(1, 80)}`,
    pod: random.pick(pods).name,
    traceId: random.hex(16),
    logger: 'c.alibaba.druid.filter.stat.StatFilter',
    message: `slow sql ${random.integer(31_000, 71_000)} millis. ${reportOf(random)}`,
  });
}

/** The caller: loud, and a victim. */
export function callerLog(random: SeededRandom, { span, onset, orderPods }: StockCase): LogEntry[] {
  return arrivals(random, span, () => [9_000, 20_000]).map((at) => {
    const isFailing = at >= onset && random.chance(0.9);
    const costMs = isFailing ? CALLER_TIMEOUT_MS + random.integer(1, 9) : random.integer(12, 90);
    return jsonEntry({
      at: at + costMs,
      level: isFailing ? 'ERROR' : 'INFO',
      service: 'order-api',
      pod: random.pick(orderPods).name,
      logger: 'c.b.order.stock.StockClient',
      traceId: random.hex(16),
      message: isFailing
        ? '预占库存失败，下单中止 java.net.SocketTimeoutException: Read timed out'
        : '预占库存成功',
      fields: { costMs, api: '/internal/stock/reserve' },
    });
  });
}
