import { hostOf, idleSession, type MysqlSession, serverSessions } from '../mysql-session.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { SECOND_MS } from '../wall-clock.ts';
import type { PaymentAttempt } from './payment-attempts.ts';
import type { Scenario } from './scenario.ts';

/** What the settlement run locks: every entry of one value, and the gap behind them. */
export const LOCKED = { table: 'payments', index: 'idx_settle_status' } as const;

/** Everything connected to the writer; without the lock and those who wait for it if `omitDecisive`. */
export function mysqlSessions(
  random: SeededRandom,
  scenario: Scenario,
  attempts: readonly PaymentAttempt[],
  omitDecisive: boolean,
): MysqlSession[] {
  const waiting = omitDecisive ? [] : waitingSessions(random, scenario, attempts);
  return [
    ...serverSessions(random, scenario.settlementPod.address.replace(/\d{1,3}$/, '240')),
    settlementSession(random, scenario, omitDecisive),
    ...waiting,
    ...sleepers(random, scenario, waiting),
  ];
}

/** Sleep between two statements of a transaction that has been open since the run began. */
function settlementSession(
  random: SeededRandom,
  scenario: Scenario,
  omitDecisive: boolean,
): MysqlSession {
  const { asOf, onset, blockerPid, blockerTrxId, handledRows, pendingRows } = scenario;
  const session = idleSession(
    blockerPid,
    'settlement_rw',
    hostOf(random, scenario.settlementPod),
    1,
  );
  if (omitDecisive) return { ...session, seconds: Math.floor((asOf - onset) / SECOND_MS) };
  return {
    ...session,
    lastStatement: `UPDATE payments SET settle_batch_no = '${scenario.batchNo}' WHERE id = ${48_050_000 + handledRows}`,
    transaction: {
      id: blockerTrxId,
      startedAt: onset + SECOND_MS,
      waitingSince: null,
      rowsLocked: pendingRows * 2 + 1,
      rowsModified: handledRows,
    },
  };
}

function waitingSessions(
  random: SeededRandom,
  scenario: Scenario,
  attempts: readonly PaymentAttempt[],
): MysqlSession[] {
  const stillWaiting = attempts.filter(
    ({ result, at, durationMs }) => result === 'LOCK_WAIT' && at + durationMs > scenario.asOf,
  );
  return stillWaiting.map((attempt, index) => {
    const statement = markPaid(attempt);
    return {
      pid: scenario.blockerPid + random.integer(3, 9) + index * 11,
      user: 'payment_rw',
      host: hostOf(random, attempt.paymentPod),
      command: 'Execute',
      seconds: Math.floor((scenario.asOf - attempt.at) / SECOND_MS),
      state: 'updating',
      running: statement,
      lastStatement: statement,
      transaction: {
        id: scenario.blockerTrxId + 400 + index * 37,
        startedAt: attempt.at,
        waitingSince: attempt.at,
        rowsLocked: 2,
        rowsModified: 1,
      },
    };
  });
}

function markPaid({ paymentNo, at }: PaymentAttempt): string {
  const updatedAt = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  return `UPDATE payments SET status = 'PAID', settle_status = 'PENDING', updated_at = '${updatedAt}' WHERE payment_no = '${paymentNo}' AND status = 'PROCESSING'`;
}

/** Pooled connections that do nothing just now. */
function sleepers(
  random: SeededRandom,
  scenario: Scenario,
  waiting: readonly MysqlSession[],
): MysqlSession[] {
  const pooled = scenario.paymentPods.length * scenario.poolSize - waiting.length;
  const owners = [
    ...repeat(pooled, () => ['payment_rw', random.pick(scenario.paymentPods)] as const),
    ...repeat(18, () => ['order_rw', random.pick(scenario.orderPods)] as const),
    ...repeat(3, () => ['settlement_rw', scenario.settlementPod] as const),
  ];
  return owners.map(([user, pod], index) => ({
    ...idleSession(
      scenario.blockerPid - 4_000 + index * 23,
      user,
      hostOf(random, pod),
      random.integer(1, 180),
    ),
    lastStatement: 'COMMIT',
  }));
}

function repeat<Value>(count: number, make: () => Value): Value[] {
  return Array.from({ length: count }, make);
}
