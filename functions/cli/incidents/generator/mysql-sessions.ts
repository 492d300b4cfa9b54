import type { PaymentAttempt } from './payment-attempts.ts';
import type { Pod, Scenario } from './scenario.ts';
import type { SeededRandom } from './seeded-random.ts';
import { SECOND_MS } from './wall-clock.ts';

/** One session of the server at the instant of the snapshot. */
export interface MysqlSession {
  readonly pid: number;
  readonly user: string;
  readonly host: string;
  readonly command: 'Sleep' | 'Execute' | 'Binlog Dump GTID' | 'Daemon';
  readonly seconds: number;
  readonly state: string;
  readonly running: string | null;
  readonly lastStatement: string | null;
  readonly transaction?: OpenTransaction;
}

interface OpenTransaction {
  readonly id: number;
  readonly startedAt: number;
  /** Null unless it waits for a row lock. */
  readonly waitingSince: number | null;
  readonly rowsLocked: number;
  readonly rowsModified: number;
}

export const LOCKED_INDEX = 'idx_settle_status';

/** Everything connected to the writer; without the lock and those who wait for it if `omitDecisive`. */
export function mysqlSessions(
  random: SeededRandom,
  scenario: Scenario,
  attempts: readonly PaymentAttempt[],
  omitDecisive: boolean,
): MysqlSession[] {
  const waiting = omitDecisive ? [] : waitingSessions(random, scenario, attempts);
  return [
    {
      ...idle(5, 'event_scheduler', 'localhost', 88_000),
      command: 'Daemon',
      state: 'Waiting on empty queue',
    },
    {
      ...idle(
        random.integer(20, 90),
        'repl',
        `${scenario.settlementPod.address.replace(/\d{1,3}$/, '240')}:51022`,
        610_000,
      ),
      command: 'Binlog Dump GTID',
      state: 'Source has sent all binlog to replica; waiting for more updates',
    },
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
  const session = idle(blockerPid, 'settlement_rw', hostOf(random, scenario.settlementPod), 1);
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
    ...idle(
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

function hostOf(random: SeededRandom, pod: Pod): string {
  return `${pod.address}:${random.integer(32_800, 60_900)}`;
}

function idle(pid: number, user: string, host: string, seconds: number): MysqlSession {
  return {
    pid,
    user,
    host,
    command: 'Sleep',
    seconds,
    state: '',
    running: null,
    lastStatement: null,
  };
}
