import { type CapsuleFiles, capsuleFiles } from '../capsule.ts';
import { documents } from '../documents/slow-downstream.ts';
import { gatewayLog } from '../gateway-traffic.ts';
import { youngCollections } from '../gc-log.ts';
import { javaEntry, type LogEntry } from '../log-file.ts';
import { AS_CAUSE, expectation, manifest, says } from '../manifest.ts';
import { pooledSessions, serverSessions } from '../mysql-session.ts';
import { mysqlSnapshot, serverTable } from '../mysql-snapshot.ts';
import { healthChecks } from '../platform-noise.ts';
import { type Pod, PodNetwork } from '../pods.ts';
import { releaseLog } from '../release-log.ts';
import { SeededRandom } from '../seeded-random.ts';
import { arrivals, type Span } from '../span.ts';
import { MINUTE_MS, SECOND_MS, spokenTime } from '../wall-clock.ts';

const AS_OF = Date.UTC(2026, 10, 24, 12, 9);
const SPAN: Span = { from: AS_OF - 90 * MINUTE_MS, asOf: AS_OF };
const ONSET = AS_OF - 31 * MINUTE_MS;

/** A page that waits for a service whose logs nobody here can read: slow where, but not why. */
export function slowDownstream(): CapsuleFiles {
  const random = new SeededRandom(20_261_124);
  const pods = new PodNetwork(random, '10.64.2').pods('product-api', 3);
  const releases = [
    { at: ONSET - 12 * MINUTE_MS, service: 'product-api', change: '详情页标题支持两行展示' },
    { at: AS_OF - 430 * MINUTE_MS, service: 'recommend-model', change: '例行模型更新' },
  ];
  return capsuleFiles({
    incident: manifest({
      name: 'slow-downstream',
      title: '商品详情页变慢',
      query: `${spokenTime(ONSET)} 起商品详情页接口响应变慢，网关 499 增多，product-api 没有报错。${spokenTime(ONSET - 12 * MINUTE_MS)} 刚发布过 product-api，要不要回滚？也有人怀疑是数据库慢 SQL。`,
      asOf: AS_OF,
      topics: {
        gateway: '网关：nginx 访问日志与错误日志',
        'product-api': '商品服务：详情页，分段耗时与 GC 日志',
        deployments: '发布记录：各服务的部署与配置变更',
      },
    }),
    expected: EXPECTED,
    logs: {
      gateway: gatewayLog(random, SPAN, {
        host: 'www.tianmu.example',
        upstreams: pods,
        paths: ['/api/items/detail', '/api/items/detail', '/api/items/brands'],
        gapMs: [2_500, 8_000],
        seconds: (path, at) =>
          at >= ONSET && path.endsWith('detail')
            ? random.integer(2_900, 9_800) / 1_000
            : random.integer(30, 420) / 1_000,
      }),
      'product-api': productLog(random, pods),
      deployments: releaseLog(random, SPAN, {
        releases,
        others: ['cart-api', 'gateway', 'search'],
      }),
    },
    tables: mysqlSnapshot(random, {
      schema: 'goods',
      asOf: AS_OF,
      maxConnections: 500,
      abortedConnects: 6,
      sessions: [
        ...serverSessions(random, '10.64.2.240'),
        ...pooledSessions(random, { user: 'goods_rw', pods, each: 12, firstPid: 27_118 }),
      ],
      digests: DIGESTS,
      tables: TABLES,
    }),
    documents,
  });
}

function productLog(random: SeededRandom, pods: readonly Pod[]): LogEntry[] {
  return [
    ...arrivals(random, SPAN, () => [4_000, 11_000]).map((at) => detail(random, pods, at)),
    ...arrivals(random, SPAN, () => [90_000, 200_000]).map((at) =>
      javaEntry({
        at,
        level: 'WARN',
        thread: `http-nio-8080-exec-${random.integer(1, 60)}`,
        pod: random.pick(pods).name,
        traceId: random.hex(16),
        logger: 'c.t.product.image.ImageUrls',
        message: `商品缺少主图，使用占位图 itemId=${random.integer(100_000, 8_800_000)}`,
      }),
    ),
    ...pods.flatMap((pod) => [
      ...healthChecks(random, SPAN, pod),
      ...youngCollections(random, SPAN, {
        everyMs: 70 * SECOND_MS,
        heapMb: 1_024,
        liveMb: () => 330,
      }),
    ]),
  ];
}

function detail(random: SeededRandom, pods: readonly Pod[], at: number): LogEntry {
  const recommendMs = at < ONSET ? random.integer(18, 160) : random.integer(2_700, 8_990);
  const [dbMs, redisMs] = [random.integer(3, 21), random.integer(1, 4)];
  const totalMs = recommendMs + dbMs + redisMs + random.integer(2, 9);
  return javaEntry({
    at: at + totalMs,
    level: totalMs > 2_000 ? 'WARN' : 'INFO',
    thread: `http-nio-8080-exec-${random.integer(1, 60)}`,
    pod: random.pick(pods).name,
    traceId: random.hex(16),
    logger: 'c.t.product.detail.DetailTimer',
    message: `详情页分段耗时 itemId=${random.integer(100_000, 8_800_000)} totalMs=${totalMs} dbMs=${dbMs} redisMs=${redisMs} recommendMs=${recommendMs}`,
  });
}

const EXPECTED = expectation({
  true_cause:
    '时间花在对 recommend-api 的调用上；它为什么慢，这里的证据说不出来：它的日志、监控和链路都够不到。',
  told_apart_by:
    '分段耗时里只有 recommendMs 从几十毫秒涨到几秒，dbMs 和 redisMs 不变；没有运行超过三秒的语句，没有锁等待，没有 Full GC；product-api 的发布之后十二分钟耗时仍正常。',
  may_conclude: [
    says('慢在对推荐服务的调用', 'recommend|推荐', '慢|耗时|等待|延迟|slow|latency|waiting|takes'),
  ],
  must_not_blame: [
    says('刚刚的发布', '发布|两行展示|回滚|release', AS_CAUSE),
    says('数据库', '慢sql|慢查询|索引|数据库|mysql|slow query|database', AS_CAUSE),
    says('例行的模型更新', '模型更新|recommend-model|model update', AS_CAUSE),
    says('GC', 'gc|停顿', AS_CAUSE),
  ],
  must_name_as_missing: [
    says('推荐服务自己的证据或链路', 'recommend|推荐|下游|链路|downstream|trace|tracing'),
  ],
});

const DIGESTS = [
  {
    text: 'SELECT `category_id` , COUNT ( * ) FROM `item` WHERE `title` LIKE ? GROUP BY `category_id`',
    calls: 44,
    avgMs: 2_140,
    maxMs: 2_900,
    sent: 210,
    examined: 8_810_442,
    noIndex: true,
    lastSeen: AS_OF - 38 * MINUTE_MS,
  },
  {
    text: 'SELECT * FROM `item` WHERE `id` = ?',
    calls: 12_900_331,
    avgMs: 0.5,
    maxMs: 160,
    sent: 1,
    examined: 1,
  },
  {
    text: 'SELECT * FROM `brand`',
    calls: 201_440,
    avgMs: 0.7,
    maxMs: 19,
    sent: 840,
    examined: 840,
    noIndex: true,
  },
];

const TABLES = [
  serverTable('item', 8_810_442, { PRIMARY: 'id', idx_category: 'category_id:1900' }),
  serverTable('brand', 840, { PRIMARY: 'id' }, { scanned: 169_209_600, writes: 6 }),
];
