import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';

/** How a run ended, in the words that a test compares as a whole. */
export interface Ending {
  readonly status: DiagnosisOutcome['status'];
  readonly stop: string | null;
  /** `CODE/DETAIL_CODE`. */
  readonly failure: string | null;
  readonly rounds: number;
  readonly toolCalls: number;
  /** Ids of the settled checks in the snapshot. */
  readonly checks: readonly string[];
  readonly published: boolean;
}

export function endingOf(outcome: DiagnosisOutcome): Ending {
  const { status, stop_reason, failure, usage, progress, draft } = outcome;
  return {
    status,
    stop: stop_reason,
    failure: failure === null ? null : `${failure.code}/${failure.detail_code}`,
    rounds: usage.model_calls,
    toolCalls: usage.tool_calls,
    checks: progress?.checks.map(({ tool_call_id: id }) => id) ?? [],
    published: draft !== null,
  };
}

/** An ending of a completed run unless a test says otherwise. */
export function anEnding(changes: Partial<Ending> = {}): Ending {
  return {
    status: 'COMPLETED',
    stop: null,
    failure: null,
    rounds: 1,
    toolCalls: 0,
    checks: [],
    published: changes.status === undefined,
    ...changes,
  };
}

/** `call-1` to `call-<count>`. */
export function callIds(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `call-${index + 1}`);
}
