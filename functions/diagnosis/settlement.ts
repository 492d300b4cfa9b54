import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { toInstant } from '../../shared/kernel/clock.ts';
import { nameOf } from '../../shared/kernel/errors.ts';
import type { Redactor } from '../../shared/redaction/redactor.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import type { AdmittedRequest } from './admission.ts';
import type { ReportFault } from './diagnosis-parts.ts';
import type { RunContext } from './run/run-context.ts';
import { StoreFailedError } from './run/stop.ts';
import { type RunEnding, toFailure, toOutcome } from './run-ending.ts';

/** A run that has ended and is not settled yet. */
export interface Settling {
  readonly store: RunStore;
  readonly reportFault: ReportFault;
  readonly request: AdmittedRequest;
  readonly run: RunContext;
  readonly redactor: Redactor;
  readonly ending: RunEnding;
}

/** Settles the run by one conditional write; what can't be confirmed is published without a draft. */
export async function settle({
  store,
  reportFault,
  request,
  run,
  redactor,
  ending,
}: Settling): Promise<DiagnosisOutcome> {
  const outcome = outcomeOf(request, run, ending);
  try {
    await writeSettlement(store, run, { outcome, legend: redactor.legend() });
    return outcome;
  } catch (error) {
    reportFault({ name: nameOf(error) });
    const detail = error instanceof StoreFailedError ? error.detail : 'RECORD_WRITE_FAILED';
    return outcomeOf(request, run, { kind: 'failed', failure: toFailure('STORE_FAILED', detail) });
  }
}

async function writeSettlement(
  store: RunStore,
  { runId, fence, clock, deadline }: RunContext,
  {
    outcome,
    legend,
  }: { readonly outcome: DiagnosisOutcome; readonly legend: ReturnType<Redactor['legend']> },
): Promise<void> {
  const key = { runId, fence };
  const signal = AbortSignal.timeout(deadline.untilSettled(clock.now()));
  if (legend.length > 0) {
    const kept = await store.keepLegend(key, JSON.stringify(legend), signal);
    if (kept.kind === 'lost') throw new StoreFailedError('RECORD_WRITE_LOST');
  }
  const settled = await store.settleRun(
    key,
    {
      status: outcome.status,
      outcome: JSON.stringify(outcome),
      finishedAt: toInstant(clock.now()),
    },
    signal,
  );
  if (settled.kind === 'lost') throw new StoreFailedError('RECORD_WRITE_LOST');
}

function outcomeOf(request: AdmittedRequest, run: RunContext, ending: RunEnding): DiagnosisOutcome {
  const finishedAt = Math.max(run.deadline.startedAt, run.clock.now()); // a clock may be put back
  return toOutcome(
    {
      runId: run.runId,
      sessionId: run.sessionId,
      query: request.query,
      asOf: run.asOf,
      startedAt: run.deadline.startedAt,
      finishedAt,
      stopReason: run.progress.stopReason,
      progress: run.checks.snapshot(),
      usage: run.budget.usage(Math.round(finishedAt - run.deadline.startedAt)),
    },
    ending,
  );
}
