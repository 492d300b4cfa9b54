import type { Pod } from '../pods.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { dateDigits, SECOND_MS } from '../wall-clock.ts';
import type { Scenario } from './scenario.ts';

/** One customer's payment, told alike by both services' logs and by the tables. */
export interface PaymentAttempt {
  readonly at: number;
  readonly orderNo: string;
  readonly paymentNo: string;
  readonly traceId: string;
  readonly tenant: string;
  readonly channel: string;
  readonly amountCents: number;
  readonly orderPod: Pod;
  readonly paymentPod: Pod;
  /** PAID and DECLINED end well; LOCK_WAIT holds a connection in vain, POOL_WAIT never gets one. */
  readonly result: 'PAID' | 'DECLINED' | 'LOCK_WAIT' | 'POOL_WAIT';
  readonly durationMs: number;
}

const HEALTHY_GAP_SECONDS = [8, 20] as const;
// Customers and clients try again while payments fail, so they come closer together.
const INCIDENT_GAP_SECONDS = [3, 6] as const;

/** All payments of the logged hours, in order of time. */
export function drawAttempts(random: SeededRandom, scenario: Scenario): PaymentAttempt[] {
  const pools = new Map(
    scenario.paymentPods.map((pod) => [pod.name, new BusyConnections(scenario)] as const),
  );
  const attempts: PaymentAttempt[] = [];
  let at = scenario.from + random.integer(500, 4_000);
  while (at < scenario.asOf - SECOND_MS) {
    const locked = at > scenario.onset;
    const paymentPod = random.pick(scenario.paymentPods);
    const ending = locked
      ? lockedEnding(at, pools.get(paymentPod.name), scenario)
      : healthyEnding(random);
    attempts.push({ at, paymentPod, ...drawOrder(random, scenario, at), ...ending });
    const [least, most] = locked ? INCIDENT_GAP_SECONDS : HEALTHY_GAP_SECONDS;
    at += random.integer(least * SECOND_MS, most * SECOND_MS);
  }
  return attempts;
}

type Ending = Pick<PaymentAttempt, 'result' | 'durationMs'>;

function healthyEnding(random: SeededRandom): Ending {
  const result = random.chance(0.025) ? 'DECLINED' : 'PAID';
  return { result, durationMs: random.integer(48, 420) };
}

function lockedEnding(at: number, pool: BusyConnections | undefined, scenario: Scenario): Ending {
  return pool?.occupy(at)
    ? { result: 'LOCK_WAIT', durationMs: scenario.lockWaitSeconds * SECOND_MS }
    : { result: 'POOL_WAIT', durationMs: scenario.poolWaitMs };
}

function drawOrder(random: SeededRandom, scenario: Scenario, at: number) {
  const digits = dateDigits(at);
  return {
    orderNo: `O${digits}${random.integer(10_000_000, 99_999_999)}`,
    paymentNo: `P${digits}${random.integer(10_000_000, 99_999_999)}`,
    traceId: random.hex(16),
    tenant: random.pick(scenario.tenants),
    channel: random.pick(scenario.names.channels),
    amountCents: random.integer(590, 268_000),
    orderPod: random.pick(scenario.orderPods),
  };
}

/** The connections of one pod's pool: each is gone for as long as its statement waits for the lock. */
class BusyConnections {
  readonly #freeAt: number[];
  readonly #waitMs: number;

  constructor(scenario: Scenario) {
    this.#freeAt = Array.from({ length: scenario.poolSize }, () => 0);
    this.#waitMs = scenario.lockWaitSeconds * SECOND_MS;
  }

  /** Takes a connection for one lock wait; false when all are taken. */
  occupy(at: number): boolean {
    const free = this.#freeAt.findIndex((freeAt) => freeAt <= at);
    if (free < 0) return false;
    this.#freeAt[free] = at + this.#waitMs;
    return true;
  }
}
