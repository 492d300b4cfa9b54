import { javaEntry, type LogEntry } from '../log-file.ts';
import { platformNoise } from '../platform-noise.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { instants } from '../span.ts';
import { MINUTE_MS, SECOND_MS } from '../wall-clock.ts';
import type { PaymentAttempt } from './payment-attempts.ts';
import type { Scenario } from './scenario.ts';
import { lockWaitTrace, poolWaitTrace } from './stack-traces.ts';

// Most repeats of a failure are logged without their trace, which keeps the sample small.
const TRACE_SHARE = 0.15;

/** The payment service: victim of the lock, and the only log that names it. */
export function paymentLog(
  random: SeededRandom,
  scenario: Scenario,
  attempts: readonly PaymentAttempt[],
): LogEntry[] {
  return [
    ...attempts.flatMap((attempt) => attemptEntries(random, scenario, attempt)),
    ...slowChannelWarnings(random, scenario),
    ...repeatedCallbacks(random, scenario),
    ...oddities(random, scenario),
    ...platformNoise(random, scenario, scenario.paymentPods),
  ].filter(({ at }) => at < scenario.asOf);
}

function attemptEntries(
  random: SeededRandom,
  scenario: Scenario,
  attempt: PaymentAttempt,
): LogEntry[] {
  const shared = {
    thread: `http-nio-8080-exec-${random.integer(1, 40)}`,
    pod: attempt.paymentPod.name,
    traceId: attempt.traceId,
    logger: `c.${scenario.names.company.charAt(0)}.pay.confirm.PaymentConfirmService`,
  };
  const received = javaEntry({
    ...shared,
    at: attempt.at + random.integer(3, 19),
    level: 'INFO',
    message: `收到支付确认 paymentNo=${attempt.paymentNo} channel=${attempt.channel} amount=${attempt.amountCents}`,
  });
  return [received, javaEntry({ ...shared, ...ending(random, scenario, attempt) })];
}

function ending(random: SeededRandom, scenario: Scenario, attempt: PaymentAttempt) {
  const at = attempt.at + attempt.durationMs + random.integer(1, 12);
  const payment = `paymentNo=${attempt.paymentNo} costMs=${at - attempt.at}`;
  const withTrace = random.chance(TRACE_SHARE);
  switch (attempt.result) {
    case 'PAID':
      return { at, level: 'INFO' as const, message: `支付确认成功 ${payment}` };
    case 'DECLINED':
      return {
        at,
        level: 'WARN' as const,
        message: `渠道拒绝支付 ${payment} code=BALANCE_NOT_ENOUGH`,
      };
    case 'LOCK_WAIT':
      return {
        at,
        level: 'ERROR' as const,
        message: `支付确认失败，事务已回滚 ${payment} Cause: com.mysql.cj.jdbc.exceptions.MySQLTransactionRollbackException: Lock wait timeout exceeded; try restarting transaction`,
        trace: withTrace ? lockWaitTrace(scenario.names.company) : [],
        decisive: true,
      };
    case 'POOL_WAIT': {
      const { poolSize, poolWaitMs } = scenario;
      const waiting = random.integer(3, 16);
      const refusal = `HikariPool-1 - Connection is not available, request timed out after ${poolWaitMs + random.integer(0, 9)}ms (total=${poolSize}, active=${poolSize}, idle=0, waiting=${waiting})`;
      return {
        at,
        level: 'ERROR' as const,
        message: `支付确认失败 ${payment} ${refusal}`,
        trace: withTrace ? poolWaitTrace(scenario.names.company, refusal) : [],
      };
    }
  }
}

/** The red herring: as frequent in the healthy hours as during the incident. */
function slowChannelWarnings(random: SeededRandom, scenario: Scenario): LogEntry[] {
  const channel = scenario.names.channels[2];
  return instants(scenario, random.integer(10, 60) * SECOND_MS, 75 * SECOND_MS).map((start) => {
    const costMs = random.integer(2_040, 2_980);
    return javaEntry({
      at: start + random.integer(0, 30) * SECOND_MS,
      level: 'WARN',
      thread: `channel-${random.integer(1, 8)}`,
      pod: random.pick(scenario.paymentPods).name,
      traceId: random.hex(16),
      logger: `c.${scenario.names.company.charAt(0)}.pay.channel.ChannelClient`,
      message: `渠道响应偏慢 channel=${channel} api=trade.query costMs=${costMs} warnMs=2000 timeoutMs=10000`,
    });
  });
}

function repeatedCallbacks(random: SeededRandom, scenario: Scenario): LogEntry[] {
  return instants(scenario, random.integer(20, 200) * SECOND_MS, 4 * MINUTE_MS).map((at) =>
    javaEntry({
      at,
      level: 'WARN',
      thread: `notify-${random.integer(1, 6)}`,
      pod: random.pick(scenario.paymentPods).name,
      traceId: random.hex(16),
      logger: `c.${scenario.names.company.charAt(0)}.pay.notify.NotifyController`,
      message: `重复的渠道回调，已忽略 channel=${random.pick(scenario.names.channels)} tradeNo=${random.integer(10_000_000, 99_999_999)}${random.integer(10_000_000, 99_999_999)}`,
    }),
  );
}

function oddities(random: SeededRandom, scenario: Scenario): LogEntry[] {
  const pod = scenario.paymentPods[0]?.name ?? '';
  const common = { pod, logger: `c.${scenario.names.company.charAt(0)}.pay.channel.ChannelConfig` };
  return [
    javaEntry({
      ...common,
      at: scenario.from + random.integer(12, 25) * MINUTE_MS,
      level: 'INFO',
      thread: 'config-refresh-1',
      // A made-up secret: it must not leave the redactor.
      message: `渠道配置已刷新 channel=${scenario.names.channels[2]} merchantId=88${random.integer(100_000, 999_999)} appSecret=${random.hex(32)}`,
    }),
    javaEntry({
      ...common,
      at: scenario.onset - random.integer(38, 50) * MINUTE_MS,
      level: 'ERROR',
      thread: 'kafka-producer-network-thread',
      logger: 'o.a.kafka.clients.NetworkClient',
      message:
        '[Producer clientId=payment-events] Connection to node 2 could not be established. Node may not be available.',
    }),
  ];
}
