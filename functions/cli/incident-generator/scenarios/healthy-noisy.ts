import { type CapsuleFiles, capsuleFiles } from '../capsule.ts';
import { documents } from '../documents/healthy-noisy.ts';
import { gatewayLog } from '../gateway-traffic.ts';
import { gcLine, youngCollections } from '../gc-log.ts';
import { jsonEntry } from '../json-log.ts';
import { javaEntry, type LogEntry } from '../log-file.ts';
import { expectation, manifest, says } from '../manifest.ts';
import { pooledSessions, serverSessions } from '../mysql-session.ts';
import { mysqlSnapshot, serverTable } from '../mysql-snapshot.ts';
import { healthChecks } from '../platform-noise.ts';
import { type Pod, PodNetwork } from '../pods.ts';
import { releaseLog } from '../release-log.ts';
import { SeededRandom } from '../seeded-random.ts';
import { arrivals, type Span } from '../span.ts';
import { MINUTE_MS, SECOND_MS } from '../wall-clock.ts';

const AS_OF = Date.UTC(2026, 10, 13, 1, 36);
const SPAN: Span = { from: AS_OF - 110 * MINUTE_MS, asOf: AS_OF };
const RELEASED_AT = AS_OF - 73 * MINUTE_MS;

/** Nothing is wrong, and everything makes a noise, as much as on any other day. */
export function healthyNoisy(): CapsuleFiles {
  const random = new SeededRandom(20_261_113);
  const network = new PodNetwork(random, '10.44.6');
  const pods = network.pods('order-center', 3);
  const payPods = network.pods('pay-hub', 2);
  return capsuleFiles({
    incident: manifest({
      name: 'healthy-noisy',
      title: '告警群很吵，不确定有没有故障',
      query:
        '早上接班，告警群里一直在刷：GC、Redis 重连、渠道偏慢、优惠券校验失败、还有一次 Kafka 连接失败。有人说下单接口好像变慢了，但说不出具体时间。请看看现在到底有没有故障，是不是八点多 order-center 的发布引起的？',
      asOf: AS_OF,
      topics: {
        gateway: '网关：nginx 访问日志',
        'order-center': '订单服务：下单、列表，含 GC 日志与客户端重连',
        'pay-hub': '支付服务：渠道调用，JSON 日志',
        deployments: '发布记录：各服务的部署与配置变更',
      },
    }),
    expected: EXPECTED,
    logs: {
      gateway: gatewayLog(random, SPAN, {
        host: 'm.heshan.example',
        upstreams: pods,
        paths: ['/api/orders/create', '/api/orders/list', '/api/orders/list'],
        gapMs: [4_000, 12_000],
        seconds: () =>
          random.chance(0.004)
            ? random.integer(6_100, 6_900) / 1_000
            : random.integer(25, 610) / 1_000,
      }),
      'order-center': [...orderNoise(random, pods), ...restarts(random, pods)],
      'pay-hub': channelNoise(random, payPods),
      deployments: releaseLog(random, SPAN, {
        releases: [
          {
            at: RELEASED_AT,
            service: 'order-center',
            change: '订单列表支持按门店筛选，门店列已有索引',
          },
        ],
        others: ['gateway', 'pay-hub', 'coupon-api'],
      }),
    },
    tables: mysqlSnapshot(random, {
      schema: 'orders',
      asOf: AS_OF,
      maxConnections: 600,
      abortedConnects: 22,
      sessions: [
        ...serverSessions(random, '10.44.6.240'),
        ...pooledSessions(random, { user: 'order_rw', pods, each: 15, firstPid: 81_004 }),
        ...pooledSessions(random, { user: 'pay_rw', pods: payPods, each: 12, firstPid: 83_110 }),
      ],
      digests: DIGESTS,
      tables: TABLES,
    }),
    documents,
  });
}

function orderNoise(random: SeededRandom, pods: readonly Pod[]): LogEntry[] {
  const write = (event: {
    at: number;
    level: 'INFO' | 'WARN' | 'ERROR';
    thread?: string;
    logger: string;
    message: string;
  }) =>
    javaEntry({
      thread: `http-nio-8080-exec-${random.integer(1, 60)}`,
      pod: random.pick(pods).name,
      traceId: random.hex(16),
      ...event,
    });
  return [
    ...arrivals(random, SPAN, () => [7_000, 18_000]).map((at) =>
      write({
        at,
        level: 'INFO',
        logger: 'c.h.order.create.CreateService',
        message: `下单完成 orderNo=H${random.integer(10_000_000, 99_999_999)} costMs=${random.integer(60, 610)}`,
      }),
    ),
    ...arrivals(random, SPAN, () => [220_000, 440_000]).map((at) =>
      write({
        at,
        level: 'WARN',
        logger: 'c.h.order.coupon.CouponService',
        message: `优惠券校验不通过 couponId=C${random.integer(100_000, 999_999)} reason=EXPIRED`,
      }),
    ),
    ...arrivals(random, SPAN, () => [700_000, 1_300_000]).map((at) =>
      write({
        at,
        level: 'INFO',
        thread: 'lettuce-nioEventLoop-5-1',
        logger: 'i.l.core.protocol.ConnectionWatchdog',
        message: 'Reconnecting, last destination was redis-order.internal/10.44.9.6:6379',
      }),
    ),
    write({
      at: AS_OF - 41 * MINUTE_MS,
      level: 'ERROR',
      thread: 'kafka-producer-network-thread',
      logger: 'o.a.kafka.clients.NetworkClient',
      message:
        '[Producer clientId=order-events] Connection to node 3 could not be established. Node may not be available.',
    }),
    ...pods.flatMap((pod) => [
      ...healthChecks(random, SPAN, pod),
      ...youngCollections(random, SPAN, {
        everyMs: 50 * SECOND_MS,
        heapMb: 1_024,
        liveMb: () => 310,
      }),
    ]),
  ];
}

/** What a rolling release leaves behind: a start per pod, its first collections, one retry. */
function restarts(random: SeededRandom, pods: readonly Pod[]): LogEntry[] {
  return pods.flatMap((pod, index) => {
    const at = RELEASED_AT + (index * 90 + random.integer(5, 30)) * SECOND_MS;
    const shared = { pod: pod.name, thread: 'main', logger: 'c.h.order.OrderApplication' };
    return [
      javaEntry({
        ...shared,
        at,
        level: 'INFO',
        message: 'Starting OrderApplication using Java 21.0.5',
      }),
      gcLine(
        at + 4_000,
        'GC(1) Pause Young (Concurrent Start) (Metadata GC Threshold) 148M->22M(1024M) 11.870ms',
      ),
      javaEntry({
        ...shared,
        at: at + 9_000,
        level: 'INFO',
        message: 'Started OrderApplication in 8.7 seconds',
      }),
      javaEntry({
        ...shared,
        at: at + 9_400,
        level: 'WARN',
        thread: 'http-nio-8080-exec-1',
        logger: 'c.h.order.pay.PayClient',
        message: '连接已关闭，重试一次成功 attempt=2',
      }),
    ];
  });
}

function channelNoise(random: SeededRandom, pods: readonly Pod[]): LogEntry[] {
  return arrivals(random, SPAN, () => [14_000, 33_000]).map((at) => {
    const channel = random.pick(['ALIPAY', 'WECHATPAY', 'UNIONPAY']);
    const costMs = channel === 'UNIONPAY' ? random.integer(1_100, 3_100) : random.integer(90, 640);
    const isSlow = costMs > 2_000;
    return jsonEntry({
      at,
      level: isSlow ? 'WARN' : 'INFO',
      service: 'pay-hub',
      pod: random.pick(pods).name,
      logger: 'c.h.pay.channel.ChannelClient',
      traceId: random.hex(16),
      message: isSlow ? '渠道响应偏慢 warnMs=2000 timeoutMs=10000' : '渠道返回成功',
      fields: { channel, costMs },
    });
  });
}

const EXPECTED = expectation({
  true_cause: null,
  told_apart_by:
    '各种告警的频率与平时一样，两小时内没有变化；发布前后耗时相同，没有超时、拒绝、Full GC、锁等待或长语句。没有查到的不等于证明健康，结论应当留空。',
  must_be_null: true,
  must_not_blame: [
    says('发布', '发布|release'),
    says('GC', 'gc'),
    says('偏慢的渠道', 'unionpay|银联|渠道'),
    says('Redis 重连', 'redis|重连'),
    says('Kafka', 'kafka'),
    says('累计统计里的语句', '慢sql|索引|slow query'),
  ],
});

const DIGESTS = [
  {
    text: 'SELECT COUNT ( * ) FROM `orders` WHERE `store_id` = ? AND `status` = ?',
    calls: 620_118,
    avgMs: 21,
    maxMs: 840,
    sent: 1,
    examined: 2_900,
    temp: true,
  },
  {
    text: 'INSERT INTO `orders` ( `order_no` , `store_id` , `status` , `amount_cents` , `created_at` ) VALUES (...)',
    calls: 2_011_740,
    avgMs: 1.4,
    maxMs: 120,
    sent: 0,
    examined: 0,
  },
  {
    text: 'SELECT * FROM `store`',
    calls: 77_201,
    avgMs: 0.4,
    maxMs: 11,
    sent: 61,
    examined: 61,
    noIndex: true,
  },
];

const TABLES = [
  serverTable('orders', 17_880_224, {
    PRIMARY: 'id',
    uk_order_no: 'order_no',
    idx_store_created: 'store_id:61, created_at',
  }),
  serverTable('store', 61, { PRIMARY: 'id' }, { scanned: 4_709_261, writes: 1 }),
];
