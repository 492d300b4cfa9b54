import { type CapsuleFiles, capsuleFiles } from '../capsule.ts';
import { documents } from '../documents/payment-timeout-channel.ts';
import { AS_CAUSE, expectation, manifest, says } from '../manifest.ts';
import { pooledSessions, serverSessions } from '../mysql-session.ts';
import { mysqlSnapshot, serverTable } from '../mysql-snapshot.ts';
import { PodNetwork } from '../pods.ts';
import { releaseLog } from '../release-log.ts';
import { SeededRandom } from '../seeded-random.ts';
import { MINUTE_MS, spokenTime } from '../wall-clock.ts';
import { cashierLog, clearingLog, orderLog } from './payment-channel-logs.ts';
import { type ChannelCase, drawPayments, paymentTables } from './payment-channel-payments.ts';

const AS_OF = Date.UTC(2026, 10, 7, 3, 52);
const SCHEMA = 'trade';

/**
 * Looks like payments blocked by our own database, and is one channel that stopped answering; the
 * channel that is slow every day, and the batch of yesterday's release, have nothing to do with it.
 */
export function paymentTimeoutChannel(): CapsuleFiles {
  const random = new SeededRandom(20_261_107);
  const network = new PodNetwork(random, '10.31.5');
  const incident: ChannelCase = {
    span: { from: AS_OF - 90 * MINUTE_MS, asOf: AS_OF },
    onset: AS_OF - 26 * MINUTE_MS,
    orderPods: network.pods('trade-order', 2),
    cashierPods: network.pods('cashier', 2),
    clearingPods: network.pods('clearing', 1),
    tenants: ['M2031', 'M2048', 'M2077'],
  };
  const payments = drawPayments(random, incident);
  const releases = [
    {
      at: AS_OF - 1_370 * MINUTE_MS,
      service: 'clearing',
      change: '清分分片 clearing.slice-size 200 -> 400',
    },
    {
      at: incident.onset - 7 * MINUTE_MS,
      service: 'cashier',
      change: '回调日志手机号脱敏，不涉及渠道调用',
    },
  ];
  return capsuleFiles({
    incident: manifest({
      name: 'payment-timeout-channel',
      title: '部分支付超时，订单停在支付中',
      query: `${spokenTime(incident.onset)} 开始支付超时告警，trade-order 调用 cashier 读超时，有用户反馈订单一直“支付中”。上个月出过一次行锁等待，是不是又是清分批次的问题？还是刚才 cashier 发布引起的？请定位。`,
      asOf: AS_OF,
      topics: {
        'trade-order': '订单服务：下单、调用收银台，含访问日志',
        cashier: '支付服务（收银台）：支付确认、渠道调用，JSON 日志',
        clearing: '清分结算：定时清分批次任务',
        deployments: '发布记录：各服务的部署与配置变更',
      },
      bindings: { tenant_id: 'M2048' },
    }),
    expected: EXPECTED,
    logs: {
      'trade-order': orderLog(random, incident, payments),
      cashier: cashierLog(random, incident, payments),
      clearing: clearingLog(random, incident),
      deployments: releaseLog(random, incident.span, {
        releases,
        others: ['coupon-center', 'search', 'gateway'],
      }),
    },
    tables: new Map([
      ...mysqlSnapshot(random, {
        schema: SCHEMA,
        asOf: AS_OF,
        maxConnections: 600,
        abortedConnects: 11,
        sessions: [
          ...serverSessions(random, '10.31.5.240'),
          ...pooledSessions(random, {
            user: 'cashier_rw',
            pods: incident.cashierPods,
            each: 20,
            firstPid: 51_200,
          }),
          ...pooledSessions(random, {
            user: 'order_rw',
            pods: incident.orderPods,
            each: 10,
            firstPid: 52_400,
          }),
        ],
        digests: DIGESTS,
        tables: TABLES,
      }),
      ...paymentTables(SCHEMA, incident, payments),
    ]),
    documents,
  });
}

const EXPECTED = expectation({
  true_cause:
    '支付渠道 WECHATPAY 不再及时响应：cashier 对它的调用在 10 秒读超时后失败，其他渠道、数据库和连接池都正常。',
  told_apart_by:
    '超时只出现在 WECHATPAY 的渠道调用，未完成的支付集中在一个渠道；没有锁等待，连接池大半空闲，清分批次照常提交；UNIONPAY 的偏慢告警全天一样多。',
  must_conclude: [
    says('出问题的是微信支付这个渠道', 'WECHATPAY|微信'),
    says('问题在渠道一侧', '渠道|channel|provider|第三方'),
    says('表现为响应慢或超时', '慢|超时|不返回|无响应|timed out|timeout|slow'),
  ],
  must_not_blame: [
    says('一直偏慢的渠道', 'UNIONPAY|银联', AS_CAUSE),
    says('清分批次', 'clearing|清分|批次', AS_CAUSE),
    says('行锁等待', '行锁|锁等待|长事务|lock wait'),
    says('连接池', '连接池', '耗尽|占满|泄漏'),
    says('cashier 的发布', '发布|脱敏', AS_CAUSE),
  ],
  may_conclude: [says('从现象开始时起', '11:2|03:2')],
});

const DIGESTS = [
  {
    text: 'UPDATE `payments` SET `status` = ? , `updated_at` = ? WHERE `payment_no` = ?',
    calls: 902_330,
    avgMs: 1.4,
    maxMs: 160,
    sent: 0,
    examined: 1,
  },
  {
    text: 'SELECT * FROM `payments` WHERE `payment_no` = ?',
    calls: 3_118_204,
    avgMs: 0.5,
    maxMs: 140,
    sent: 1,
    examined: 1,
  },
  {
    text: 'SELECT * FROM `channel_switch`',
    calls: 41_911,
    avgMs: 0.3,
    maxMs: 9,
    sent: 6,
    examined: 6,
    noIndex: true,
  },
  {
    text: 'UPDATE `payments` SET `clear_status` = ? WHERE `id` BETWEEN ? AND ? AND `clear_status` = ?',
    calls: 20_114,
    avgMs: 340,
    maxMs: 1_620,
    sent: 0,
    examined: 400,
  },
];

const TABLES = [
  serverTable('payments', 21_402_118, {
    PRIMARY: 'id',
    uk_payment_no: 'payment_no',
    idx_tenant_created: 'tenant_id:88, created_at',
  }),
  serverTable('orders', 22_019_400, {
    PRIMARY: 'id',
    uk_order_no: 'order_no',
    idx_tenant_created: 'tenant_id:88, created_at',
  }),
  serverTable('channel_switch', 6, {}, { scanned: 251_466, writes: 4 }),
];
