import { javaEntry, type LogEntry, plainEntry } from '../log-file.ts';
import { platformNoise } from '../platform-noise.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { instants } from '../span.ts';
import { accessLogTime, MINUTE_MS, SECOND_MS } from '../wall-clock.ts';
import type { PaymentAttempt } from './payment-attempts.ts';
import type { Scenario } from './scenario.ts';
import { readTimeoutTrace, validationTrace } from './stack-traces.ts';

const TRACE_SHARE = 0.15;

/** The order service: where customers notice, and which knows nothing but that payment is slow. */
export function orderLog(
  random: SeededRandom,
  scenario: Scenario,
  attempts: readonly PaymentAttempt[],
): LogEntry[] {
  return [
    ...attempts.flatMap((attempt) => attemptEntries(random, scenario, attempt)),
    ...couponRefusals(random, scenario),
    ...successRateAlarms(random, scenario),
    customerCall(random, scenario),
    ...platformNoise(random, scenario, scenario.orderPods),
  ].filter(({ at }) => at < scenario.asOf);
}

function attemptEntries(
  random: SeededRandom,
  scenario: Scenario,
  attempt: PaymentAttempt,
): LogEntry[] {
  const shared = {
    thread: `http-nio-8080-exec-${random.integer(1, 60)}`,
    pod: attempt.orderPod.name,
    traceId: attempt.traceId,
    logger: `c.${scenario.names.company.charAt(0)}.order.checkout.CheckoutService`,
  };
  const ending = endingOf(random, scenario, attempt);
  const at = attempt.at + ending.durationMs;
  const request = `"POST /api/orders/${attempt.orderNo}/pay HTTP/1.1" ${ending.httpStatus}`;
  return [
    javaEntry({
      ...shared,
      at: attempt.at,
      level: 'INFO',
      message: `发起支付 orderNo=${attempt.orderNo} tenant=${attempt.tenant} channel=${attempt.channel}`,
    }),
    javaEntry({ ...shared, at, ...ending }),
    plainEntry(
      at + 1,
      `203.0.113.${random.integer(2, 250)} - - [${accessLogTime(at)}] ${request} ${random.integer(180, 640)} "-" "okhttp/4.12.0" ${ending.durationMs}`,
    ),
  ];
}

function endingOf(random: SeededRandom, scenario: Scenario, attempt: PaymentAttempt) {
  const order = `orderNo=${attempt.orderNo}`;
  const durationMs = Math.min(
    attempt.durationMs + random.integer(8, 40),
    scenario.readTimeoutMs + random.integer(1, 9),
  );
  switch (attempt.result) {
    case 'PAID':
      return { level: 'INFO' as const, message: `支付完成 ${order}`, durationMs, httpStatus: 200 };
    case 'DECLINED':
      return {
        level: 'INFO' as const,
        message: `支付被拒绝 ${order} code=BALANCE_NOT_ENOUGH`,
        durationMs,
        httpStatus: 402,
      };
    case 'LOCK_WAIT': {
      const url = `http://${scenario.names.payment}:8080/internal/payments/confirm`;
      return {
        level: 'ERROR' as const,
        message: `调用支付服务超时 ${order} url=${url} readTimeoutMs=${scenario.readTimeoutMs} java.net.SocketTimeoutException: Read timed out`,
        trace: random.chance(TRACE_SHARE) ? readTimeoutTrace(scenario.names.company, url) : [],
        durationMs,
        httpStatus: 504,
      };
    }
    case 'POOL_WAIT':
      return {
        level: 'ERROR' as const,
        message: `调用支付服务失败 ${order} 支付服务返回 500 Internal Server Error`,
        durationMs,
        httpStatus: 502,
      };
  }
}

function couponRefusals(random: SeededRandom, scenario: Scenario): LogEntry[] {
  return instants(scenario, random.integer(15, 90) * SECOND_MS, 6 * MINUTE_MS).map((at) =>
    javaEntry({
      at,
      level: 'WARN',
      thread: `http-nio-8080-exec-${random.integer(1, 60)}`,
      pod: random.pick(scenario.orderPods).name,
      traceId: random.hex(16),
      logger: `c.${scenario.names.company.charAt(0)}.order.coupon.CouponService`,
      message: `优惠券校验不通过 couponId=C${random.integer(100_000, 999_999)}`,
      trace: validationTrace(scenario.names.company),
    }),
  );
}

/** The success rate as the service itself measures it: loud, and a consequence. */
function successRateAlarms(random: SeededRandom, scenario: Scenario): LogEntry[] {
  const opened = scenario.onset + 3 * MINUTE_MS;
  const count = Math.floor((scenario.asOf - opened) / (5 * MINUTE_MS));
  return Array.from({ length: count }, (_, index) =>
    javaEntry({
      at: opened + index * 5 * MINUTE_MS,
      level: 'WARN',
      thread: 'scheduling-1',
      pod: random.pick(scenario.orderPods).name,
      logger: `c.${scenario.names.company.charAt(0)}.order.metrics.SuccessRateWatch`,
      message: `支付成功率告警 最近5分钟成功率=${(random.integer(0, 19) / 10).toFixed(1)}% 阈值=95%`,
    }),
  );
}

/** Personal data where it should not be; the number is made up and must not leave the redactor. */
function customerCall(random: SeededRandom, scenario: Scenario): LogEntry {
  return javaEntry({
    at: scenario.onset + random.integer(4, 9) * MINUTE_MS,
    level: 'INFO',
    thread: 'http-nio-8080-exec-7',
    pod: scenario.orderPods[1]?.name ?? '',
    traceId: random.hex(16),
    logger: `c.${scenario.names.company.charAt(0)}.order.support.SupportTicketService`,
    message: `客诉工单已登记 手机号=139${random.integer(10_000_000, 99_999_999)} 内容=已扣款但订单仍显示支付中`,
  });
}
