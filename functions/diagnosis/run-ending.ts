import type { DiagnosisDraft } from '../../shared/contracts/diagnosis-draft.ts';
import type {
  DiagnosisOutcome,
  Grounding,
  Usage,
} from '../../shared/contracts/diagnosis-outcome.ts';
import type { DetailCode, Failure, FailureCode } from '../../shared/contracts/failure.ts';
import type { RunId, SessionId } from '../../shared/contracts/identifiers.ts';
import type { ProgressSnapshot } from '../../shared/contracts/progress-snapshot.ts';
import type { StopReason } from '../../shared/contracts/stop-reason.ts';
import { toInstant } from '../../shared/kernel/clock.ts';
import { ModelFailedError } from './agent/model-failure.ts';
import { RunStoppedError, StoreFailedError } from './run/stop.ts';

/** How a run ended, before it is settled. */
export type RunEnding =
  | { readonly kind: 'completed'; readonly draft: DiagnosisDraft; readonly grounding: Grounding }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** What an outcome says beside its ending. */
export interface OutcomeFrame {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  readonly query: string;
  /** Epoch milliseconds, all three. */
  readonly asOf: number;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Why collection stopped, if it did. */
  readonly stopReason: StopReason | null;
  readonly progress: ProgressSnapshot | null;
  readonly usage: Usage;
}

/** Failures after which a new run may fare better. */
const RERUNNABLE_DETAILS: ReadonlySet<DetailCode> = new Set<DetailCode>([
  'MALFORMED_MODEL_OUTPUT',
  'MALFORMED_TOOL_USE',
  'UNKNOWN_STOP_REASON',
  'STOP_REASON_MISMATCH',
  'DUPLICATE_TOOL_CALL_ID',
  'MALFORMED_TOOL_CALL_ID',
]);
const RERUNNABLE_CODES: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'MODEL_THROTTLED',
  'MODEL_UNAVAILABLE',
  'STORE_FAILED',
  'RUN_ABANDONED',
]);

/** A failure with its verdict on a new run. */
export function toFailure(code: FailureCode, detailCode: DetailCode): Failure {
  const rerunnable = RERUNNABLE_CODES.has(code) || RERUNNABLE_DETAILS.has(detailCode);
  return { code, detail_code: detailCode, rerunnable };
}

/** The ending that an error of the agent's means; what nobody raised on purpose fails closed. */
export function endingOf(error: unknown): RunEnding {
  if (error instanceof RunStoppedError) return { kind: 'stopped', reason: error.reason };
  if (error instanceof StoreFailedError) {
    return { kind: 'failed', failure: toFailure('STORE_FAILED', error.detail) };
  }
  if (error instanceof ModelFailedError) {
    return { kind: 'failed', failure: toFailure(error.failureCode, error.detailCode) };
  }
  return { kind: 'failed', failure: toFailure('AGENT_FAILED', 'FRAMEWORK_ERROR') };
}

/** The outcome of an ending, its fields in the order of the contract. */
export function toOutcome(frame: OutcomeFrame, ending: RunEnding): DiagnosisOutcome {
  const head = {
    schema_version: 1,
    run_id: frame.runId,
    session_id: frame.sessionId,
    query: frame.query,
    as_of: toInstant(frame.asOf),
  } as const;
  const account = {
    progress: frame.progress,
    usage: frame.usage,
    started_at: toInstant(frame.startedAt),
    finished_at: toInstant(frame.finishedAt),
  };
  const nothing = { draft: null, grounding: null } as const;
  switch (ending.kind) {
    case 'completed': {
      const { draft, grounding } = ending;
      const verdict = {
        status: 'COMPLETED',
        stop_reason: frame.stopReason,
        failure: null,
      } as const;
      return { ...head, ...verdict, draft, grounding, ...account };
    }
    case 'stopped': {
      const verdict = { status: 'STOPPED', stop_reason: ending.reason, failure: null } as const;
      return { ...head, ...verdict, ...nothing, ...account };
    }
    case 'failed': {
      const { failure } = ending;
      const verdict = { status: 'FAILED', stop_reason: frame.stopReason, failure } as const;
      return { ...head, ...verdict, ...nothing, ...account };
    }
  }
}
