import type { Step } from '../../../shared/contracts/step.ts';

/**
 * Watches a run: called with each step once it is recorded. A hook changes nothing; what it throws
 * goes to `reportFault` of the recorder and no further.
 */
export type StepHook = (step: Step) => void;
