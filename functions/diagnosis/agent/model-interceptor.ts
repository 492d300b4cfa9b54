import {
  type AgentStreamEvent,
  type InvokeModelContext,
  type InvokeModelResult,
  type InvokeModelStage,
  type MiddlewareHandlerOf,
  type MiddlewareNextOf,
  ModelError,
} from '@strands-agents/sdk';
import { HarnessError } from '../../../shared/kernel/errors.ts';
import { cutUtf8 } from '../../../shared/kernel/utf8.ts';
import type { RunRecorder } from '../audit/run-recorder.ts';
import type { RunContext } from '../run/run-context.ts';
import { RunStoppedError } from '../run/stop.ts';
import type { ConverseModel, RoundReport } from './converse-model.ts';
import { ModelFailedError } from './model-failure.ts';
import type { ToolInterceptor } from './tool-interceptor.ts';

/** What the control of one run's rounds works with. */
export interface ModelInterceptorParts {
  readonly run: RunContext;
  readonly recorder: RunRecorder;
  readonly model: ConverseModel;
  readonly tools: ToolInterceptor;
}

type Round =
  | { readonly kind: 'answered'; readonly result: InvokeModelResult }
  | { readonly kind: 'failed'; readonly failure: unknown };

/**
 * Stands around every round: before it the gate, which can refuse it before anything is sent; after
 * it the account of what it used, and a first look at all the calls it asks for.
 */
export function interceptModel(
  parts: ModelInterceptorParts,
): MiddlewareHandlerOf<typeof InvokeModelStage> {
  const { run, recorder, model, tools } = parts;

  return async function* (context, next) {
    run.admitRound();
    await recorder.enterRound(run.progress.round);
    run.beginRound();
    await tools.recordStop();
    const startedAt = run.clock.now();
    const round = yield* attempt(run, context, next);
    const report = model.takeReport();
    await closeRound(parts, report, { startedAt, round });
    if (round.kind === 'failed') throw round.failure;
    await tools.openRound(report?.calls ?? []);
    return round.result;
  };
}

async function* attempt(
  run: RunContext,
  context: InvokeModelContext,
  next: MiddlewareNextOf<typeof InvokeModelStage>,
): AsyncGenerator<AgentStreamEvent, Round, undefined> {
  try {
    return { kind: 'answered', result: yield* next(context) };
  } catch (error) {
    return { kind: 'failed', failure: failureOf(run, error) };
  }
}

/** The end of the run comes first: an abort surfaces under many names. */
function failureOf(run: RunContext, error: unknown): unknown {
  if (run.signal.aborted) return run.signal.reason;
  return error instanceof ModelError && error.cause instanceof HarnessError ? error.cause : error;
}

async function closeRound(
  { run, recorder }: ModelInterceptorParts,
  report: RoundReport | null,
  { startedAt, round }: { readonly startedAt: number; readonly round: Round },
): Promise<void> {
  const durationMs = Math.max(0, Math.round(run.clock.now() - startedAt));
  run.budget.recordUsage(report?.usage ?? null);
  run.deadline.recordRound(durationMs);
  await recorder.step({
    kind: 'ROUND',
    round: run.progress.round,
    duration_ms: durationMs,
    model_stop_reason: bounded(report?.stopReason ?? null, 64),
    usage: report?.usage ?? null,
    service_request_id: bounded(report?.requestId ?? null, 128),
    tool_calls: (report?.calls ?? []).map(({ toolCallId, name, providerId }) => ({
      tool_call_id: toolCallId,
      tool_name: cutUtf8(name, 128),
      provider_id: providerId,
    })),
    failure: round.kind === 'failed' ? codeOf(round.failure) : null,
  });
}

function bounded(text: string | null, maxBytes: number): string | null {
  return text === null ? null : cutUtf8(text.toWellFormed(), maxBytes);
}

function codeOf(failure: unknown): string {
  if (failure instanceof ModelFailedError) return failure.detailCode;
  if (failure instanceof RunStoppedError) return failure.reason;
  return failure instanceof HarnessError ? failure.code : 'FRAMEWORK_ERROR';
}
