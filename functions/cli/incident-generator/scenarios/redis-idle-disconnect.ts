import { type CapsuleFiles, capsuleFiles } from '../capsule.ts';
import { documents } from '../documents/redis-idle-disconnect.ts';
import { youngCollections } from '../gc-log.ts';
import { javaTrace } from '../java-trace.ts';
import { javaEntry, type LogEntry } from '../log-file.ts';
import { AS_CAUSE, expectation, manifest, says } from '../manifest.ts';
import { pooledSessions, serverSessions } from '../mysql-session.ts';
import { mysqlSnapshot, serverTable } from '../mysql-snapshot.ts';
import { healthChecks } from '../platform-noise.ts';
import { type Pod, PodNetwork } from '../pods.ts';
import { healthyRedisLog, redisEntry } from '../redis-log.ts';
import { releaseLog } from '../release-log.ts';
import { SeededRandom } from '../seeded-random.ts';
import { instants, type Span } from '../span.ts';
import { MINUTE_MS, SECOND_MS } from '../wall-clock.ts';

const AS_OF = Date.UTC(2026, 10, 18, 22, 34);
const SPAN: Span = { from: AS_OF - 330 * MINUTE_MS, asOf: AS_OF };
const REFRESH_EVERY_MS = 10 * MINUTE_MS;
const COMMAND_TIMEOUT_MS = 3 * SECOND_MS;
const ENDPOINT = 'redis-quote.lb.internal/10.60.4.20:6379';

/** Command timeouts that look like a slow server, each on a connection the load balancer had dropped. */
export function redisIdleDisconnect(): CapsuleFiles {
  const random = new SeededRandom(20_261_118);
  const network = new PodNetwork(random, '10.71.6');
  const pods = network.pods('quote-api', 3);
  const releases = [
    {
      at: AS_OF - 742 * MINUTE_MS,
      service: 'redis-quote',
      change: '访问入口由直连改为四层负载均衡 redis-quote.lb.internal',
    },
    { at: SPAN.from - 40 * MINUTE_MS, service: 'quote-api', change: 'currency rounding fix' },
  ];
  return capsuleFiles({
    incident: manifest({
      name: 'redis-idle-disconnect',
      title: 'Redis command timeouts in quote-api, all night',
      query:
        'quote-api has thrown Redis command timeouts all night (Lettuce, RedisCommandTimeoutException), every ten minutes or so on each pod. By day there was nothing. Is the Redis server too slow at night, is it the RDB save, or the release of last night? Do we need a bigger instance?',
      asOf: AS_OF,
      topics: {
        'quote-api': '报价服务 quote service：汇率刷新、报价，含 Lettuce 报错与 GC 日志',
        'redis-quote': 'Redis 缓存服务器自己的日志（报价实例）',
        deployments: '发布记录 releases：各服务的部署与配置变更',
      },
    }),
    expected: EXPECTED,
    logs: {
      'quote-api': pods.flatMap((pod) => quoteLog(random, pod)),
      'redis-quote': [
        ...healthyRedisLog(random, SPAN, 30 * MINUTE_MS),
        redisEntry(
          SPAN.from + 9 * MINUTE_MS,
          'Synchronization with replica 10.60.4.31:6379 succeeded',
        ),
      ],
      deployments: releaseLog(random, SPAN, { releases, others: ['gateway', 'rates-feed'] }),
    },
    tables: mysqlSnapshot(random, {
      schema: 'quote',
      asOf: AS_OF,
      maxConnections: 300,
      abortedConnects: 3,
      sessions: [
        ...serverSessions(random, '10.71.6.240'),
        ...pooledSessions(random, { user: 'quote_rw', pods, each: 8, firstPid: 20_480 }),
      ],
      digests: DIGESTS,
      tables: [serverTable('rate', 48_211, { PRIMARY: 'id', uk_pair_day: 'pair:180, day' })],
    }),
    documents,
  });
}

/** One pod: every refresh begins with a command into the void, and goes well at the second attempt. */
function quoteLog(random: SeededRandom, pod: Pod): LogEntry[] {
  const offset = random.integer(20, 560) * SECOND_MS;
  return [
    ...instants(SPAN, offset, REFRESH_EVERY_MS).flatMap((at) => refresh(random, pod, at)),
    ...healthChecks(random, SPAN, pod),
    ...youngCollections(random, SPAN, {
      everyMs: 4 * MINUTE_MS,
      heapMb: 768,
      liveMb: () => 210,
    }),
  ];
}

function refresh(random: SeededRandom, pod: Pod, start: number): LogEntry[] {
  const failedAt = start + COMMAND_TIMEOUT_MS + random.integer(1, 9);
  const logger = 'c.k.quote.rates.RateRefresh';
  const shared = { pod: pod.name, thread: 'rate-refresh-1', traceId: random.hex(16), logger };
  const netty = { pod: pod.name, thread: 'lettuce-eventExecutorLoop-1-3' };
  const pairs = random.integer(160, 180);
  return [
    javaEntry({
      ...shared,
      at: start,
      level: 'INFO',
      message: `rate refresh begins, connection idle for ${600 - random.integer(3, 9)} s`,
    }),
    javaEntry({
      ...shared,
      at: failedAt,
      level: 'ERROR',
      message:
        'rate refresh attempt 1 failed: io.lettuce.core.RedisCommandTimeoutException: Command timed out after 3 second(s)',
      trace: random.chance(0.3) ? TIMEOUT_TRACE : [],
    }),
    javaEntry({
      ...netty,
      at: failedAt + random.integer(20, 60),
      level: 'INFO',
      logger: 'i.l.core.protocol.ConnectionWatchdog',
      message: `Reconnecting, last destination was ${ENDPOINT}`,
    }),
    javaEntry({
      ...netty,
      at: failedAt + random.integer(64, 90),
      level: 'INFO',
      logger: 'i.l.core.protocol.ReconnectionHandler',
      message: `Reconnected to ${ENDPOINT}`,
    }),
    javaEntry({
      ...shared,
      at: failedAt + 1_000,
      level: 'INFO',
      message: `rate refresh attempt 2 done, ${pairs} pairs in ${random.integer(31, 84)} ms`,
    }),
  ];
}

const TIMEOUT_TRACE = javaTrace(
  'org.springframework.dao.QueryTimeoutException: Redis command timed out',
  [
    'org.springframework.data.redis.connection.lettuce.LettuceExceptionConverter.convert(LettuceExceptionConverter.java:68)',
    'c.k.quote.rates.RateCache.read(RateCache.java:52)',
  ],
  {
    headline: 'io.lettuce.core.RedisCommandTimeoutException: Command timed out after 3 second(s)',
    frames: [
      'io.lettuce.core.internal.ExceptionFactory.createTimeoutException(ExceptionFactory.java:63)',
      'io.lettuce.core.internal.Futures.awaitOrCancel(Futures.java:246)',
    ],
  },
);

const EXPECTED = expectation({
  true_cause:
    'Redis is reached through a load balancer that silently drops connections idle for 350 s; at night the shared connection is idle for ten minutes between refreshes, so the first command of each is lost.',
  told_apart_by:
    'every timeout is the first command after about 600 s of silence, followed by a reconnect and a second attempt of some 50 ms; the server logs nothing but its RDB every thirty minutes, which is no ten-minute rhythm; the entry point changed the evening before.',
  must_conclude: [
    says('idle connections', '空闲|idle|闲置'),
    says(
      'are dropped on the way',
      '断开|断连|移除|失效|丢弃|关闭|dropped|drop|disconnect|closed|cut|removed|stale|dead',
    ),
  ],
  may_conclude: [says('by the load balancer', '负载均衡|load balancer|lb|350')],
  must_not_blame: [
    says('a slow server', 'redis server|redis 服务器|服务端', 'slow|慢|overload|过载'),
    says('the RDB save', 'rdb|bgsave|background saving|持久化', AS_CAUSE),
    says('the release of last night', 'rounding|quote-api release|quote-api 的发布', AS_CAUSE),
    says('the size of the instance', 'bigger instance|扩容|too small'),
    says('the client pool', '连接池耗尽|pool exhaust'),
  ],
});

const DIGESTS = [
  {
    text: 'SELECT * FROM `rate` WHERE `pair` = ? AND `day` = ?',
    calls: 410_227,
    avgMs: 0.4,
    maxMs: 31,
    sent: 1,
    examined: 1,
  },
  {
    text: 'INSERT INTO `rate` ( `pair` , `day` , `bid` , `ask` ) VALUES (...) ON DUPLICATE KEY UPDATE `bid` = ? , `ask` = ?',
    calls: 88_020,
    avgMs: 1.3,
    maxMs: 44,
    sent: 0,
    examined: 0,
  },
];
