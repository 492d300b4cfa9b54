import { type CapsuleFiles, capsuleFiles } from '../capsule.ts';
import { documents } from '../documents/jvm-leak.ts';
import { javaTrace } from '../java-trace.ts';
import { javaEntry, type LogEntry } from '../log-file.ts';
import { AS_CAUSE, expectation, manifest, says } from '../manifest.ts';
import { pooledSessions, serverSessions } from '../mysql-session.ts';
import { mysqlSnapshot, serverTable } from '../mysql-snapshot.ts';
import { healthChecks } from '../platform-noise.ts';
import { type Pod, PodNetwork } from '../pods.ts';
import { releaseLog } from '../release-log.ts';
import { SeededRandom } from '../seeded-random.ts';
import { arrivals, type Span } from '../span.ts';
import { MINUTE_MS, spokenTime } from '../wall-clock.ts';
import { leakingHeap } from './leaking-heap.ts';

const AS_OF = Date.UTC(2026, 10, 26, 7, 26);
const SPAN: Span = { from: AS_OF - 170 * MINUTE_MS, asOf: AS_OF };
const RELEASED_AT = AS_OF - 1_285 * MINUTE_MS;
const ONSET = AS_OF - 22 * MINUTE_MS;

/** A local cache without bound fills the heap over a day; the paged export at the hour is innocent. */
export function jvmLeak(): CapsuleFiles {
  const random = new SeededRandom(20_261_126);
  const pods = new PodNetwork(random, '10.83.5').pods('price-engine', 2);
  const releases = [
    {
      at: RELEASED_AT,
      service: 'price-engine',
      change: '报价快照缓存由 Redis 改为本地 ConcurrentHashMap，去掉过期时间，减少网络往返',
    },
    { at: AS_OF - 49 * MINUTE_MS, service: 'settle-export', change: '导出文件名增加日期' },
  ];
  return capsuleFiles({
    incident: manifest({
      name: 'jvm-leak',
      title: '报价服务内存溢出，接口卡顿',
      query: `price-engine ${spokenTime(ONSET)} 开始报 OutOfMemoryError，Full GC 频繁，接口卡顿。每天这个点结算导出任务在跑，刚好今天也发布过 settle-export，是不是导出把内存吃光了？要不要先把堆调大？`,
      asOf: AS_OF,
      topics: {
        'price-engine': '报价服务：取价、报价快照，应用日志含报错',
        'price-engine-gc': '报价服务的 GC 日志（同一服务，JVM 统一日志）',
        deployments: '发布记录：各服务的部署与配置变更',
      },
    }),
    expected: EXPECTED,
    logs: {
      'price-engine': priceLog(random, pods),
      'price-engine-gc': leakingHeap(random, SPAN, { releasedAt: RELEASED_AT, fullAt: ONSET }),
      deployments: releaseLog(random, SPAN, { releases, others: ['gateway', 'activity-api'] }),
    },
    tables: mysqlSnapshot(random, {
      schema: 'pricing',
      asOf: AS_OF,
      maxConnections: 400,
      abortedConnects: 9,
      sessions: [
        ...serverSessions(random, '10.83.5.240'),
        ...pooledSessions(random, { user: 'pricing_rw', pods, each: 10, firstPid: 38_007 }),
      ],
      digests: DIGESTS,
      tables: [
        serverTable('price_rule', 212_408, { PRIMARY: 'id', idx_sku: 'sku_id:98112' }),
        serverTable('price_history', 18_220_114, {
          PRIMARY: 'id',
          idx_sku_day: 'sku_id:98112, day',
        }),
      ],
    }),
    documents,
  });
}

function priceLog(random: SeededRandom, pods: readonly Pod[]): LogEntry[] {
  return [
    ...arrivals(random, SPAN, () => [11_000, 26_000]).map((at) => quote(random, pods, at)),
    ...arrivals(random, { ...SPAN, from: AS_OF - 26 * MINUTE_MS }, () => [20_000, 31_000]).map(
      (at, page) =>
        line(random, pods, {
          at,
          level: 'INFO',
          logger: 'c.d.price.export.ExportController',
          message: `结算导出取价 page=${page + 1} rows=5000`,
        }),
    ),
    ...arrivals(random, SPAN, () => [280_000, 310_000]).map((at) => cacheSize(random, pods, at)),
    ...arrivals(random, { ...SPAN, from: ONSET }, () => [9_000, 33_000]).map((at) =>
      outOfMemory(random, pods, at),
    ),
    ...pods.flatMap((pod) => healthChecks(random, SPAN, pod)),
  ];
}

function line(
  random: SeededRandom,
  pods: readonly Pod[],
  event: { at: number; level: 'INFO' | 'ERROR'; logger: string; message: string; trace?: string[] },
): LogEntry {
  return javaEntry({
    thread: `http-nio-8080-exec-${random.integer(1, 60)}`,
    pod: random.pick(pods).name,
    traceId: random.hex(16),
    ...event,
  });
}

function quote(random: SeededRandom, pods: readonly Pod[], at: number): LogEntry {
  const costMs = at < ONSET ? random.integer(4, 60) : random.integer(900, 7_400);
  const message = `取价完成 skuId=${random.integer(10_000, 98_112)} level=V${random.integer(1, 6)} costMs=${costMs}`;
  return line(random, pods, { at, level: 'INFO', logger: 'c.d.price.quote.QuoteService', message });
}

/** The cache tells its size, and nobody looks: it grows by the hour, with the export and without. */
function cacheSize(random: SeededRandom, pods: readonly Pod[], at: number): LogEntry {
  const minutes = (at - RELEASED_AT) / MINUTE_MS;
  const entries = Math.floor(minutes * 2_830 * (1 + random.fraction() / 60));
  return line(random, pods, {
    at,
    level: 'INFO',
    logger: 'c.d.price.cache.SnapshotCache',
    message: `报价快照缓存 entries=${entries} evicted=0`,
  });
}

function outOfMemory(random: SeededRandom, pods: readonly Pod[], at: number): LogEntry {
  const error = 'java.lang.OutOfMemoryError: Java heap space';
  return line(random, pods, {
    at,
    level: 'ERROR',
    logger: 'o.a.c.c.C.[dispatcherServlet]',
    message: `Servlet.service() threw exception: Handler dispatch failed: ${error}`,
    trace: random.chance(0.4)
      ? javaTrace(error, [
          'java.base/java.util.Arrays.copyOf(Arrays.java:3541)',
          random.pick([
            'c.d.price.cache.SnapshotCache.put(SnapshotCache.java:48)',
            'com.fasterxml.jackson.core.util.TextBuffer.carr(TextBuffer.java:1149)',
            'c.d.price.quote.QuoteService.quote(QuoteService.java:119)',
          ]),
        ])
      : [],
  });
}

const EXPECTED = expectation({
  true_cause:
    '报价快照缓存改为没有上限、没有过期的本地 Map，一天之内占满堆：Full GC 之后的剩余量一次比一次高，直到 OutOfMemoryError: Java heap space。',
  told_apart_by:
    'GC 日志里 Full GC 之后的剩余量单调上升，从几小时前就在涨，与导出是否在跑无关；SnapshotCache 的 entries 一直增长、evicted=0；导出每页 5000 行，取价语句和三个月前一样。',
  must_conclude: [
    says(
      '堆内存不足',
      '堆耗尽|堆内存|堆空间|堆不足|堆溢出|堆泄漏|占满堆|堆被占满|堆占满|java heap|heap space|heap exhaust|heap leak|heap is full|fills the heap|filled the heap|out of heap',
    ),
  ],
  may_conclude: [
    says('是泄漏', '泄漏|leak|一次比一次高|持续增长'),
    says('来自报价快照缓存', '缓存|cache|snapshot|concurrenthashmap'),
  ],
  must_not_blame: [
    says('结算导出', '导出|export', AS_CAUSE),
    says('settle-export 的发布', 'settle-export', AS_CAUSE),
    says('容器上限', '容器上限|oomkilled|exit code 137', AS_CAUSE),
    says('元空间', 'metaspace|元空间'),
  ],
});

const DIGESTS = [
  {
    text: 'SELECT `sku_id` , `price_cents` , `day` FROM `price_history` WHERE `id` > ? ORDER BY `id` LIMIT ?',
    calls: 9_914,
    avgMs: 24,
    maxMs: 210,
    sent: 5_000,
    examined: 5_000,
  },
  {
    text: 'SELECT * FROM `price_rule` WHERE `sku_id` = ?',
    calls: 6_330_207,
    avgMs: 0.6,
    maxMs: 91,
    sent: 3,
    examined: 3,
  },
];
