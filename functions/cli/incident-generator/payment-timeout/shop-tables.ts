import { aTable, type TableSnapshot } from '../table-snapshot.ts';
import { MINUTE_MS, utcDateTime } from '../wall-clock.ts';
import type { PaymentAttempt } from './payment-attempts.ts';
import { batchNoOf, RUN_EVERY_MINUTES, type Scenario } from './scenario.ts';

/** Minutes of orders and payments that the snapshot holds. */
const KEPT_MINUTES = 60;
const FIRST_ID = 48_100_000;

/** The application's own tables: orders and payments of the last hour. */
export function shopTables(
  scenario: Scenario,
  attempts: readonly PaymentAttempt[],
): ReadonlyMap<string, TableSnapshot> {
  const kept = attempts.filter(({ at }) => at >= scenario.asOf - KEPT_MINUTES * MINUTE_MS);
  return new Map([
    ['orders', orders(scenario, kept)],
    ['payments', payments(scenario, kept)],
  ]);
}

function orders(scenario: Scenario, attempts: readonly PaymentAttempt[]): TableSnapshot {
  return aTable(
    'id bigint, order_no varchar, tenant_id varchar, channel varchar, status varchar, amount_cents bigint, created_at datetime, updated_at datetime',
    attempts.map((attempt, index) => [
      FIRST_ID + index,
      attempt.orderNo,
      attempt.tenant,
      attempt.channel,
      { PAID: 'PAID', DECLINED: 'PAY_FAILED', LOCK_WAIT: 'PAYING', POOL_WAIT: 'PAYING' }[
        attempt.result
      ],
      attempt.amountCents,
      utcDateTime(attempt.at - 40_000),
      utcDateTime(Math.min(settledAt(attempt), scenario.asOf)),
    ]),
  );
}

function payments(scenario: Scenario, attempts: readonly PaymentAttempt[]): TableSnapshot {
  return aTable(
    'id bigint, payment_no varchar, order_no varchar, tenant_id varchar, channel varchar, status varchar, amount_cents bigint, settle_status varchar, settle_batch_no varchar, created_at datetime, updated_at datetime',
    attempts.map((attempt, index) => [
      FIRST_ID + 9_000 + index,
      attempt.paymentNo,
      attempt.orderNo,
      attempt.tenant,
      attempt.channel,
      { PAID: 'PAID', DECLINED: 'FAILED', LOCK_WAIT: 'PROCESSING', POOL_WAIT: 'PROCESSING' }[
        attempt.result
      ],
      attempt.amountCents,
      ...settlementOf(scenario, attempt),
      utcDateTime(attempt.at),
      utcDateTime(Math.min(settledAt(attempt), scenario.asOf)),
    ]),
  );
}

/** State and batch: settled by the first run after it, unless that is the one that never commits. */
function settlementOf({ onset }: Scenario, { at, result }: PaymentAttempt) {
  if (result !== 'PAID') return ['NONE', null];
  const everyMs = RUN_EVERY_MINUTES * MINUTE_MS;
  const nextRun = onset - Math.floor((onset - at) / everyMs) * everyMs;
  return nextRun < onset ? ['DONE', batchNoOf(nextRun)] : ['PENDING', null];
}

/** A payment that fails to be confirmed keeps the row it was created with. */
function settledAt(attempt: PaymentAttempt): number {
  return isSettled(attempt) ? attempt.at + attempt.durationMs : attempt.at;
}

function isSettled({ result }: PaymentAttempt): boolean {
  return result === 'PAID' || result === 'DECLINED';
}
