import { type CapsuleFiles, capsuleFiles } from '../capsule.ts';
import { documents } from '../documents/mysql-pool-exhausted.ts';
import { AS_CAUSE, expectation, manifest, says } from '../manifest.ts';
import {
  type MysqlSession,
  pooledSessions,
  runningSession,
  serverSessions,
} from '../mysql-session.ts';
import { mysqlSnapshot, serverTable } from '../mysql-snapshot.ts';
import { PodNetwork } from '../pods.ts';
import { releaseLog } from '../release-log.ts';
import { SeededRandom } from '../seeded-random.ts';
import { MINUTE_MS, spokenTime } from '../wall-clock.ts';
import { callerLog, REPORT_SQL, reportOf, type StockCase, stockLog } from './stock-pool-logs.ts';

const AS_OF = Date.UTC(2026, 10, 12, 6, 41);
const POOL = 20;

/** A report that no index helps holds every connection of the pool; the backup runs as every day. */
export function mysqlPoolExhausted(): CapsuleFiles {
  const random = new SeededRandom(20_261_112);
  const network = new PodNetwork(random, '10.52.8');
  const incident: StockCase = {
    span: { from: AS_OF - 100 * MINUTE_MS, asOf: AS_OF },
    onset: AS_OF - 34 * MINUTE_MS,
    stockPods: network.pods('stock-api', 2),
    orderPods: network.pods('order-api', 2),
  };
  const releases = [
    {
      at: AS_OF - 1_205 * MINUTE_MS,
      service: 'stock-api',
      change: '库存后台新增“当日出入库流水”报表页',
    },
    {
      at: incident.onset - 6 * MINUTE_MS,
      service: 'order-api',
      change: '下单页埋点补充，不涉及库存调用',
    },
    { at: AS_OF - 2_600 * MINUTE_MS, service: 'stock-api', change: 'Druid 升级 1.2.20 -> 1.2.23' },
  ];
  return capsuleFiles({
    incident: manifest({
      name: 'mysql-pool-exhausted',
      title: '库存服务取不到数据库连接',
      query: `${spokenTime(incident.onset)} 起 stock-api 大量报取不到数据库连接（Druid 连接池等待超时），order-api 下单预占库存失败。DBA 说数据库连接数不高，每天这个点在做备份。想知道连接池为什么满，是泄漏还是池太小？`,
      asOf: AS_OF,
      topics: {
        'stock-api': '库存服务：预占、释放、库存后台报表，含 Druid 连接池报错',
        'order-api': '下单服务：调用库存服务，JSON 日志',
        deployments: '发布记录：各服务的部署与配置变更',
      },
    }),
    expected: EXPECTED,
    logs: {
      'stock-api': stockLog(random, incident),
      'order-api': callerLog(random, incident),
      deployments: releaseLog(random, incident.span, {
        releases,
        others: ['gateway', 'search', 'wms-web'],
      }),
    },
    tables: mysqlSnapshot(random, {
      schema: 'wms',
      asOf: AS_OF,
      maxConnections: 500,
      abortedConnects: 19,
      sessions: sessions(random, incident),
      digests: DIGESTS,
      tables: TABLES,
    }),
    documents,
  });
}

/** Almost every connection of stock-api runs the report; the rest of the server is at ease. */
function sessions(random: SeededRandom, { stockPods, orderPods }: StockCase): MysqlSession[] {
  const pooled = pooledSessions(random, {
    user: 'stock_rw',
    pods: stockPods,
    each: POOL,
    firstPid: 61_400,
  });
  return [
    ...serverSessions(random, '10.52.8.240'),
    ...pooled.map((session, index) =>
      index % 7 === 6
        ? { ...session, seconds: 0 }
        : runningSession(session, {
            seconds: random.integer(4, 63),
            state: 'executing',
            statement: reportOf(random),
          }),
    ),
    ...pooledSessions(random, { user: 'order_rw', pods: orderPods, each: 12, firstPid: 64_100 }),
    ...pooledSessions(random, {
      user: 'backup_ro',
      pods: [{ name: 'backup', address: '10.52.1.17' }],
      each: 1,
      firstPid: 65_020,
    }),
  ];
}

const EXPECTED = expectation({
  true_cause:
    'stock-api 新报表的语句在 stock_flow 上按 DATE(created_at) 过滤，用不上时间索引，每次执行几十秒；盘点开始后同时打开的报表占满了连接池。',
  told_apart_by:
    'Druid 报错里 active 等于 maxActive，running_statements 里几乎全是同一条报表语句在 executing；没有锁等待，没有睡着的事务，服务器离连接上限很远；备份每天同一时间都有。',
  must_conclude: [
    says(
      '占着连接的是慢语句',
      '慢sql|慢查询|慢语句|报表|stock_flow|slow sql|slow query|slow statement|slow report|report query',
    ),
    says('连接池因此占满', '连接池|连接|pool|connection'),
  ],
  may_conclude: [says('时间列上套了函数', 'date(created_at)|用不上索引|函数|索引|index')],
  must_not_blame: [
    says('连接泄漏', '泄漏|未关闭|leak'),
    says('每天都有的备份', '备份|backup', AS_CAUSE),
    says('服务器连接数上限', 'too many connections|max_connections|连接数上限', AS_CAUSE),
    says('order-api 的发布', 'order-api', AS_CAUSE),
    says('池太小', '池太小|池上限过小|maxactive 太小|pool too small'),
  ],
});

const DIGESTS = [
  {
    text: REPORT_SQL,
    calls: 412,
    avgMs: 38_400,
    maxMs: 71_200,
    sent: 1_870,
    examined: 9_410_000,
    temp: true,
    firstSeen: AS_OF - 1_190 * MINUTE_MS,
  },
  {
    text: 'UPDATE `stock` SET `reserved` = `reserved` + ? WHERE `sku_id` = ? AND `warehouse_id` = ? AND `available` >= ?',
    calls: 3_907_441,
    avgMs: 1.9,
    maxMs: 420,
    sent: 0,
    examined: 1,
  },
  {
    text: 'INSERT INTO `stock_flow` ( `sku_id` , `warehouse_id` , `kind` , `qty` , `order_no` , `created_at` ) VALUES (...)',
    calls: 4_411_020,
    avgMs: 1.1,
    maxMs: 130,
    sent: 0,
    examined: 0,
  },
  {
    text: 'SELECT * FROM `warehouse`',
    calls: 92_114,
    avgMs: 0.4,
    maxMs: 15,
    sent: 14,
    examined: 14,
    noIndex: true,
  },
];

const TABLES = [
  serverTable('stock', 1_204_330, {
    PRIMARY: 'id',
    uk_sku_warehouse: 'sku_id:88012, warehouse_id',
  }),
  serverTable('stock_flow', 61_270_114, {
    PRIMARY: 'id',
    idx_created: 'created_at',
    idx_warehouse: 'warehouse_id:14',
  }),
  serverTable('warehouse', 14, { PRIMARY: 'id' }, { scanned: 1_289_596, writes: 2 }),
];
