import { javaTrace } from '../java-trace.ts';
import { jsonEntry } from '../json-log.ts';
import { javaEntry, type LogEntry } from '../log-file.ts';
import { healthChecks } from '../platform-noise.ts';
import type { Pod } from '../pods.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { arrivals, instants, type Span } from '../span.ts';
import { MINUTE_MS, SECOND_MS } from '../wall-clock.ts';

/** The numbers of the incident whose pool runs empty. */
export interface MemberCase {
  readonly span: Span;
  /** From here on no new connection gets through. */
  readonly blockedAt: number;
  /** From here on no old one is left. */
  readonly onset: number;
  readonly memberPods: readonly Pod[];
  readonly pointsPods: readonly Pod[];
}

const POOL_BEFORE = 30;
const WAIT_MS = 3_000;
const TRACE_SHARE = 0.12;

export function memberLog(random: SeededRandom, incident: MemberCase): LogEntry[] {
  const { span, memberPods } = incident;
  return [
    ...arrivals(random, span, () => [5_000, 14_000]).map((at) => lookup(random, incident, at)),
    ...memberPods.flatMap((pod) => [
      ...poolStatistics(random, incident, pod),
      ...failedOpenings(random, incident, pod),
      ...healthChecks(random, span, pod),
    ]),
  ];
}

function lookup(random: SeededRandom, { onset, memberPods }: MemberCase, at: number): LogEntry {
  const shared = {
    thread: `http-nio-8080-exec-${random.integer(1, 80)}`,
    pod: random.pick(memberPods).name,
    traceId: random.hex(16),
    logger: 'c.r.member.profile.ProfileService',
  };
  const member = `memberId=${random.integer(10_000_000, 99_999_999)}`;
  if (at < onset) {
    const message = `会员资料读取完成 ${member} costMs=${random.integer(3, 40)}`;
    return javaEntry({ ...shared, at, level: 'INFO', message });
  }
  const refusal = `HikariPool-1 - Connection is not available, request timed out after ${WAIT_MS + random.integer(0, 9)}ms (total=0, active=0, idle=0, waiting=${random.integer(6, 41)})`;
  return javaEntry({
    ...shared,
    at: at + WAIT_MS,
    level: 'ERROR',
    message: `会员资料读取失败 ${member} ${refusal}`,
    trace: random.chance(TRACE_SHARE)
      ? javaTrace(`java.sql.SQLTransientConnectionException: ${refusal}`, [
          'com.zaxxer.hikari.pool.HikariPool.createTimeoutException(HikariPool.java:686)',
          'com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:179)',
          'c.r.member.profile.ProfileRepository.byId(ProfileRepository.java:41)',
        ])
      : [],
  });
}

/** The pool as it tells of itself: whole, then shrinking as its connections retire, then empty. */
function poolStatistics(random: SeededRandom, incident: MemberCase, pod: Pod): LogEntry[] {
  const { span, blockedAt, onset } = incident;
  return instants(span, random.integer(5_000, 110_000), 2 * MINUTE_MS).map((at) => {
    const left = Math.max(0, Math.min(1, (onset - at) / (onset - blockedAt)));
    const total = at < blockedAt ? POOL_BEFORE : Math.floor(POOL_BEFORE * left);
    const active = Math.min(total, random.integer(1, 8));
    const waiting = total === 0 ? random.integer(8, 44) : 0;
    return javaEntry({
      at,
      level: 'INFO',
      thread: 'HikariPool-1 housekeeper',
      pod: pod.name,
      logger: 'com.zaxxer.hikari.pool.HikariPool',
      message: `HikariPool-1 - Pool stats (total=${total}, active=${active}, idle=${total - active}, waiting=${waiting})`,
    });
  });
}

function failedOpenings(random: SeededRandom, incident: MemberCase, pod: Pod): LogEntry[] {
  const { span, blockedAt } = incident;
  const from = blockedAt + random.integer(70, 160) * SECOND_MS;
  return instants({ from, asOf: span.asOf }, 0, 50 * SECOND_MS).map((at) =>
    javaEntry({
      at,
      level: 'WARN',
      thread: 'HikariPool-1 connection adder',
      pod: pod.name,
      logger: 'com.zaxxer.hikari.pool.PoolBase',
      message:
        'HikariPool-1 - Cannot acquire connection from data source com.mysql.cj.jdbc.exceptions.CommunicationsException: Communications link failure',
      trace: random.chance(TRACE_SHARE)
        ? javaTrace(
            'com.mysql.cj.jdbc.exceptions.CommunicationsException: Communications link failure',
            ['com.mysql.cj.jdbc.ConnectionImpl.createNewIO(ConnectionImpl.java:819)'],
            {
              headline: 'java.net.SocketTimeoutException: Connect timed out',
              frames: [
                'java.base/sun.nio.ch.NioSocketImpl.timedFinishConnect(NioSocketImpl.java:546)',
                'java.base/java.net.Socket.connect(Socket.java:633)',
              ],
            },
          )
        : [],
    }),
  );
}

/** The neighbour on the same database: nothing happens to it. */
export function pointsLog(random: SeededRandom, { span, pointsPods }: MemberCase): LogEntry[] {
  return arrivals(random, span, () => [14_000, 34_000]).map((at) =>
    jsonEntry({
      at,
      level: 'INFO',
      service: 'points-api',
      pod: random.pick(pointsPods).name,
      logger: 'c.r.points.PointsService',
      traceId: random.hex(16),
      message: '积分入账完成',
      fields: { memberId: random.integer(10_000_000, 99_999_999), costMs: random.integer(4, 31) },
    }),
  );
}
