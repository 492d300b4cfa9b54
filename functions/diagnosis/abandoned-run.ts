import type { Usage } from '../../shared/contracts/diagnosis-outcome.ts';
import type { Evaluation } from '../../shared/contracts/envelope.ts';
import type { Invocation } from '../../shared/contracts/invocation.ts';
import {
  type Check,
  FACT_CAPS,
  type ProgressSnapshot,
} from '../../shared/contracts/progress-snapshot.ts';
import type { RunRecord } from '../../shared/contracts/run-record.ts';
import type { Step } from '../../shared/contracts/step.ts';
import { toInstant } from '../../shared/kernel/clock.ts';
import { utf8Length } from '../../shared/kernel/utf8.ts';
import type { RunKey, RunStore } from '../../shared/store/run-store.ts';
import type { AdmittedRequest } from './admission.ts';
import { quotableStrings } from './draft/quotable-strings.ts';
import { toFailure, toOutcome } from './run-ending.ts';

/** What settling another process's run works with. */
export interface AbandonmentParts {
  readonly store: RunStore;
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * Settles a run whose process is gone: its open invocations as errors, the run itself as
 * `RUN_ABANDONED` with what the record holds of its progress. Returns the stored outcome, which is
 * another's when somebody else settled it first.
 */
export async function settleAbandonedRun(
  record: RunRecord,
  request: AdmittedRequest,
  { store, now, signal }: AbandonmentParts,
): Promise<string | null> {
  const key: RunKey = { runId: record.run_id, fence: record.fence };
  const invocations = await store.readInvocations(record.run_id, signal);
  const steps = await store.readSteps(record.run_id, signal);
  await abandonOpenInvocations(key, invocations, { store, now, signal });
  const outcome = toOutcome(
    {
      runId: record.run_id,
      sessionId: record.session_id,
      query: request.query,
      asOf: request.asOf,
      startedAt: Date.parse(record.created_at),
      finishedAt: now,
      stopReason: steps.find(isStop)?.detail.stop_reason ?? null,
      progress: rebuiltProgress(invocations, steps),
      usage: rebuiltUsage(record, request, { invocations, steps, now }),
    },
    { kind: 'failed', failure: toFailure('RUN_ABANDONED', 'LEASE_EXPIRED') },
  );
  const settlement = {
    status: 'FAILED',
    outcome: JSON.stringify(outcome),
    finishedAt: toInstant(now),
  } as const;
  const written = await store.settleAbandoned(key, settlement, toInstant(now), signal);
  if (written.kind === 'written') return settlement.outcome;
  return store.readOutcome(record.run_id, signal);
}

async function abandonOpenInvocations(
  key: RunKey,
  invocations: readonly Invocation[],
  { store, now, signal }: AbandonmentParts,
): Promise<void> {
  for (const { status, tool_call_id } of invocations) {
    if (status === 'READY' || status === 'ERROR') continue;
    // A lost write means that somebody else has just settled it, which is all we want.
    await store.settleError(
      key,
      tool_call_id,
      { errorCode: 'ABANDONED', settledAt: toInstant(now) },
      signal,
    );
  }
}

function rebuiltProgress(
  invocations: readonly Invocation[],
  steps: readonly Step[],
): ProgressSnapshot | null {
  const evaluations = new Map<string, Evaluation>(
    steps.flatMap(({ detail }) =>
      detail.kind === 'EVALUATION' ? [[detail.tool_call_id, detail.evaluation] as const] : [],
    ),
  );
  const checks = invocations.flatMap((invocation) =>
    invocation.status === 'READY' ? [rebuiltCheck(invocation, evaluations)] : [],
  );
  return checks.length === 0 ? null : { checks };
}

function rebuiltCheck(
  invocation: Extract<Invocation, { status: 'READY' }>,
  evaluations: ReadonlyMap<string, Evaluation>,
): Check {
  const observation = JSON.parse(invocation.observation) as Pick<Check, 'scope'>; // our own bytes
  const facts = quotableStrings(observation)
    .map(({ text }) => text)
    .filter((text) => utf8Length(text) <= FACT_CAPS.factBytes)
    .slice(0, FACT_CAPS.facts);
  return {
    tool_call_id: invocation.tool_call_id,
    tool_name: invocation.tool_name,
    scope: observation.scope,
    evidence_status: invocation.evidence_status,
    evaluation: evaluations.get(invocation.tool_call_id) ?? null,
    facts,
  };
}

function rebuiltUsage(
  record: RunRecord,
  request: AdmittedRequest,
  {
    invocations,
    steps,
    now,
  }: {
    readonly invocations: readonly Invocation[];
    readonly steps: readonly Step[];
    readonly now: number;
  },
): Usage {
  const rounds = steps.flatMap(({ detail }) => (detail.kind === 'ROUND' ? [detail.usage] : []));
  const sum = (
    field: 'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens',
  ) => rounds.reduce((total, usage) => total + (usage?.[field] ?? 0), 0);
  const shown = steps.reduce(
    (total, { detail }) => total + (detail.kind === 'TOOL_CALL' ? detail.observation_bytes : 0),
    0,
  );
  return {
    model_calls: record.rounds,
    tool_calls: invocations.length,
    bytes: utf8Length(request.userMessage) + shown,
    time_ms: Math.max(0, now - Date.parse(record.created_at)),
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cache_read_tokens: sum('cache_read_tokens'),
    cache_write_tokens: sum('cache_write_tokens'),
    rounds_without_usage: record.rounds - rounds.filter((usage) => usage !== null).length,
    limits: request.limits,
  };
}

function isStop(step: Step): step is Step & { detail: Extract<Step['detail'], { kind: 'STOP' }> } {
  return step.detail.kind === 'STOP';
}
