import { describe } from 'vitest';
import type { StoreOpener } from './contract-store.ts';
import { describeInvocationKeeping } from './invocation-keeping.contract.ts';
import { describeInvocationTransitions } from './invocation-transitions.contract.ts';
import { describeRecordReading } from './record-reading.contract.ts';
import { describeRunCancellation } from './run-cancellation.contract.ts';
import { describeRunCreation } from './run-creation.contract.ts';
import { describeRunLifecycle } from './run-lifecycle.contract.ts';

/** What the run store promises; every implementation and every fake of it passes this suite. */
export function describeRunStore(open: StoreOpener): void {
  describe('a new run', () => describeRunCreation(open));
  describe('a run', () => describeRunLifecycle(open));
  describe('a cancel', () => describeRunCancellation(open));
  describe('a transition', () => describeInvocationTransitions(open));
  describe('an invocation', () => describeInvocationKeeping(open));
  describe('a reader', () => describeRecordReading(open));
}
