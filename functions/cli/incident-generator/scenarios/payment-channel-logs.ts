import { javaTrace } from '../java-trace.ts';
import { jsonEntry } from '../json-log.ts';
import { javaEntry, type LogEntry, plainEntry } from '../log-file.ts';
import { healthChecks } from '../platform-noise.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { instants } from '../span.ts';
import { accessLogTime, dateDigits, MINUTE_MS } from '../wall-clock.ts';
import {
  CHANNEL_TIMEOUT_MS,
  type ChannelCase,
  type ChannelPayment,
} from './payment-channel-payments.ts';

const CALLER_TIMEOUT_MS = 8_000;
const TRACE_SHARE = 0.2;
const SLOW_WARN_MS = 2_000;

/** The order service: it gives up on the cashier before the cashier gives up on the channel. */
export function orderLog(
  random: SeededRandom,
  { span, orderPods }: ChannelCase,
  payments: readonly ChannelPayment[],
): LogEntry[] {
  return [
    ...payments.flatMap((payment) => orderEntries(random, payment)),
    ...orderPods.flatMap((pod) => healthChecks(random, span, pod)),
  ];
}

function orderEntries(random: SeededRandom, payment: ChannelPayment): LogEntry[] {
  const isLate = payment.channelMs === null;
  const tookMs = isLate ? CALLER_TIMEOUT_MS + random.integer(1, 9) : payment.channelMs + 40;
  const at = payment.at + tookMs;
  const shared = {
    thread: `http-nio-8080-exec-${random.integer(1, 60)}`,
    pod: payment.orderPod.name,
    traceId: payment.traceId,
    logger: 'c.h.trade.order.pay.PayFacade',
  };
  const answer = javaEntry(
    isLate
      ? {
          ...shared,
          at,
          level: 'ERROR',
          message: `调用收银台超时 orderNo=${payment.orderNo} url=http://cashier:8080/internal/pay readTimeoutMs=${CALLER_TIMEOUT_MS} java.net.SocketTimeoutException: Read timed out`,
        }
      : { ...shared, at, level: 'INFO', message: `支付成功 orderNo=${payment.orderNo}` },
  );
  const request = `"POST /api/orders/${payment.orderNo}/pay HTTP/1.1" ${isLate ? 504 : 200}`;
  return [
    answer,
    plainEntry(
      at + 1,
      `198.51.100.${random.integer(2, 250)} - - [${accessLogTime(at)}] ${request} ${random.integer(180, 640)} "-" "okhttp/4.12.0" ${tookMs}`,
    ),
  ];
}

/** The cashier, in JSON: the only one who sees which channel does not answer. */
export function cashierLog(
  random: SeededRandom,
  incident: ChannelCase,
  payments: readonly ChannelPayment[],
): LogEntry[] {
  return [
    ...payments.flatMap((payment) => cashierEntries(random, payment)),
    ...poolStatistics(random, incident),
    ...incident.cashierPods.flatMap((pod) => healthChecks(random, incident.span, pod)),
  ];
}

function cashierEntries(random: SeededRandom, payment: ChannelPayment): LogEntry[] {
  const { channel, paymentNo, channelMs, traceId } = payment;
  const shared = {
    service: 'cashier',
    pod: payment.cashierPod.name,
    traceId,
    logger: 'c.h.cashier.channel.ChannelClient',
  };
  const costMs = channelMs ?? CHANNEL_TIMEOUT_MS + random.integer(1, 12);
  const at = payment.at + costMs;
  const fields = { channel, paymentNo, api: 'trade.pay', costMs };
  if (channelMs !== null) {
    const isSlow = channelMs > SLOW_WARN_MS;
    return [
      jsonEntry({
        ...shared,
        at,
        level: isSlow ? 'WARN' : 'INFO',
        message: isSlow ? `渠道响应偏慢 warnMs=${SLOW_WARN_MS}` : '渠道返回成功',
        fields,
      }),
    ];
  }
  const error = 'java.net.SocketTimeoutException: Read timed out';
  return [
    jsonEntry({
      ...shared,
      at,
      level: 'ERROR',
      message: `渠道调用失败 channel=${channel} timeoutMs=${CHANNEL_TIMEOUT_MS} ${error}`,
      fields,
      ...(random.chance(TRACE_SHARE) ? { trace: CHANNEL_TRACE } : {}),
    }),
    jsonEntry({
      ...shared,
      at: at + 3,
      level: 'WARN',
      logger: 'c.h.cashier.pay.PayService',
      message: `支付结果未知，停在 PROCESSING，等待补单 paymentNo=${paymentNo}`,
    }),
  ];
}

const CHANNEL_TRACE = javaTrace(
  'c.h.cashier.channel.ChannelException: WECHATPAY trade.pay',
  [
    'c.h.cashier.channel.ChannelClient.post(ChannelClient.java:131)',
    'c.h.cashier.channel.wechat.WechatGateway.pay(WechatGateway.java:58)',
    'c.h.cashier.pay.PayService.callChannel(PayService.java:174)',
  ],
  {
    headline: 'java.net.SocketTimeoutException: Read timed out',
    frames: [
      'java.base/sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:278)',
      'java.base/sun.nio.ch.NioSocketImpl.implRead(NioSocketImpl.java:304)',
      'org.apache.hc.core5.http.impl.io.SessionInputBufferImpl.fillBuffer(SessionInputBufferImpl.java:149)',
    ],
  },
);

function poolStatistics(random: SeededRandom, { span, cashierPods }: ChannelCase): LogEntry[] {
  return cashierPods.flatMap((pod) =>
    instants(span, random.integer(5_000, 200_000), 5 * MINUTE_MS).map((at) => {
      const active = random.integer(0, 4);
      return jsonEntry({
        at,
        level: 'INFO',
        service: 'cashier',
        pod: pod.name,
        logger: 'com.zaxxer.hikari.pool.HikariPool',
        message: `HikariPool-1 - Pool stats (total=20, active=${active}, idle=${20 - active}, waiting=0)`,
      });
    }),
  );
}

/** The batch that was the culprit last time: this time it commits slice by slice. */
export function clearingLog(random: SeededRandom, { span, clearingPods }: ChannelCase): LogEntry[] {
  const [pod] = clearingPods;
  return instants(span, 6 * MINUTE_MS, 20 * MINUTE_MS).flatMap((start, run) => {
    const batchNo = `C${dateDigits(start)}-${31 + run}`;
    const slices = random.integer(14, 19);
    const entry = (at: number, message: string) =>
      javaEntry({
        at,
        level: 'INFO',
        thread: 'clearing-job-1',
        pod: pod?.name ?? '',
        logger: 'c.h.clearing.job.ClearingJob',
        message,
      });
    return [
      entry(start, `清分批次开始 batchNo=${batchNo} sliceSize=400 slices=${slices}`),
      ...Array.from({ length: slices }, (_, index) =>
        entry(
          start + (index + 1) * random.integer(1_300, 1_500),
          `清分分片已提交 batchNo=${batchNo} slice=${index + 1}/${slices} rows=400`,
        ),
      ),
      entry(start + (slices + 1) * 1_500, `清分批次完成 batchNo=${batchNo} slices=${slices}`),
    ];
  });
}
