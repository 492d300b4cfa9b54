import type { ToolCallId } from '../../../shared/contracts/identifiers.ts';
import type { Invocation, RecordErrorCode } from '../../../shared/contracts/invocation.ts';
import {
  type Asked,
  MAX_ASKED_BYTES,
  type Step,
  type StepDetail,
} from '../../../shared/contracts/step.ts';
import { toInstant } from '../../../shared/kernel/clock.ts';
import { nameOf } from '../../../shared/kernel/errors.ts';
import { cutUtf8 } from '../../../shared/kernel/utf8.ts';
import type {
  RawResult,
  ReadySettlement,
  RunKey,
  RunStore,
  WriteResult,
} from '../../../shared/store/run-store.ts';
import type { RunContext } from '../run/run-context.ts';
import { RunStoppedError, StoreFailedError } from '../run/stop.ts';
import type { StepHook } from './step-hook.ts';

/** What a recorder works with. */
export interface RecorderParts {
  readonly run: RunContext;
  readonly store: RunStore;
  readonly hook: StepHook;
  /** Told when the hook threw. */
  readonly reportFault: (fault: { readonly name: string }) => void;
}

/** Time for a step once the run's own signal is gone; milliseconds, well inside the settling reserve. */
const LAST_STEPS_MS = 2_000;

/**
 * Writes the record of one run: its rounds, steps and invocations. Every write is awaited, and one
 * that did not happen ends the run: no observation is handed on that the record does not hold.
 */
export class RunRecorder {
  readonly #parts: RecorderParts;
  readonly #key: RunKey;
  #sequence = 0;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#key = { runId: parts.run.runId, fence: parts.run.fence };
  }

  /**
   * Asks the record whether the next round may begin.
   *
   * @throws RunStoppedError `CANCELLED` when a cancel was asked for
   * @throws StoreFailedError when the run is no longer ours or the answer is not to be had
   */
  async enterRound(round: number): Promise<void> {
    const { run, store } = this.#parts;
    const gate = await this.#known(store.enterRound(this.#key, round, run.signal));
    if (gate.kind === 'cancel_requested') throw new RunStoppedError('CANCELLED');
    if (gate.kind === 'lost') throw new StoreFailedError('RECORD_WRITE_LOST');
  }

  /** Appends a step to the audit, then tells the hook. */
  async step(detail: StepDetail): Promise<void> {
    const { run, store } = this.#parts;
    this.#sequence += 1;
    const step: Step = {
      schema_version: 1,
      run_id: run.runId,
      session_id: run.sessionId,
      sequence: this.#sequence,
      at: toInstant(run.clock.now()),
      detail,
    };
    // The last steps of a run that was cut off are still written, under a signal of their own.
    const signal = run.signal.aborted ? AbortSignal.timeout(LAST_STEPS_MS) : run.signal;
    await this.#written(store.appendStep(this.#key, step, signal));
    this.#tellHook(step);
  }

  async openInvocation(invocation: Extract<Invocation, { status: 'OPEN' }>): Promise<void> {
    const { run, store } = this.#parts;
    await this.#written(store.openInvocation(this.#key, invocation, run.signal));
  }

  async startProjection(toolCallId: ToolCallId, raw: RawResult): Promise<void> {
    const { run, store } = this.#parts;
    await this.#written(store.startProjection(this.#key, toolCallId, raw, run.signal));
  }

  async settleReady(toolCallId: ToolCallId, settlement: ReadySettlement): Promise<void> {
    const { run, store } = this.#parts;
    await this.#written(store.settleReady(this.#key, toolCallId, settlement, run.signal));
  }

  async settleError(toolCallId: ToolCallId, code: RecordErrorCode): Promise<void> {
    const { run, store } = this.#parts;
    await this.#written(
      store.settleError(this.#key, toolCallId, this.#errorSettlement(code), run.signal),
    );
  }

  /**
   * Notes that the run ended while this invocation was open, under a signal of its own. The run
   * ends either way, so a write that fails here leaves the invocation open for the record's reader.
   */
  async abortInvocation(toolCallId: ToolCallId, signal: AbortSignal): Promise<void> {
    const { store } = this.#parts;
    try {
      await store.settleError(this.#key, toolCallId, this.#errorSettlement('ABORTED'), signal);
    } catch (error) {
      this.#parts.reportFault({ name: nameOf(error) });
    }
  }

  async #written(write: Promise<WriteResult>): Promise<void> {
    const result = await this.#known(write);
    if (result.kind === 'lost') throw new StoreFailedError('RECORD_WRITE_LOST');
  }

  /** The store's answer; a write cut off by the end of the run is that end, not a broken store. */
  async #known<Result>(answer: Promise<Result>): Promise<Result> {
    try {
      return await answer;
    } catch (cause) {
      this.#parts.run.assertAlive();
      throw new StoreFailedError('RECORD_WRITE_FAILED', { cause });
    }
  }

  #errorSettlement(errorCode: RecordErrorCode) {
    return { errorCode, settledAt: toInstant(this.#parts.run.clock.now()) };
  }

  /** The hook gets a copy, is not waited for, and its failure, late or not, goes no further. */
  #tellHook(step: Step): void {
    const { hook, reportFault } = this.#parts;
    const report = (error: unknown) => reportFault({ name: nameOf(error) });
    try {
      Promise.resolve<unknown>(hook(structuredClone(step))).catch(report);
    } catch (error) {
      report(error);
    }
  }
}

/** What the model asked, as bounded JSON text. */
export function toAsked(input: unknown): Asked {
  const whole = (JSON.stringify(input) ?? 'null').toWellFormed();
  const json = cutUtf8(whole, MAX_ASKED_BYTES);
  return { json, truncated: json.length < whole.length };
}
