import type { ToolCallId } from '../../../shared/contracts/identifiers.ts';
import { type ErrorCode, MAX_OBSERVATION_BYTES } from '../../../shared/contracts/observation.ts';
import type { Executed } from '../../../shared/contracts/step.ts';
import type { EvidenceToolName } from '../../../shared/contracts/tool-inputs.ts';
import { sha256Hex } from '../../../shared/kernel/canonical-json.ts';
import { toInstant } from '../../../shared/kernel/clock.ts';
import { nameOf } from '../../../shared/kernel/errors.ts';
import type { Redactor } from '../../../shared/redaction/redactor.ts';
import { packRaw } from '../../../shared/store/raw-result.ts';
import type { RunRecorder } from '../audit/run-recorder.ts';
import type { RunContext } from '../run/run-context.ts';
import type { PreparedCall } from './evidence-tool.ts';
import { errorObservation, type Observation } from './observation.ts';
import { type ProjectedCall, projectResult } from './projected-call.ts';
import type { AdapterResult } from './tool-adapter.ts';
import { withinTimeout } from './tool-timeout.ts';

/** What came of a call, for the model and for the audit. */
export interface BoundaryResult {
  readonly observation: Observation;
  readonly evidenceStatus: 'EVIDENCE_FOUND' | 'NO_EVIDENCE' | 'ERROR';
  readonly errorCode: ErrorCode | null;
  readonly executed: Executed | null;
  readonly truncated: boolean;
  /** True when the observation told the model to stop. */
  readonly notice: boolean;
}

/** A READY invocation: what was asked of whom, and the exact text the model was shown. */
export interface SettledCall {
  readonly toolCallId: ToolCallId;
  readonly toolName: EvidenceToolName;
  readonly evidenceStatus: 'EVIDENCE_FOUND' | 'NO_EVIDENCE';
  readonly observation: string;
}

/** What the boundary of one run works with. */
export interface BoundaryParts {
  readonly run: RunContext;
  readonly recorder: RunRecorder;
  readonly redactor: Redactor;
  /** For inputs that have no timeout of their own; milliseconds. */
  readonly toolTimeoutMs: number;
  /** Told of a fault behind an error code, by the name of the error only: its text may hold data. */
  readonly reportFault: (fault: { readonly toolCallId: ToolCallId; readonly name: string }) => void;
}

type Result = Extract<AdapterResult, { kind: 'result' }>;

interface Failed {
  readonly kind: 'failed';
  readonly code: ErrorCode;
  readonly executed: Executed | null;
}

/** Cleanup writes get this long once the run itself is over; milliseconds. */
const CLEANUP_MS = 2_000;

/**
 * The only way to an adapter. Opens the invocation, calls the adapter inside its time, keeps the
 * raw result, projects it, settles the invocation, and only then hands the observation on.
 */
export class ToolBoundary {
  readonly #parts: BoundaryParts;
  readonly #settled: SettledCall[] = [];

  constructor(parts: BoundaryParts) {
    this.#parts = parts;
  }

  /** The READY invocations of this run: all that a draft may cite. */
  get settledCalls(): readonly SettledCall[] {
    return this.#settled;
  }

  /** Paths of an input that spell a mark this run never gave out; such a call must not run. */
  unknownMarks(asked: unknown, path = 'input'): readonly string[] {
    if (typeof asked === 'string') {
      return this.#parts.redactor.resolveMarks(asked).kind === 'resolved' ? [] : [path];
    }
    if (typeof asked !== 'object' || asked === null) return [];
    return Object.entries(asked).flatMap(([key, member]) =>
      this.unknownMarks(member, `${path}.${key}`),
    );
  }

  /**
   * Runs one call. `notice` says that its observation is the last one before the draft.
   *
   * @throws RunStoppedError when the run ended meanwhile: nothing that arrives later is evidence
   * @throws StoreFailedError when a transition could not be recorded
   */
  async call(toolCallId: ToolCallId, call: PreparedCall, notice: boolean): Promise<BoundaryResult> {
    const { run, recorder } = this.#parts;
    await recorder.openInvocation({
      schema_version: 1,
      run_id: run.runId,
      tool_call_id: toolCallId,
      tool_name: call.toolName,
      fence: run.fence,
      input: JSON.stringify(call.asked),
      opened_at: toInstant(run.clock.now()),
      status: 'OPEN',
    });
    try {
      const answer = await this.#ask(toolCallId, call);
      return answer.kind === 'failed'
        ? await this.#settleError(toolCallId, answer, notice)
        : await this.#settleResult(toolCallId, call, answer, notice);
    } catch (error) {
      await recorder.abortInvocation(toolCallId, AbortSignal.timeout(CLEANUP_MS));
      throw error;
    }
  }

  /** @throws RunStoppedError when the run ended before the adapter answered */
  async #ask(toolCallId: ToolCallId, call: PreparedCall): Promise<Result | Failed> {
    const { run, redactor, toolTimeoutMs } = this.#parts;
    const untilCutoff = run.deadline.toolCutoff() - run.clock.now();
    const timeoutMs = Math.min(call.timeoutMs ?? toolTimeoutMs, untilCutoff);
    const asked = await withinTimeout(run.signal, timeoutMs, (signal) =>
      call.run((text) => resolved(redactor, text), {
        signal,
        asOf: run.asOf,
        bindings: run.bindings,
        atRunEnd: run.atRunEnd,
      }),
    );
    if (asked.kind === 'run_ended') throw run.signal.reason;
    run.assertAlive();
    if (asked.kind === 'done') return asked.value;
    if (asked.kind === 'timed_out') return { kind: 'failed', code: 'TOOL_TIMEOUT', executed: null };
    this.#report(toolCallId, asked.cause);
    return { kind: 'failed', code: 'SOURCE_FAILED', executed: null };
  }

  async #settleResult(
    toolCallId: ToolCallId,
    call: PreparedCall,
    result: Result,
    notice: boolean,
  ): Promise<BoundaryResult> {
    const { run, recorder } = this.#parts;
    const packed = packRaw(result.raw);
    if (packed.kind === 'too_large') {
      const tooLarge = {
        kind: 'failed',
        code: 'RAW_TOO_LARGE',
        executed: result.executed,
      } as const;
      return this.#settleError(toolCallId, tooLarge, notice);
    }
    await recorder.startProjection(toolCallId, packed.raw);
    const projected = this.#project(toolCallId, call, result, notice);
    if (projected === null) {
      const malformed = {
        kind: 'failed',
        code: 'RAW_MALFORMED',
        executed: result.executed,
      } as const;
      return this.#settleError(toolCallId, malformed, notice);
    }
    const { head, facts, observation } = projected;
    const executed = this.#redactedExecuted(result.executed);
    await recorder.settleReady(toolCallId, {
      evidenceStatus: head.evidenceStatus,
      observation: observation.text,
      observationSha256: sha256Hex(observation.text),
      truncated: head.truncated,
      executed,
      settledAt: toInstant(run.clock.now()),
    });
    run.checks.add({
      tool_call_id: toolCallId,
      tool_name: call.toolName,
      scope: { request: call.asked, window: head.window, notes: [...head.notes] },
      evidence_status: head.evidenceStatus,
      facts: [...facts],
    });
    const { evidenceStatus, truncated } = head;
    this.#settled.push({
      toolCallId,
      toolName: call.toolName,
      evidenceStatus,
      observation: observation.text,
    });
    return { observation, evidenceStatus, errorCode: null, executed, truncated, notice };
  }

  #project(
    toolCallId: ToolCallId,
    call: PreparedCall,
    result: Result,
    notice: boolean,
  ): ProjectedCall | null {
    try {
      const { redactor } = this.#parts;
      const projected = projectResult({ toolCallId, call, result, redactor, notice });
      if (projected !== null && projected.observation.bytes > MAX_OBSERVATION_BYTES) {
        throw new RangeError('observation over its limit');
      }
      return projected;
    } catch (cause) {
      this.#report(toolCallId, cause);
      return null;
    }
  }

  async #settleError(
    toolCallId: ToolCallId,
    { code, executed }: Failed,
    wasLast: boolean,
  ): Promise<BoundaryResult> {
    const { run, recorder } = this.#parts;
    await recorder.settleError(toolCallId, code);
    const cutOffByReserve = code === 'TOOL_TIMEOUT' && run.clock.now() >= run.deadline.toolCutoff();
    const notice = wasLast || cutOffByReserve;
    return {
      observation: errorObservation(toolCallId, code, { notice }),
      evidenceStatus: 'ERROR',
      errorCode: code,
      executed: executed === null ? null : this.#redactedExecuted(executed),
      truncated: false,
      notice,
    };
  }

  #redactedExecuted({ statement, window, sources }: Executed): Executed {
    const { redactor } = this.#parts;
    return {
      statement: statement === null ? null : redactor.redact(statement),
      window,
      sources: sources.map((source) => redactor.redact(source)),
    };
  }

  #report(toolCallId: ToolCallId, cause: unknown): void {
    this.#parts.reportFault({
      toolCallId,
      name: nameOf(cause),
    });
  }
}

/** @throws RangeError for an unknown mark; such calls are refused before they come here */
function resolved(redactor: Redactor, text: string): string {
  const resolution = redactor.resolveMarks(text);
  if (resolution.kind === 'resolved') return resolution.text;
  throw new RangeError('unknown mark in a call that was let through');
}
