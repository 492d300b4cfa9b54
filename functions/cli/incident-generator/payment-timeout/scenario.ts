import { firstOf, type Pod, PodNetwork } from '../pods.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { DAY_MS, dateDigits, MINUTE_MS, minuteOfDay, SECOND_MS } from '../wall-clock.ts';

/** What may be called otherwise in another copy of the incident. */
export interface CapsuleNames {
  readonly company: string;
  readonly order: string;
  readonly payment: string;
  readonly settlement: string;
  /** The service whose deployment has nothing to do with the incident. */
  readonly bystander: string;
  /** Three payment channels; the last one is a little slow at all hours. */
  readonly channels: readonly [string, string, string];
  readonly schema: string;
}

export const DEFAULT_NAMES: CapsuleNames = {
  company: 'yunmart',
  order: 'order-service',
  payment: 'payment-service',
  settlement: 'settlement-service',
  bystander: 'notification-service',
  channels: ['ALIPAY', 'WECHAT', 'UNIONPAY'],
  schema: 'shop',
};

/** Every name, number and instant of one incident; all times in milliseconds since 1970. */
export interface Scenario {
  readonly names: CapsuleNames;
  readonly from: number;
  readonly asOf: number;
  /** Start of the settlement run that never lets go of its locks. */
  readonly onset: number;
  readonly settlementDeployedAt: number;
  readonly bystanderDeployedAt: number;
  readonly orderPods: readonly Pod[];
  readonly paymentPods: readonly Pod[];
  readonly settlementPod: Pod;
  readonly tenants: readonly string[];
  readonly boundTenant: string;
  readonly lockWaitSeconds: number;
  readonly readTimeoutMs: number;
  readonly poolWaitMs: number;
  readonly poolSize: number;
  readonly chunkBefore: number;
  readonly chunkAfter: number;
  /** Payments that await settlement: fewer than one new chunk, so one transaction locks them all. */
  readonly pendingRows: number;
  readonly handledRows: number;
  readonly batchNo: string;
  readonly blockerPid: number;
  readonly blockerTrxId: number;
  readonly settlementVersion: readonly [before: string, after: string];
  readonly bystanderVersion: readonly [before: string, after: string];
}

const DAY_ONE = Date.UTC(2026, 10, 3);
const LOGGED_MINUTES = 120;
/** Minutes between two settlement runs. */
export const RUN_EVERY_MINUTES = 30;

/** Draws the numbers of one incident. */
export function drawScenario(random: SeededRandom, names: CapsuleNames): Scenario {
  const asOf = DAY_ONE + random.integer(0, 17) * DAY_MS + random.integer(150, 780) * MINUTE_MS;
  const onset = asOf - random.integer(21, 26) * MINUTE_MS;
  const pendingRows = random.integer(9_800, 14_900);
  return {
    names,
    asOf,
    onset,
    from: asOf - LOGGED_MINUTES * MINUTE_MS,
    settlementDeployedAt: onset - random.integer(820, 1_240) * SECOND_MS,
    bystanderDeployedAt: onset - random.integer(65, 140) * SECOND_MS,
    ...drawPods(random, names),
    ...drawTenants(random),
    ...drawSettings(random),
    pendingRows,
    handledRows: Math.floor(pendingRows * (0.6 + random.fraction() / 4)),
    batchNo: batchNoOf(onset),
    blockerPid: random.integer(40_000, 98_000),
    blockerTrxId: random.integer(71_000_000, 98_000_000),
    settlementVersion: drawVersions(random),
    bystanderVersion: drawVersions(random),
  };
}

/** Number of the settlement run that starts at `at`: the day, then the half-hour of the day. */
export function batchNoOf(at: number): string {
  const ordinal = Math.floor(minuteOfDay(at) / RUN_EVERY_MINUTES) + 1;
  return `S${dateDigits(at)}-${String(ordinal).padStart(2, '0')}`;
}

function drawPods(random: SeededRandom, names: CapsuleNames) {
  const network = `10.${random.integer(20, 60)}.${random.integer(2, 14)}`;
  const pods = new PodNetwork(random, network);
  return {
    orderPods: pods.pods(names.order, 2),
    paymentPods: pods.pods(names.payment, 2),
    settlementPod: firstOf(pods.pods(names.settlement, 1)),
  };
}

function drawTenants(random: SeededRandom) {
  const first = random.integer(1_001, 1_080);
  const tenants = [`T${first}`, `T${first + 7}`, `T${first + 19}`];
  return { tenants, boundTenant: random.pick(tenants) };
}

function drawSettings(random: SeededRandom) {
  const chunkBefore = random.pick([200, 250, 300]);
  return {
    lockWaitSeconds: random.pick([40, 45, 50]),
    readTimeoutMs: random.pick([4_000, 5_000, 6_000]),
    poolWaitMs: random.pick([2_000, 3_000]),
    poolSize: random.pick([3, 4]),
    chunkBefore,
    chunkAfter: chunkBefore * 100,
  };
}

function drawVersions(random: SeededRandom): [string, string] {
  const [major, minor] = [random.integer(1, 6), random.integer(3, 28)];
  return [`v${major}.${minor}.${random.integer(0, 4)}`, `v${major}.${minor + 1}.0`];
}
