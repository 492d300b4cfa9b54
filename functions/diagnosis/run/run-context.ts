import type { Bindings } from '../../../shared/contracts/diagnosis-request.ts';
import type { RunId, SessionId, ToolCallId } from '../../../shared/contracts/identifiers.ts';
import type { StopReason } from '../../../shared/contracts/stop-reason.ts';
import type { Clock } from '../../../shared/kernel/clock.ts';
import { CallLedger } from './call-ledger.ts';
import type { Deadline } from './deadline.ts';
import { ProgressControl } from './progress-control.ts';
import { SettledChecks } from './progress-snapshot.ts';
import type { RunBudget } from './run-budget.ts';
import { RunStoppedError } from './stop.ts';

/** What a run is told when it begins. */
export interface RunTerms {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  /** Names this execution of the run; a writer with another fence loses. */
  readonly fence: string;
  /** The instant every evidence window ends at; epoch milliseconds. */
  readonly asOf: number;
  readonly bindings: Bindings;
  readonly budget: RunBudget;
  readonly deadline: Deadline;
  readonly clock: Clock;
  /** Aborts at the deadline and on a cancel, with a `RunStoppedError` as its reason. */
  readonly signal: AbortSignal;
}

/** One run, passed down explicitly: who it is, what it may spend, how far it has come. */
export class RunContext {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  readonly fence: string;
  readonly asOf: number;
  readonly bindings: Bindings;
  readonly budget: RunBudget;
  readonly deadline: Deadline;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress = new ProgressControl();
  readonly ledger = new CallLedger();
  readonly checks = new SettledChecks();
  /** What has to be closed when the run is over, however it ends. */
  readonly atRunEnd = new AsyncDisposableStack();
  readonly #toolCallIds: ToolCallId[] = [];

  constructor(terms: RunTerms) {
    this.runId = terms.runId;
    this.sessionId = terms.sessionId;
    this.fence = terms.fence;
    this.asOf = terms.asOf;
    this.bindings = terms.bindings;
    this.budget = terms.budget;
    this.deadline = terms.deadline;
    this.clock = terms.clock;
    this.signal = terms.signal;
  }

  /** Every tool call the model was answered under, whatever the answer. */
  get toolCallIds(): readonly ToolCallId[] {
    return this.#toolCallIds;
  }

  noteToolCall(toolCallId: ToolCallId): void {
    this.#toolCallIds.push(toolCallId);
  }

  /**
   * Ends the round before and asks whether another may begin; nothing is counted yet.
   *
   * @throws RunStoppedError when the run was cancelled, is past its deadline or has nothing left
   */
  admitRound(): void {
    this.assertAlive();
    this.progress.beginRound();
    const refusal = this.budget.refusalOfRound();
    if (refusal !== null) throw new RunStoppedError(this.progress.stop(refusal));
  }

  /** Counts the admitted round in; it is about to be sent. */
  beginRound(): void {
    this.budget.beginRound();
    if (this.budget.roundsLeft() === 0) this.progress.stop('MODEL_CALLS_EXHAUSTED');
    this.stopWhereDue();
  }

  /** @throws RunStoppedError once the run was cancelled or its deadline has passed */
  assertAlive(): void {
    this.signal.throwIfAborted();
    if (this.deadline.hasPassed(this.clock.now())) throw new RunStoppedError('DEADLINE');
  }

  /** Stops collection when what is left is owed to the draft, and tells why it is stopped. */
  stopWhereDue(): StopReason | null {
    if (this.clock.now() >= this.deadline.toolCutoff()) this.progress.stop('DEADLINE');
    const refusal = this.budget.refusalOfToolCall();
    if (refusal !== null) this.progress.stop(refusal);
    return this.progress.stopReason;
  }
}
