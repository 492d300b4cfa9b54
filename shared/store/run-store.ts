import type { RunId, SessionId, ToolCallId } from '../contracts/identifiers.ts';
import type { Invocation, RawReference, RecordErrorCode } from '../contracts/invocation.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import type { Executed, Step } from '../contracts/step.ts';

/** Which run writes, and on whose behalf: a writer whose fence is no longer the run's own loses. */
export interface RunKey {
  readonly runId: RunId;
  readonly fence: string;
}

/** A conditional write either happened or found that somebody else had moved the item on. */
export type WriteResult = { readonly kind: 'written' } | { readonly kind: 'lost' };

/** A run about to be created: its item and its request as canonical JSON. */
export interface NewRun {
  readonly record: RunRecord;
  readonly request: string;
}

export type CreateRunResult =
  | { readonly kind: 'created' }
  | { readonly kind: 'exists'; readonly record: RunRecord; readonly outcome: string | null };

/** Whether the next round may begin. */
export type GateResult =
  | { readonly kind: 'open' }
  | { readonly kind: 'cancel_requested' }
  | { readonly kind: 'lost' };

export interface RawResult {
  readonly reference: RawReference;
  /** Compressed pieces, each small enough for one item, in order. */
  readonly chunks: readonly Uint8Array[];
}

/** How an invocation ends well. */
export interface ReadySettlement {
  readonly evidenceStatus: 'EVIDENCE_FOUND' | 'NO_EVIDENCE';
  readonly observation: string;
  readonly observationSha256: string;
  readonly truncated: boolean;
  readonly executed: Executed;
  readonly settledAt: string;
}

export interface ErrorSettlement {
  readonly errorCode: RecordErrorCode;
  readonly settledAt: string;
}

/** How a run ends: its status and the outcome as the exact JSON text the caller receives. */
export interface RunSettlement {
  readonly status: 'COMPLETED' | 'STOPPED' | 'FAILED';
  readonly outcome: string;
  readonly finishedAt: string;
}

export type CancelResult =
  | { readonly kind: 'requested' }
  | { readonly kind: 'finished' }
  | { readonly kind: 'unknown' };

/** One page of a list; `next` goes back in to get the page after it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/**
 * The record of runs. Every method that writes on behalf of a run writes on condition of the run's
 * ownership; docs/records.md names the conditions. A lost condition is a value. Everything that keeps
 * the answer from being known (network, throttling, a full disk) throws `HarnessError` with code
 * `STORE_FAILED`; what a newer version wrote, or what is damaged, `RECORD_UNAVAILABLE`. Times are
 * RFC 3339 UTC. Nothing is retried here beyond a write whose own earlier attempt may have succeeded,
 * or that was refused unread because another write held its item.
 */
export interface RunStore {
  /** Creates the run, or tells who is there. An expired item counts as existing. */
  createRun(run: NewRun, signal: AbortSignal): Promise<CreateRunResult>;
  /** Counts a round in; refuses when the run is no longer RUNNING under this fence or a cancel is asked for. */
  enterRound(key: RunKey, round: number, signal: AbortSignal): Promise<GateResult>;
  appendStep(key: RunKey, step: Step, signal: AbortSignal): Promise<WriteResult>;
  /** Writes the invocation OPEN; lost when its id is taken or the run is not this fence's. */
  openInvocation(
    key: RunKey,
    invocation: Extract<Invocation, { status: 'OPEN' }>,
    signal: AbortSignal,
  ): Promise<WriteResult>;
  /** Keeps the raw result, then moves OPEN to PROJECTING. */
  startProjection(
    key: RunKey,
    toolCallId: ToolCallId,
    raw: RawResult,
    signal: AbortSignal,
  ): Promise<WriteResult>;
  /** Moves PROJECTING to READY. */
  settleReady(
    key: RunKey,
    toolCallId: ToolCallId,
    settlement: ReadySettlement,
    signal: AbortSignal,
  ): Promise<WriteResult>;
  /** Moves OPEN or PROJECTING to ERROR. */
  settleError(
    key: RunKey,
    toolCallId: ToolCallId,
    settlement: ErrorSettlement,
    signal: AbortSignal,
  ): Promise<WriteResult>;
  /** Keeps what infrastructure marks stand for; beside the raw results, for as long as they. */
  keepLegend(key: RunKey, legend: string, signal: AbortSignal): Promise<WriteResult>;
  /** Settles a RUNNING run of this fence, seals its record and stores its outcome, all or nothing. */
  settleRun(key: RunKey, settlement: RunSettlement, signal: AbortSignal): Promise<WriteResult>;
  /** Settles a RUNNING run whose lease ended before `now`, whoever holds it. */
  settleAbandoned(
    key: RunKey,
    settlement: RunSettlement,
    now: string,
    signal: AbortSignal,
  ): Promise<WriteResult>;
  /** Asks a living run to stop; one that is settled, or whose lease is over, is `finished`. */
  requestCancel(runId: RunId, at: string, signal: AbortSignal): Promise<CancelResult>;
  /** True once a cancel was asked for; read while a round is in flight. */
  isCancelRequested(runId: RunId, signal: AbortSignal): Promise<boolean>;
  /** The run, or null when there is none or it has expired. */
  readRun(runId: RunId, now: string, signal: AbortSignal): Promise<RunRecord | null>;
  readRequest(runId: RunId, signal: AbortSignal): Promise<string | null>;
  readOutcome(runId: RunId, signal: AbortSignal): Promise<string | null>;
  readInvocations(runId: RunId, signal: AbortSignal): Promise<readonly Invocation[]>;
  readSteps(runId: RunId, signal: AbortSignal): Promise<readonly Step[]>;
  /** Runs of a session (or all runs where the store allows it), newest first, expired ones left out. */
  listRuns(
    query: {
      readonly sessionId: SessionId | null;
      readonly limit: number;
      readonly from: string | null;
    },
    now: string,
    signal: AbortSignal,
  ): Promise<
    Page<{
      readonly runId: RunId;
      readonly status: RunRecord['status'];
      readonly createdAt: string;
    }>
  >;
}
