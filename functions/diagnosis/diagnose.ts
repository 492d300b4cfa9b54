import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { nameOf } from '../../shared/kernel/errors.ts';
import { utf8Length } from '../../shared/kernel/utf8.ts';
import { createRedactor, type Redactor } from '../../shared/redaction/redactor.ts';
import { type AdmittedRequest, admitRequest } from './admission.ts';
import { runDiagnosisAgent } from './agent/diagnosis-agent.ts';
import { PlaybookReader } from './agent/playbooks.ts';
import { instantPrompt } from './agent/prompt.ts';
import { RunRecorder } from './audit/run-recorder.ts';
import type { DiagnosisParts, ReportFault } from './diagnosis-parts.ts';
import { ToolBoundary } from './evidence/tool-boundary.ts';
import { withinTimeout } from './evidence/tool-timeout.ts';
import { judgeLastWords } from './last-words.ts';
import { openRun } from './open-run.ts';
import { Deadline } from './run/deadline.ts';
import { RunBudget } from './run/run-budget.ts';
import { RunContext } from './run/run-context.ts';
import { endingOf, type RunEnding } from './run-ending.ts';
import { RunSignal } from './run-signal.ts';
import { settle } from './settlement.ts';

/** One delivery of a request. */
export interface Delivery {
  readonly event: unknown;
  /** Serves as the run id of a request that brings none. */
  readonly requestId: string;
  /** What the Lambda has left, in milliseconds; a terminal counts 900,000. */
  readonly remainingMs: number;
  /** A cancel from the same process, or null. */
  readonly cancel: AbortSignal | null;
}

/**
 * Diagnoses once: admit, open the run, one agent invocation, parse, guard, settle. Whatever happens
 * after the run exists is an outcome; whatever happens before is thrown.
 *
 * @throws HarnessError `INVALID_REQUEST`, `DEADLINE_TOO_SHORT`, `RUN_CONFLICT`, `RUN_IN_PROGRESS`,
 *   `RUN_EXPIRED`, `RECORD_UNAVAILABLE`
 */
export async function diagnose(
  parts: DiagnosisParts,
  delivery: Delivery,
): Promise<DiagnosisOutcome> {
  const { configuration, store, identity, clock } = parts;
  const now = clock.now();
  const { requestId, remainingMs } = delivery;
  const request = admitRequest(delivery.event, { requestId, now, limits: configuration.limits });
  const deadline = Deadline.open(now, remainingMs, request.limits.time_ms);
  const recordDays = configuration.retention.record_days;
  const opened = await openRun(request, deadline, { store, identity, recordDays, now });
  if (opened.kind === 'settled') return opened.outcome;
  using runSignal = new RunSignal({
    runId: request.runId,
    deadline,
    now,
    store,
    cancel: delivery.cancel,
    reportFault: parts.reportFault,
  });
  const run = new RunContext({
    runId: request.runId,
    sessionId: request.sessionId,
    fence: opened.fence,
    asOf: request.asOf,
    bindings: request.bindings,
    budget: new RunBudget(request.limits, configuration.model.max_tokens),
    deadline,
    clock,
    signal: runSignal.signal,
  });
  return await execute(parts, request, run); // awaited here: the signal lives as long as this block
}

async function execute(
  parts: DiagnosisParts,
  request: AdmittedRequest,
  run: RunContext,
): Promise<DiagnosisOutcome> {
  const { store, hook, reportFault } = parts;
  const recorder = new RunRecorder({ run, store, hook, reportFault });
  const redactor = createRedactor({
    query: request.query,
    previousTurn: JSON.stringify(request.previousTurn),
  });
  run.budget.recordUserMessage(utf8Length(request.userMessage));
  const ending = await endingOfRun(parts, request, { run, recorder, redactor });
  return settle({ store, reportFault, request, run, redactor, ending });
}

interface RunInHand {
  readonly run: RunContext;
  readonly recorder: RunRecorder;
  readonly redactor: Redactor;
}

async function endingOfRun(
  parts: DiagnosisParts,
  request: AdmittedRequest,
  { run, recorder, redactor }: RunInHand,
): Promise<RunEnding> {
  const { configuration, reportFault } = parts;
  const playbooks = new PlaybookReader(parts.playbooks);
  const boundary = new ToolBoundary({
    run,
    recorder,
    redactor,
    toolTimeoutMs: configuration.tool_timeout_ms,
    reportFault,
  });
  const {
    model_id: modelId,
    max_tokens: maxTokens,
    prompt_cache: promptCache,
  } = configuration.model;
  try {
    const lastWords = await runDiagnosisAgent(
      {
        run,
        recorder,
        boundary,
        toolset: parts.toolset,
        playbooks,
        client: parts.client,
        settings: { modelId, maxTokens, promptCache },
        prompt: {
          stable: parts.prompt,
          instant: instantPrompt(run.asOf, configuration.time_zone),
        },
      },
      request.userMessage,
    );
    return judgeLastWords(lastWords, {
      run,
      boundary,
      playbooks,
      requireQuotes: configuration.require_quotes,
    });
  } catch (error) {
    return await recordedEnding(error, { run, recorder, reportFault });
  } finally {
    await closeHeld(run, reportFault);
  }
}

/** What adapters held for the run gets this long to close; milliseconds, well inside the settling reserve. */
const CLOSING_MS = 4_000;

/** Closes what adapters held for the run; a connection that won't close changes no outcome. */
async function closeHeld({ atRunEnd }: RunContext, reportFault: ReportFault): Promise<void> {
  const { signal } = new AbortController();
  const closed = await withinTimeout(signal, CLOSING_MS, () => atRunEnd.disposeAsync());
  if (closed.kind === 'failed') reportFault({ name: nameOf(closed.cause) });
  if (closed.kind === 'timed_out') reportFault({ name: 'NOT_CLOSED_IN_TIME' });
}

/** The ending that an error means, with its stop in the audit. */
async function recordedEnding(
  error: unknown,
  {
    run,
    recorder,
    reportFault,
  }: Omit<RunInHand, 'redactor'> & { readonly reportFault: ReportFault },
): Promise<RunEnding> {
  const ending = endingOf(error);
  if (ending.kind !== 'stopped') {
    reportFault({ name: nameOf(error) });
    return ending;
  }
  try {
    const round = run.progress.round;
    await recorder.step({ kind: 'STOP', round, stop_reason: ending.reason, ends_run: true });
    return ending;
  } catch (unrecorded) {
    reportFault({ name: nameOf(unrecorded) });
    return endingOf(unrecorded);
  }
}
