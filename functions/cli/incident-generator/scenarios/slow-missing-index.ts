import { type CapsuleFiles, capsuleFiles } from '../capsule.ts';
import { documents } from '../documents/slow-missing-index.ts';
import { gatewayLog } from '../gateway-traffic.ts';
import { jsonEntry } from '../json-log.ts';
import type { LogEntry } from '../log-file.ts';
import { AS_CAUSE, expectation, manifest, says } from '../manifest.ts';
import {
  type MysqlSession,
  pooledSessions,
  runningSession,
  serverSessions,
} from '../mysql-session.ts';
import { mysqlSnapshot, serverTable } from '../mysql-snapshot.ts';
import { healthChecks } from '../platform-noise.ts';
import { type Pod, PodNetwork } from '../pods.ts';
import { releaseLog } from '../release-log.ts';
import { SeededRandom } from '../seeded-random.ts';
import { arrivals, type Span } from '../span.ts';
import { MINUTE_MS, spokenTime } from '../wall-clock.ts';

const AS_OF = Date.UTC(2026, 10, 20, 2, 18);
const SPAN: Span = { from: AS_OF - 100 * MINUTE_MS, asOf: AS_OF };
const ONSET = AS_OF - 47 * MINUTE_MS;
const SEARCH = '/api/orders/search';

/** A search by a column without an index, released the day before, that forty people use since 9:30. */
export function slowMissingIndex(): CapsuleFiles {
  const random = new SeededRandom(20_261_120);
  const pods = new PodNetwork(random, '10.38.9').pods('order-lookup', 3);
  const releases = [
    {
      at: AS_OF - 993 * MINUTE_MS,
      service: 'order-lookup',
      change: '订单搜索支持按发票号 invoice_no 查询',
    },
    {
      at: ONSET - 11 * MINUTE_MS,
      service: 'gateway',
      change: 'worker_connections 4096 -> 8192，大促前例行调整',
    },
    { at: AS_OF - 1_900 * MINUTE_MS, service: 'order-lookup', change: '列表接口返回字段精简' },
  ];
  return capsuleFiles({
    incident: manifest({
      name: 'slow-missing-index',
      title: '订单搜索变慢，网关 504 增多',
      query: `今天 ${spokenTime(ONSET)} 左右开始订单查询页面响应变慢，网关 504 和 499 增多，没有明确报错，列表和详情好像也受影响。${spokenTime(ONSET - 11 * MINUTE_MS)} 网关刚做过变更，是网关的问题吗？`,
      asOf: AS_OF,
      topics: {
        gateway: '网关：nginx 访问日志与错误日志',
        'order-lookup': '订单查询服务：列表、详情、搜索，JSON 日志，含慢语句',
        deployments: '发布记录：各服务的部署与配置变更',
      },
    }),
    expected: EXPECTED,
    logs: {
      gateway: gatewayLog(random, SPAN, {
        host: 'm.maplemall.example',
        upstreams: pods,
        paths: [SEARCH, '/api/orders/list', '/api/orders/detail', '/api/orders/list'],
        gapMs: [3_000, 9_000],
        seconds: (path, at) => secondsOf(random, path, at),
      }),
      'order-lookup': queryLog(random, pods),
      deployments: releaseLog(random, SPAN, { releases, others: ['search', 'user-api'] }),
    },
    tables: mysqlSnapshot(random, {
      schema: 'sales',
      asOf: AS_OF,
      maxConnections: 500,
      abortedConnects: 14,
      sessions: sessions(random, pods),
      digests: DIGESTS,
      tables: TABLES,
    }),
    documents,
  });
}

/** Searches scan; the rest suffers a little from a database that is busy. */
function secondsOf(random: SeededRandom, path: string, at: number): number {
  if (at < ONSET) return random.integer(18, 420) / 1_000;
  return path === SEARCH
    ? random.integer(5_800, 19_000) / 1_000
    : random.integer(90, 1_400) / 1_000;
}

function queryLog(random: SeededRandom, pods: readonly Pod[]): LogEntry[] {
  return [
    ...arrivals(random, SPAN, () => [9_000, 22_000]).map((at) => queryLine(random, pods, at)),
    ...arrivals(random, { ...SPAN, from: ONSET }, () => [7_000, 16_000]).map((at) =>
      slowLine(random, pods, at),
    ),
    ...pods.flatMap((pod) => healthChecks(random, SPAN, pod)),
  ];
}

function queryLine(random: SeededRandom, pods: readonly Pod[], at: number): LogEntry {
  const costMs = at < ONSET ? random.integer(9, 180) : random.integer(60, 1_300);
  return jsonEntry({
    at,
    level: 'INFO',
    service: 'order-lookup',
    pod: random.pick(pods).name,
    logger: 'c.m.orderlookup.web.OrderController',
    traceId: random.hex(16),
    message: `订单列表返回 rows=${random.integer(0, 20)}`,
    fields: { costMs, shopId: random.integer(1_000, 9_999) },
  });
}

function slowLine(random: SeededRandom, pods: readonly Pod[], at: number): LogEntry {
  const costMs = random.integer(5_700, 18_900);
  return jsonEntry({
    at,
    level: 'WARN',
    service: 'order-lookup',
    pod: random.pick(pods).name,
    logger: 'c.m.orderlookup.sql.SlowStatementListener',
    traceId: random.hex(16),
    message: `慢语句 mapper=OrderMapper.searchByInvoice rows=${random.integer(0, 1)}`,
    fields: { costMs, condition: 'invoice_no' },
  });
}

function sessions(random: SeededRandom, pods: readonly Pod[]): MysqlSession[] {
  return [
    ...serverSessions(random, '10.38.9.240'),
    ...pooledSessions(random, { user: 'olookup_ro', pods, each: 15, firstPid: 44_210 }).map(
      (session, index) =>
        index % 4 === 0
          ? runningSession(session, {
              seconds: random.integer(3, 17),
              state: 'executing',
              statement: `SELECT id, order_no, invoice_no, amount_cents, created_at FROM sales_order WHERE invoice_no = '0440${random.integer(10_000_000, 99_999_999)}' ORDER BY created_at DESC LIMIT 20`,
            })
          : session,
    ),
  ];
}

const EXPECTED = expectation({
  true_cause:
    '订单搜索新增的按发票号查询没有可用的索引，每次扫描整张 sales_order；财务今天开始集中使用，语句执行十几秒，把数据库拖慢。',
  told_apart_by:
    'running_statements 里多条 invoice_no 的语句在 executing，同一形态在 digests_without_index 里每次扫描近四千万行只返回一行；table_indexes 没有 invoice_no；没有锁等待；网关变更后的十分钟耗时没有变化。',
  must_conclude: [
    says('语句扫描大表', 'invoice_no|发票|sales_order|慢sql|慢查询|slow query|slow sql'),
    says(
      '缺少索引',
      '缺索引|缺少索引|没有索引|无索引|未建索引|索引缺失|没有可用的索引|全表扫描|missing index|no index|without an index|lacks an index|full scan|full table scan',
    ),
  ],
  may_conclude: [says('由昨天的发布带来', '发布|上线|release|按发票号')],
  must_not_blame: [
    says('网关变更', '网关|gateway|worker_connections', AS_CAUSE),
    says('锁等待', '锁等待|行锁|lock wait'),
    says('GC 停顿', 'gc|停顿', AS_CAUSE),
    says('累计榜首的计数语句', 'count(*)|待办计数', AS_CAUSE),
  ],
});

const DIGESTS = [
  {
    text: 'SELECT `id` , `order_no` , `invoice_no` , `amount_cents` , `created_at` FROM `sales_order` WHERE `invoice_no` = ? ORDER BY `created_at` DESC LIMIT ?',
    calls: 610,
    avgMs: 11_800,
    maxMs: 19_400,
    sent: 1,
    examined: 39_104_220,
    noIndex: true,
    firstSeen: AS_OF - 980 * MINUTE_MS,
  },
  {
    text: 'SELECT COUNT ( * ) FROM `sales_order` WHERE `shop_id` = ? AND `status` = ?',
    calls: 1_902_441,
    avgMs: 38,
    maxMs: 2_100,
    sent: 1,
    examined: 6_100,
  },
  {
    text: 'SELECT * FROM `sales_order` WHERE `buyer_id` = ? ORDER BY `created_at` DESC LIMIT ?',
    calls: 9_220_118,
    avgMs: 2.4,
    maxMs: 890,
    sent: 12,
    examined: 12,
  },
  {
    text: 'SELECT * FROM `dict_region`',
    calls: 120_447,
    avgMs: 0.6,
    maxMs: 21,
    sent: 366,
    examined: 366,
    noIndex: true,
  },
];

const TABLES = [
  serverTable(
    'sales_order',
    39_104_220,
    {
      PRIMARY: 'id',
      uk_order_no: 'order_no',
      idx_buyer_created: 'buyer_id:5210000, created_at',
      idx_shop_created: 'shop_id:8810, created_at',
    },
    { scanned: 20_112_400_000 },
  ),
  serverTable('dict_region', 366, { PRIMARY: 'id' }, { scanned: 44_083_602, writes: 1 }),
];
