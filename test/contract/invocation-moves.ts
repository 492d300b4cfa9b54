import type { RunKey, RunStore, WriteResult } from '../../shared/store/run-store.ts';
import {
  anOpenInvocation,
  aRaw,
  aReadySettlement,
  aRun,
  CALL_1,
  DURING,
  keyOf,
  SIGNAL,
} from './run-builders.ts';

export const STATUSES = [
  'ABSENT',
  'OPEN',
  'PROJECTING',
  'READY',
  'ERROR',
  'ERROR_PROJECTED',
] as const;
export type Status = (typeof STATUSES)[number];
export type Transition = 'openInvocation' | 'startProjection' | 'settleReady' | 'settleError';

/** Each transition of the invocation `call-1`. */
export const MOVE: Record<Transition, (store: RunStore, key: RunKey) => Promise<WriteResult>> = {
  openInvocation: (store, key) => store.openInvocation(key, anOpenInvocation(key), SIGNAL),
  startProjection: (store, key) => store.startProjection(key, CALL_1, aRaw(), SIGNAL),
  settleReady: (store, key) => store.settleReady(key, CALL_1, aReadySettlement(), SIGNAL),
  settleError: (store, key) =>
    store.settleError(key, CALL_1, { errorCode: 'TOOL_TIMEOUT', settledAt: DURING }, SIGNAL),
};

/** The transitions that lead to a status. */
const WAY_TO: Record<Status, readonly Transition[]> = {
  ABSENT: [],
  OPEN: ['openInvocation'],
  PROJECTING: ['openInvocation', 'startProjection'],
  READY: ['openInvocation', 'startProjection', 'settleReady'],
  ERROR: ['openInvocation', 'settleError'],
  ERROR_PROJECTED: ['openInvocation', 'startProjection', 'settleError'],
};

/** A run with the invocation `call-1` in the given status. */
export async function runWith(store: RunStore, status: Status): Promise<RunKey> {
  const run = aRun();
  await store.createRun(run, SIGNAL);
  for (const transition of WAY_TO[status]) await MOVE[transition](store, keyOf(run));
  return keyOf(run);
}
