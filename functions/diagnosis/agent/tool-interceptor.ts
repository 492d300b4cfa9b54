import type { StepDetail } from '../../../shared/contracts/step.ts';
import type { RunRecorder } from '../audit/run-recorder.ts';
import type { PreparedCall } from '../evidence/evidence-tool.ts';
import {
  alreadyReadObservation,
  duplicateObservation,
  errorObservation,
  type Observation,
  playbookObservation,
  repairObservation,
  stopObservation,
  unknownSkillObservation,
} from '../evidence/observation.ts';
import type { BoundaryResult, ToolBoundary } from '../evidence/tool-boundary.ts';
import { judgeCall, type Verdict } from '../run/call-verdict.ts';
import type { Answer } from '../run/progress-control.ts';
import type { RunContext } from '../run/run-context.ts';
import { RunStoppedError } from '../run/stop.ts';
import { claimOf, type ReadCall, readCall, type Toolset } from './asked-call.ts';
import {
  ABORTED_CALL,
  type AskedPart,
  askedPart,
  type ControlDetails,
  type ControlStep,
  controlStep,
  toAnswer,
} from './call-step.ts';
import type { RequestedCall } from './model-answer.ts';
import type { PlaybookReader } from './playbooks.ts';

/** What the control of one run's tool calls works with. */
export interface ToolInterceptorParts {
  readonly run: RunContext;
  readonly recorder: RunRecorder;
  readonly boundary: ToolBoundary;
  readonly toolset: Toolset;
  readonly playbooks: PlaybookReader;
}

/** How one call was answered, for the model, for progress and for the audit. */
interface Answered {
  readonly observation: Observation;
  readonly answer: Answer;
  readonly notice: boolean;
  readonly step: StepDetail;
}

/** Answers every tool call of a run exactly once, one after the other. */
export class ToolInterceptor {
  readonly #parts: ToolInterceptorParts;
  #calls: ReadonlyMap<string, RequestedCall> = new Map();
  #stopIsRecorded = false;

  constructor(parts: ToolInterceptorParts) {
    this.#parts = parts;
  }

  /** Looks through all calls of a round before any of them runs, and settles what they evaluate. */
  async openRound(calls: readonly RequestedCall[]): Promise<void> {
    const { run, recorder } = this.#parts;
    this.#calls = new Map(calls.map((call) => [call.toolCallId, call]));
    const settled = run.progress.settle(calls.map(claimOf));
    if (settled === null) return;
    run.checks.evaluate(settled.toolCallId, settled.evaluation);
    await recorder.step({
      kind: 'EVALUATION',
      round: run.progress.round,
      tool_call_id: settled.toolCallId,
      evaluation: settled.evaluation,
      given_by: settled.givenBy,
    });
    await this.recordStop();
  }

  /** Leaves a step of the stop of collection, once, whatever it was that stopped it. */
  async recordStop(): Promise<void> {
    const { run, recorder } = this.#parts;
    const { round, stopReason } = run.progress;
    if (this.#stopIsRecorded || stopReason === null) return;
    this.#stopIsRecorded = true;
    await recorder.step({ kind: 'STOP', round, stop_reason: stopReason, ends_run: false });
  }

  /**
   * Answers one call of the round.
   *
   * @throws RunStoppedError when the model asks on after its last word, and when the run is over
   * @throws StoreFailedError when what happened could not be recorded
   */
  async answer(toolCallId: string): Promise<Observation> {
    const { run, recorder, boundary, toolset } = this.#parts;
    const call = this.#calls.get(toolCallId);
    if (call === undefined) throw new RangeError(`not a call of this round: ${toolCallId}`);
    const read = readCall(call, toolset, boundary);
    await this.#recordRefusal(call);
    const verdict = judgeCall(run, read.asked);
    const { observation, answer, notice, step } = await this.#act(call, read, verdict);
    run.noteToolCall(call.toolCallId);
    run.progress.record(call.toolCallId, answer);
    run.budget.recordObservation(observation.bytes);
    if (notice) {
      run.stopWhereDue();
      run.progress.deliverNotice();
    }
    await recorder.step(step);
    await this.recordStop();
    return observation;
  }

  /** The call that ends the run leaves a step too, before the signal is raised. */
  async #recordRefusal(call: RequestedCall): Promise<void> {
    const { run, recorder } = this.#parts;
    const told = run.progress.stopToldBeforeThisRound;
    if (told === null) return;
    await recorder.step(this.#control(call, 'COLLECTION_STOPPED', { stop_reason: told }));
  }

  async #act(call: RequestedCall, read: ReadCall, verdict: Verdict): Promise<Answered> {
    switch (verdict.kind) {
      case 'run':
        return read.prepared === null
          ? this.#readPlaybook(call, read.skill ?? '', verdict.notice)
          : this.#collect(call, read.prepared, verdict.notice);
      case 'refuse': {
        const { errorCode, fields, notice } = verdict;
        const observation = errorObservation(call.toolCallId, errorCode, { fields, notice });
        const step = this.#control(call, 'REFUSED', { error_code: errorCode });
        return { observation, answer: 'REFUSED', notice, step };
      }
      case 'repair': {
        const { missingField, expectedToolCallId } = verdict;
        const observation = repairObservation(call.toolCallId, missingField, expectedToolCallId);
        const details = { missing_field: missingField, related_tool_call_id: expectedToolCallId };
        const step = this.#control(call, 'REPAIR_REQUIRED', details);
        return { observation, answer: 'REPAIR', notice: false, step };
      }
      case 'duplicate': {
        const observation = duplicateObservation(call.toolCallId, verdict.equivalentToolCallId);
        const details = { related_tool_call_id: verdict.equivalentToolCallId };
        const step = this.#control(call, 'DUPLICATE_CALL', details);
        return { observation, answer: 'REFUSED', notice: false, step };
      }
      case 'stop':
        return this.#stop(call);
    }
  }

  #stop(call: RequestedCall): Answered {
    const stopReason = this.#parts.run.progress.stopReason;
    return {
      observation: stopObservation(call.toolCallId),
      answer: 'STOP',
      notice: true,
      step: this.#control(call, 'STOP_REQUIRED', { stop_reason: stopReason }),
    };
  }

  async #collect(call: RequestedCall, prepared: PreparedCall, notice: boolean): Promise<Answered> {
    const { run, boundary } = this.#parts;
    const { toolCallId } = call;
    run.ledger.open(toolCallId, { toolName: prepared.toolName, ...prepared.equivalence });
    run.budget.openToolCall();
    const startedAt = run.clock.now();
    const durationMs = () => Math.max(0, Math.round(run.clock.now() - startedAt));
    const result = await this.#orAborted(boundary.call(toolCallId, prepared, notice), () => ({
      kind: 'TOOL_CALL',
      ...this.#asked(call),
      ...ABORTED_CALL,
      duration_ms: durationMs(),
    }));
    if (result.errorCode !== null) run.ledger.recordError(toolCallId, result.errorCode);
    return {
      observation: result.observation,
      answer: toAnswer(result),
      notice: result.notice,
      step: {
        kind: 'TOOL_CALL',
        ...this.#asked(call),
        evidence_status: result.evidenceStatus,
        error_code: result.errorCode,
        executed: result.executed,
        observation_bytes: result.observation.bytes,
        truncated: result.truncated,
        duration_ms: durationMs(),
        stop_notice: result.notice,
      },
    };
  }

  /** A call that the end of the run cut off leaves a step as well. */
  async #orAborted(
    pending: Promise<BoundaryResult>,
    step: () => StepDetail,
  ): Promise<BoundaryResult> {
    try {
      return await pending;
    } catch (error) {
      if (error instanceof RunStoppedError) await this.#parts.recorder.step(step());
      throw error;
    }
  }

  #readPlaybook(call: RequestedCall, name: string, notice: boolean): Answered {
    const { run, playbooks } = this.#parts;
    const read = playbooks.read(name);
    switch (read.kind) {
      case 'read': {
        const { name: skill, body: instructions } = read.playbook;
        const step: StepDetail = {
          kind: 'PLAYBOOK_READ',
          round: run.progress.round,
          tool_call_id: call.toolCallId,
          skill,
          before_evidence: run.budget.usage(0).tool_calls === 0,
        };
        const observation = playbookObservation(call.toolCallId, { skill, instructions }, notice);
        return { observation, answer: 'PLAYBOOK', notice, step };
      }
      case 'already_read': {
        if (notice) return this.#stop(call);
        const step = this.#control(call, 'ALREADY_READ', {});
        return {
          observation: alreadyReadObservation(call.toolCallId),
          answer: 'REFUSED',
          notice,
          step,
        };
      }
      case 'unknown': {
        const observation = unknownSkillObservation(call.toolCallId, read.validNames, notice);
        const step = this.#control(call, 'UNKNOWN_SKILL', {});
        return { observation, answer: 'REFUSED', notice, step };
      }
    }
  }

  #control(
    call: RequestedCall,
    decision: ControlStep['decision'],
    details: ControlDetails,
  ): ControlStep {
    return controlStep(this.#asked(call), decision, details);
  }

  #asked(call: RequestedCall): AskedPart {
    const { run, playbooks } = this.#parts;
    return askedPart(call, { round: run.progress.round, playbook: playbooks.selected });
  }
}
