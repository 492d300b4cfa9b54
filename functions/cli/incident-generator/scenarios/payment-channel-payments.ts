import type { Pod } from '../pods.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { arrivals, type Span } from '../span.ts';
import { aTable, type TableSnapshot } from '../table-snapshot.ts';
import { dateDigits, MINUTE_MS, SECOND_MS, utcDateTime } from '../wall-clock.ts';

/** The numbers of the incident whose cause is one payment channel. */
export interface ChannelCase {
  readonly span: Span;
  readonly onset: number;
  readonly orderPods: readonly Pod[];
  readonly cashierPods: readonly Pod[];
  readonly clearingPods: readonly Pod[];
  readonly tenants: readonly string[];
}

export interface ChannelPayment {
  readonly at: number;
  readonly orderNo: string;
  readonly paymentNo: string;
  readonly traceId: string;
  readonly tenant: string;
  readonly channel: string;
  readonly amountCents: number;
  readonly orderPod: Pod;
  readonly cashierPod: Pod;
  /** How long the channel took; null where it did not answer before the read timeout. */
  readonly channelMs: number | null;
}

/** Milliseconds that the cashier waits for a channel. */
export const CHANNEL_TIMEOUT_MS = 10 * SECOND_MS;
const GAP_MS = [9_000, 21_000] as const;
/** One call in ten of the bad channel still gets through. */
const BAD_CHANNEL_ANSWERS = 0.1;

export function drawPayments(random: SeededRandom, incident: ChannelCase): ChannelPayment[] {
  return arrivals(random, incident.span, () => GAP_MS).map((at) => {
    const channel = random.pick(['ALIPAY', 'WECHATPAY', 'WECHATPAY', 'UNIONPAY']);
    const isBad = channel === 'WECHATPAY' && at >= incident.onset;
    return {
      at,
      channel,
      orderNo: `D${dateDigits(at)}${random.integer(1_000_000, 9_999_999)}`,
      paymentNo: `Z${dateDigits(at)}${random.integer(1_000_000, 9_999_999)}`,
      traceId: random.hex(16),
      tenant: random.pick(incident.tenants),
      amountCents: random.integer(990, 98_000),
      orderPod: random.pick(incident.orderPods),
      cashierPod: random.pick(incident.cashierPods),
      channelMs:
        isBad && !random.chance(BAD_CHANNEL_ANSWERS) ? null : healthyChannelMs(random, channel),
    };
  });
}

function healthyChannelMs(random: SeededRandom, channel: string): number {
  if (channel === 'UNIONPAY') return random.integer(640, 3_300);
  return random.integer(110, 680);
}

/** Orders and payments of the last hour. */
export function paymentTables(
  schema: string,
  { span }: ChannelCase,
  payments: readonly ChannelPayment[],
): [string, TableSnapshot][] {
  const kept = payments.filter(({ at }) => at >= span.asOf - 60 * MINUTE_MS);
  return [
    [
      `${schema}/orders`,
      aTable(
        'id bigint, order_no varchar, tenant_id varchar, status varchar, amount_cents bigint, created_at datetime, updated_at datetime',
        kept.map((payment, index) => [
          22_019_000 + index,
          payment.orderNo,
          payment.tenant,
          isPaid(payment, span) ? 'PAID' : 'PAYING',
          payment.amountCents,
          utcDateTime(payment.at - 30 * SECOND_MS),
          utcDateTime(payment.at),
        ]),
      ),
    ],
    [
      `${schema}/payments`,
      aTable(
        'id bigint, payment_no varchar, order_no varchar, tenant_id varchar, channel varchar, status varchar, amount_cents bigint, clear_status varchar, created_at datetime, updated_at datetime',
        kept.map((payment, index) => [
          21_402_000 + index,
          payment.paymentNo,
          payment.orderNo,
          payment.tenant,
          payment.channel,
          isPaid(payment, span) ? 'PAID' : 'PROCESSING',
          payment.amountCents,
          'NONE',
          utcDateTime(payment.at),
          utcDateTime(payment.at),
        ]),
      ),
    ],
  ];
}

function isPaid({ at, channelMs }: ChannelPayment, { asOf }: Span): boolean {
  return channelMs !== null && at + channelMs < asOf;
}
