import { type CapsuleFiles, capsuleFiles } from '../capsule.ts';
import { documents } from '../documents/redis-client-pool.ts';
import { youngCollections } from '../gc-log.ts';
import { javaTrace } from '../java-trace.ts';
import { javaEntry, type LogEntry } from '../log-file.ts';
import { AS_CAUSE, expectation, manifest, says } from '../manifest.ts';
import { pooledSessions, serverSessions } from '../mysql-session.ts';
import { mysqlSnapshot, serverTable } from '../mysql-snapshot.ts';
import { healthChecks } from '../platform-noise.ts';
import { type Pod, PodNetwork } from '../pods.ts';
import { healthyRedisLog } from '../redis-log.ts';
import { releaseLog } from '../release-log.ts';
import { SeededRandom } from '../seeded-random.ts';
import { arrivals, instants, type Span } from '../span.ts';
import { MINUTE_MS, SECOND_MS, spokenTime } from '../wall-clock.ts';

const AS_OF = Date.UTC(2026, 10, 10, 2, 27);
const SPAN: Span = { from: AS_OF - 95 * MINUTE_MS, asOf: AS_OF };
const ONSET = AS_OF - 26 * MINUTE_MS;
const POOL = 64;

/** Blocking reads hold every connection of the client's pool, while the server has nothing to do. */
export function redisClientPool(): CapsuleFiles {
  const random = new SeededRandom(20_261_110);
  const network = new PodNetwork(random, '10.27.4');
  const pods = network.pods('coupon-api', 3);
  const releases = [
    {
      at: AS_OF - 742 * MINUTE_MS,
      service: 'coupon-api',
      change: '抢券结果由轮询改为 BLPOP 阻塞读取，最长等待 30 秒，共用现有 Redis 连接池',
    },
    { at: ONSET - 19 * MINUTE_MS, service: 'activity-web', change: '活动页头图更新' },
  ];
  return capsuleFiles({
    incident: manifest({
      name: 'redis-client-pool',
      title: '优惠券服务取不到 Redis 连接',
      query: `${spokenTime(ONSET)} 抢券开始后 coupon-api 大量报 Redis 异常，Jedis 取不到连接，页面提示系统繁忙。正好那会儿 Redis 在做 RDB，是不是缓存服务器扛不住了，要不要扩容？`,
      asOf: AS_OF,
      topics: {
        'coupon-api': '优惠券服务：抢券、核销，含 Jedis 报错与 GC 日志',
        'redis-coupon': 'Redis 缓存服务器自己的日志（优惠券实例）',
        deployments: '发布记录：各服务的部署与配置变更',
      },
    }),
    expected: EXPECTED,
    logs: {
      'coupon-api': couponLog(random, pods),
      'redis-coupon': healthyRedisLog(random, SPAN, 15 * MINUTE_MS),
      deployments: releaseLog(random, SPAN, {
        releases,
        others: ['gateway', 'search', 'user-api'],
      }),
    },
    tables: mysqlSnapshot(random, {
      schema: 'coupon',
      asOf: AS_OF,
      maxConnections: 400,
      abortedConnects: 5,
      sessions: [
        ...serverSessions(random, '10.27.4.240'),
        ...pooledSessions(random, { user: 'coupon_rw', pods, each: 16, firstPid: 33_108 }),
      ],
      digests: DIGESTS,
      tables: [
        serverTable('coupon', 9_120_447, { PRIMARY: 'id', uk_code: 'code' }),
        serverTable('coupon_template', 412, { PRIMARY: 'id' }, { scanned: 90_411, writes: 30 }),
      ],
    }),
    documents,
  });
}

function couponLog(random: SeededRandom, pods: readonly Pod[]): LogEntry[] {
  return [
    ...arrivals(random, SPAN, (at) => (at < ONSET ? [9_000, 21_000] : [2_500, 7_000])).map((at) =>
      grab(random, pods, at),
    ),
    ...pods.flatMap((pod) => [
      ...poolStatistics(random, pod),
      ...healthChecks(random, SPAN, pod),
      ...youngCollections(random, SPAN, {
        everyMs: 80 * SECOND_MS,
        heapMb: 1_024,
        liveMb: () => 290,
      }),
    ]),
  ];
}

function grab(random: SeededRandom, pods: readonly Pod[], at: number): LogEntry {
  const shared = {
    thread: `http-nio-8080-exec-${random.integer(1, 120)}`,
    pod: random.pick(pods).name,
    traceId: random.hex(16),
    logger: 'c.q.coupon.grab.GrabService',
  };
  const what = `activity=A${random.integer(310, 318)} userId=${random.integer(1_000_000, 9_999_999)}`;
  if (at >= ONSET && random.chance(0.72)) {
    return javaEntry({
      ...shared,
      at: at + 2_000,
      level: 'ERROR',
      message: `抢券失败 ${what} redis.clients.jedis.exceptions.JedisConnectionException: Could not get a resource from the pool`,
      trace: random.chance(0.12) ? POOL_TRACE : [],
    });
  }
  const waitedMs = at < ONSET ? random.integer(40, 900) : random.integer(18_000, 30_000);
  const message = `抢券排队返回 ${what} command=BLPOP key=grab:result:<user> waitedMs=${waitedMs}`;
  return javaEntry({ ...shared, at: at + waitedMs, level: 'INFO', message });
}

const POOL_TRACE = javaTrace(
  'redis.clients.jedis.exceptions.JedisConnectionException: Could not get a resource from the pool',
  [
    'redis.clients.jedis.util.Pool.getResource(Pool.java:84)',
    'redis.clients.jedis.JedisPool.getResource(JedisPool.java:370)',
    'c.q.coupon.grab.GrabQueue.await(GrabQueue.java:66)',
  ],
  {
    headline: 'java.util.NoSuchElementException: Timeout waiting for idle object',
    frames: [
      'org.apache.commons.pool2.impl.GenericObjectPool.borrowObject(GenericObjectPool.java:314)',
    ],
  },
);

function poolStatistics(random: SeededRandom, pod: Pod): LogEntry[] {
  return instants(SPAN, random.integer(5_000, 55_000), 2 * MINUTE_MS).map((at) => {
    const isFull = at >= ONSET;
    const active = isFull ? POOL : random.integer(2, 11);
    const waiters = isFull ? random.integer(22, 97) : 0;
    return javaEntry({
      at,
      level: isFull ? 'WARN' : 'INFO',
      thread: 'pool-monitor-1',
      pod: pod.name,
      logger: 'c.q.coupon.redis.JedisPoolMonitor',
      message: `jedis pool numActive=${active} numIdle=${isFull ? 0 : 12} numWaiters=${waiters} maxTotal=${POOL} blocking=${isFull ? active - random.integer(0, 2) : random.integer(0, 2)}`,
    });
  });
}

const EXPECTED = expectation({
  true_cause:
    'coupon-api 的 Jedis 连接池被抢券的 BLPOP 阻塞读取占满：每个等待的用户独占一条连接最长 30 秒，普通命令取不到连接；Redis 服务器本身空闲。',
  told_apart_by:
    '池统计里 numActive 等于 maxTotal、numIdle=0，blocking 几乎等于 numActive；服务器日志只有日常的 RDB，没有慢、没有 AOF、没有切换；RDB 整天每十五分钟一次。',
  must_conclude: [
    says(
      '满的是客户端连接池',
      '连接池|客户端池|客户端连接|client pool|connection pool|jedis pool|pool',
    ),
    says(
      '连接都被占着',
      '耗尽|占满|占住|占用|用完|exhaust|full|held|numactive=64|could not get a resource',
    ),
  ],
  may_conclude: [says('被阻塞命令占住', 'blpop|阻塞|blocking')],
  must_not_blame: [
    says('RDB 持久化', 'rdb|持久化|background saving|bgsave', AS_CAUSE),
    says(
      '服务器过载',
      'redis 服务器|缓存服务器|redis server|服务端',
      '慢|扛不住|过载|瓶颈|overload|slow',
    ),
    says('大键或重命令', '大键|big key|hgetall|重命令'),
    says('活动页发布', 'activity-web'),
  ],
});

const DIGESTS = [
  {
    text: 'SELECT * FROM `coupon` WHERE `code` = ?',
    calls: 2_190_338,
    avgMs: 0.5,
    maxMs: 90,
    sent: 1,
    examined: 1,
  },
  {
    text: 'UPDATE `coupon` SET `owner_id` = ? , `status` = ? WHERE `id` = ? AND `status` = ?',
    calls: 801_446,
    avgMs: 1.6,
    maxMs: 210,
    sent: 0,
    examined: 1,
  },
  {
    text: 'SELECT * FROM `coupon_template` WHERE `enabled` = ?',
    calls: 221,
    avgMs: 0.8,
    maxMs: 14,
    sent: 190,
    examined: 412,
    noIndex: true,
  },
];
