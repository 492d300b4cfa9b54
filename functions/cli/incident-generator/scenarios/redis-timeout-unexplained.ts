import { type CapsuleFiles, capsuleFiles } from '../capsule.ts';
import { documents } from '../documents/redis-timeout-unexplained.ts';
import { youngCollections } from '../gc-log.ts';
import { javaTrace } from '../java-trace.ts';
import { javaEntry, type LogEntry } from '../log-file.ts';
import { expectation, manifest, says } from '../manifest.ts';
import { pooledSessions, serverSessions } from '../mysql-session.ts';
import { mysqlSnapshot, serverTable } from '../mysql-snapshot.ts';
import { healthChecks } from '../platform-noise.ts';
import { type Pod, PodNetwork } from '../pods.ts';
import { releaseLog } from '../release-log.ts';
import { SeededRandom } from '../seeded-random.ts';
import { arrivals, instants, type Span } from '../span.ts';
import { MINUTE_MS, SECOND_MS, spokenTime } from '../wall-clock.ts';

const AS_OF = Date.UTC(2026, 10, 22, 12, 47);
const SPAN: Span = { from: AS_OF - 110 * MINUTE_MS, asOf: AS_OF };
const ONSET = AS_OF - 29 * MINUTE_MS;
const RECOVERED = AS_OF - 17 * MINUTE_MS;

/** Twelve minutes of timeouts that the client alone tells of: neither server nor network can be seen. */
export function redisTimeoutUnexplained(): CapsuleFiles {
  const random = new SeededRandom(20_261_122);
  const pods = new PodNetwork(random, '10.58.7').pods('seat-api', 3);
  const releases = [
    { at: ONSET - 16 * MINUTE_MS, service: 'ticket-web', change: '座位图配色调整' },
    { at: AS_OF - 1_460 * MINUTE_MS, service: 'seat-api', change: '选座接口返回剩余座位数' },
  ];
  return capsuleFiles({
    incident: manifest({
      name: 'redis-timeout-unexplained',
      title: '选座锁 Redis 命令超时，已自行恢复',
      query: `${spokenTime(ONSET)} 到 ${spokenTime(RECOVERED)} 左右 seat-api 的 Redisson 大量报 Redis 命令超时，选座失败，后来自己恢复了。是不是又有人在主节点跑 KEYS，或者大键？请给出根因。`,
      asOf: AS_OF,
      topics: {
        'seat-api': '选座服务：加锁、释放，含 Redisson 报错与 GC 日志',
        deployments: '发布记录：各服务的部署与配置变更',
      },
    }),
    expected: EXPECTED,
    logs: {
      'seat-api': seatLog(random, pods),
      deployments: releaseLog(random, SPAN, { releases, others: ['gateway', 'order-api'] }),
    },
    tables: mysqlSnapshot(random, {
      schema: 'ticket',
      asOf: AS_OF,
      maxConnections: 400,
      abortedConnects: 12,
      sessions: [
        ...serverSessions(random, '10.58.7.240'),
        ...pooledSessions(random, { user: 'seat_rw', pods, each: 14, firstPid: 58_211 }),
      ],
      digests: DIGESTS,
      tables: [serverTable('seat', 6_120_448, { PRIMARY: 'id', idx_show: 'show_id:20911' })],
    }),
    documents,
  });
}

function seatLog(random: SeededRandom, pods: readonly Pod[]): LogEntry[] {
  return [
    ...arrivals(random, SPAN, () => [4_000, 12_000]).map((at) => locking(random, pods, at)),
    ...pods.flatMap((pod) => [
      ...poolStatistics(random, pod),
      ...healthChecks(random, SPAN, pod),
      ...youngCollections(random, SPAN, {
        everyMs: 65 * SECOND_MS,
        heapMb: 1_024,
        liveMb: () => 280,
      }),
    ]),
  ];
}

function locking(random: SeededRandom, pods: readonly Pod[], at: number): LogEntry {
  const pod = random.pick(pods);
  const show = `showId=${random.integer(1_000, 20_911)} seat=${random.pick(['A', 'B', 'C', 'D'])}${random.integer(1, 40)}`;
  const shared = {
    thread: `http-nio-8080-exec-${random.integer(1, 80)}`,
    pod: pod.name,
    traceId: random.hex(16),
    logger: 'c.y.seat.lock.SeatLock',
  };
  const isAffected = at >= ONSET && at < RECOVERED && random.chance(0.6);
  if (!isAffected) {
    const message = `选座加锁成功 ${show} costMs=${random.integer(2, 14)}`;
    return javaEntry({ ...shared, at, level: 'INFO', message });
  }
  const error = `org.redisson.client.RedisResponseTimeoutException: Redis server response timeout (3000 ms) occured after 3 retry attempts, is non-idempotent command: true Command: (EVAL), params: [<script>, 1, seat:lock:${random.hex(6)}], channel: [id: 0x${random.hex(8)}, L:/${pod.address}:${random.integer(33_000, 60_000)} - R:redis-seat.internal/10.58.200.11:6379]`;
  return javaEntry({
    ...shared,
    at: at + 12_000 + random.integer(1, 90),
    level: 'ERROR',
    message: `选座加锁失败 ${show} ${error}`,
    trace: random.chance(0.12)
      ? javaTrace(error, [
          'org.redisson.command.RedisExecutor.lambda$scheduleResponseTimeout$5(RedisExecutor.java:341)',
          'io.netty.util.HashedWheelTimer$HashedWheelTimeout.run(HashedWheelTimer.java:715)',
        ])
      : [],
  });
}

/** The pool is at ease before, during and after. */
function poolStatistics(random: SeededRandom, pod: Pod): LogEntry[] {
  return instants(SPAN, random.integer(5_000, 110_000), 3 * MINUTE_MS).map((at) =>
    javaEntry({
      at,
      level: 'INFO',
      thread: 'pool-monitor-1',
      pod: pod.name,
      logger: 'c.y.seat.redis.PoolMonitor',
      message: `redisson pool used=${random.integer(3, 19)} size=64 waiting=0`,
    }),
  );
}

const EXPECTED = expectation({
  true_cause: null,
  told_apart_by:
    '只有客户端的超时：连接池空闲、没有长停顿、没有变更碰到它；服务器日志、慢日志和网络都看不到，重命令、主从切换、网络抖动无从分辨。历史事件里同样的报错有三种原因。',
  must_be_null: true,
  must_not_blame: [
    says('KEYS 或大键', 'keys|大键|big key|重命令'),
    says('网络', '网络|network'),
    says('GC', 'gc|停顿'),
    says('发布', '发布|release'),
  ],
  must_name_as_missing: [
    says(
      '服务器侧或网络的证据',
      '服务器|服务端|慢日志|slowlog|slow log|server|网络|network|控制台',
    ),
  ],
});

const DIGESTS = [
  {
    text: 'UPDATE `seat` SET `status` = ? , `order_no` = ? WHERE `id` = ? AND `status` = ?',
    calls: 1_220_908,
    avgMs: 1.3,
    maxMs: 140,
    sent: 0,
    examined: 1,
  },
  {
    text: 'SELECT * FROM `seat` WHERE `show_id` = ?',
    calls: 3_904_117,
    avgMs: 2.2,
    maxMs: 190,
    sent: 290,
    examined: 290,
  },
];
