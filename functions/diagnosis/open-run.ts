import { randomUUID } from 'node:crypto';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import type { RunIdentity, RunRecord } from '../../shared/contracts/run-record.ts';
import { toInstant } from '../../shared/kernel/clock.ts';
import { HarnessError, hasCode } from '../../shared/kernel/errors.ts';
import type { CreateRunResult, RunStore } from '../../shared/store/run-store.ts';
import { settleAbandonedRun } from './abandoned-run.ts';
import type { AdmittedRequest } from './admission.ts';
import type { Deadline } from './run/deadline.ts';

/** What opening a run works with. */
export interface OpeningParts {
  readonly store: RunStore;
  readonly identity: RunIdentity;
  /** Days until the record expires. */
  readonly recordDays: number;
  readonly now: number;
}

/** Either the run is ours to execute, or its outcome is there already. */
export type OpenedRun =
  | { readonly kind: 'opened'; readonly fence: string }
  | { readonly kind: 'settled'; readonly outcome: DiagnosisOutcome };

/** A process may outlive its deadline by clock skew before its run counts as abandoned; milliseconds. */
const LEASE_SKEW_MS = 15_000;
const DAY_MS = 86_400_000;

/**
 * Takes the run id, or tells what became of the run that has it. Nothing is executed twice under
 * one id.
 *
 * @throws HarnessError `RUN_CONFLICT`, `RUN_IN_PROGRESS`, `RUN_EXPIRED`, or `RECORD_UNAVAILABLE` when
 *   the record does not answer
 */
export async function openRun(
  request: AdmittedRequest,
  deadline: Deadline,
  parts: OpeningParts,
): Promise<OpenedRun> {
  const fence = randomUUID();
  const signal = AbortSignal.timeout(deadline.untilSettled(parts.now));
  try {
    const created = await parts.store.createRun(
      { record: newRecord(request, deadline, { ...parts, fence }), request: request.canonical },
      signal,
    );
    return created.kind === 'created'
      ? { kind: 'opened', fence }
      : { kind: 'settled', outcome: await outcomeOf(created, request, { ...parts, signal }) };
  } catch (error) {
    if (!hasCode(error, 'STORE_FAILED')) throw error;
    throw new HarnessError('RECORD_UNAVAILABLE', 'the record of runs does not answer', {
      cause: error,
    });
  }
}

function newRecord(
  request: AdmittedRequest,
  deadline: Deadline,
  { fence, identity, recordDays, now }: OpeningParts & { readonly fence: string },
): RunRecord {
  return {
    schema_version: 1,
    run_id: request.runId,
    session_id: request.sessionId,
    request_sha256: request.sha256,
    status: 'RUNNING',
    fence,
    rounds: 0,
    created_at: toInstant(now),
    lease_expires_at: toInstant(deadline.settleBy + LEASE_SKEW_MS),
    finished_at: null,
    cancel_requested_at: null,
    expires_at: toInstant(now + recordDays * DAY_MS),
    seal_sha256: null,
    identity,
  };
}

async function outcomeOf(
  { record, outcome }: Extract<CreateRunResult, { kind: 'exists' }>,
  request: AdmittedRequest,
  { store, now, signal }: OpeningParts & { readonly signal: AbortSignal },
): Promise<DiagnosisOutcome> {
  const runId = request.runId;
  if (Date.parse(record.expires_at) <= now) {
    throw new HarnessError('RUN_EXPIRED', `run ${runId} has expired; use a new run_id`);
  }
  if (record.request_sha256 !== request.sha256) {
    throw new HarnessError('RUN_CONFLICT', `run ${runId} was opened with another request`);
  }
  if (record.status !== 'RUNNING') return storedOutcome(runId, outcome);
  if (Date.parse(record.lease_expires_at) >= now) {
    throw new HarnessError(
      'RUN_IN_PROGRESS',
      `run ${runId} is in progress until ${record.lease_expires_at} at the latest`,
    );
  }
  const settled = await settleAbandonedRun(record, request, { store, now, signal });
  return storedOutcome(runId, settled);
}

function storedOutcome(runId: string, outcome: string | null): DiagnosisOutcome {
  if (outcome === null) {
    throw new HarnessError(
      'RECORD_UNAVAILABLE',
      `run ${runId} is settled, but its outcome is missing`,
    );
  }
  return JSON.parse(outcome) as DiagnosisOutcome; // written by us, and returned as it was written
}
