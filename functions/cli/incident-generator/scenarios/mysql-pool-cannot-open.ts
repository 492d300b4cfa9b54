import { type CapsuleFiles, capsuleFiles } from '../capsule.ts';
import { documents } from '../documents/mysql-pool-cannot-open.ts';
import { AS_CAUSE, expectation, manifest, says } from '../manifest.ts';
import {
  idleSession,
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
import { type MemberCase, memberLog, pointsLog } from './member-pool-logs.ts';

const AS_OF = Date.UTC(2026, 10, 16, 13, 31);

/**
 * The headline of an exhausted pool with the numbers of an empty one: a network policy lets no new
 * connection through, and the old ones retire one by one.
 */
export function mysqlPoolCannotOpen(): CapsuleFiles {
  const random = new SeededRandom(20_261_116);
  const network = new PodNetwork(random, '10.46.3');
  const incident: MemberCase = {
    span: { from: AS_OF - 110 * MINUTE_MS, asOf: AS_OF },
    blockedAt: AS_OF - 53 * MINUTE_MS,
    onset: AS_OF - 23 * MINUTE_MS,
    memberPods: network.pods('member-api', 3),
    pointsPods: network.pods('points-api', 2),
  };
  const releases = [
    {
      at: incident.blockedAt,
      service: 'network-policy/member',
      change: '命名空间 member 出口白名单收敛，移除不再使用的网段 10.60.0.0/23，新增 10.60.1.0/24',
    },
    {
      at: incident.onset - 8 * MINUTE_MS,
      service: 'member-api',
      change: '配置中心 hikari.maximum-pool-size 30 -> 15，降低数据库连接占用，实例重启后生效',
    },
  ];
  return capsuleFiles({
    incident: manifest({
      name: 'mysql-pool-cannot-open',
      title: 'member-api gets no database connections',
      query: `Since about ${spokenTime(incident.onset)} (UTC+8) member-api can not get database connections: HikariCP says "Connection is not available, request timed out" on every pod. We halved the pool size in a change just before. Is the pool exhausted, should we roll back to 30? The database team sees no alarm.`,
      asOf: AS_OF,
      topics: {
        'member-api': '会员服务 member service：logback，含 HikariCP 连接池统计与报错',
        'points-api': '积分服务 points service：JSON 日志，同一数据库',
        deployments: '发布记录 releases：各服务的部署、配置与网络策略变更',
      },
    }),
    expected: EXPECTED,
    logs: {
      'member-api': memberLog(random, incident),
      'points-api': pointsLog(random, incident),
      deployments: releaseLog(random, incident.span, {
        releases,
        others: ['points-api', 'gateway', 'coupon-api'],
      }),
    },
    tables: mysqlSnapshot(random, {
      schema: 'member',
      asOf: AS_OF,
      maxConnections: 600,
      abortedConnects: 8,
      sessions: sessions(random, incident),
      digests: DIGESTS,
      tables: TABLES,
    }),
    documents,
  });
}

/** No session of member-api is left; the extract is the one that runs every evening. */
function sessions(random: SeededRandom, { pointsPods }: MemberCase): MysqlSession[] {
  return [
    ...serverSessions(random, '10.60.0.12'),
    ...pooledSessions(random, { user: 'points_rw', pods: pointsPods, each: 20, firstPid: 71_030 }),
    runningSession(idleSession(73_411, 'bi_ro', '10.48.2.9:41877', 0), {
      seconds: 71,
      state: 'executing',
      statement:
        "SELECT member_id, kind, points, created_at FROM points_flow WHERE created_at >= '2026-11-16 00:00:00' AND created_at < '2026-11-16 12:00:00'",
    }),
  ];
}

const EXPECTED = expectation({
  true_cause:
    'member 命名空间的出口白名单少了数据库网段，新连接建不出来；旧连接按 maxLifetime 逐条退役后，连接池空了。',
  told_apart_by:
    '报错里 total=0, active=0：池是空的，不是满的；建连日志是 connect timed out，从白名单变更后几分钟开始，早于池大小的变更；服务器上没有 member_rw 的会话，同库的 points-api 一切正常。',
  must_conclude: [
    says(
      '新连接建不出来',
      "打不开|建不出|建不了|无法建立|建立不了|连不上|无法连接|不可达|cannot open|can not open|can't open|cannot be opened|unable to open|cannot connect|unable to connect|cannot reach|can't reach|unreachable|not reachable|no new connection|new connections",
    ),
  ],
  may_conclude: [says('出口白名单', '白名单|网络策略|network policy|egress|allow-list|allowlist')],
  must_not_blame: [
    says('池被占满', '池被占满|池耗尽|pool exhaust|pool is exhausted|泄漏|leak'),
    says('池大小的变更', 'maximum-pool-size|maximumpoolsize|池大小|pool size|30 -> 15', AS_CAUSE),
    says('BI 抽数', 'bi_ro|bi 抽数|慢sql|slow query', AS_CAUSE),
    says('服务器连接数上限', 'too many connections|max_connections'),
  ],
});

const DIGESTS = [
  {
    text: 'SELECT * FROM `member` WHERE `member_id` = ?',
    calls: 5_880_120,
    avgMs: 0.5,
    maxMs: 120,
    sent: 1,
    examined: 1,
    lastSeen: AS_OF - 23 * MINUTE_MS,
  },
  {
    text: 'SELECT `member_id` , `kind` , `points` , `created_at` FROM `points_flow` WHERE `created_at` >= ? AND `created_at` < ?',
    calls: 2_210,
    avgMs: 74_000,
    maxMs: 128_000,
    sent: 610_000,
    examined: 610_000,
  },
  {
    text: 'INSERT INTO `points_flow` ( `member_id` , `kind` , `points` , `created_at` ) VALUES (...)',
    calls: 2_019_338,
    avgMs: 1.2,
    maxMs: 88,
    sent: 0,
    examined: 0,
  },
];

const TABLES = [
  serverTable('member', 14_220_911, { PRIMARY: 'member_id', uk_mobile_hash: 'mobile_hash' }),
  serverTable('points_flow', 88_403_117, { PRIMARY: 'id', idx_created: 'created_at' }),
];
