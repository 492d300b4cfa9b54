import {
  type DiagnosisOutcome,
  DiagnosisOutcomeSchema,
} from '../../shared/contracts/diagnosis-outcome.ts';
import {
  type DiagnosisRequest,
  DiagnosisRequestSchema,
} from '../../shared/contracts/diagnosis-request.ts';
import type { RunId } from '../../shared/contracts/identifiers.ts';
import { canonicalJson } from '../../shared/kernel/canonical-json.ts';
import { HarnessError } from '../../shared/kernel/errors.ts';
import type { RunRecordAccess } from '../../shared/store/dynamodb-run-record.ts';
import type { WholeRecord } from './record-pages.ts';

type Readers = Omit<RunRecordAccess, 'requestCancel' | 'listRuns'>;

/**
 * Reads everything a reader may know of a run; null when there is none or it has expired.
 *
 * @throws HarnessError `STORE_FAILED`, or `RECORD_UNAVAILABLE` for what is damaged, missing or newer
 */
export async function readWholeRecord(
  record: Readers,
  { runId, now }: { readonly runId: RunId; readonly now: string },
  signal: AbortSignal,
): Promise<WholeRecord | null> {
  const run = await record.readRun(runId, now, signal);
  if (run === null) return null;
  const [request, outcome, steps, invocations] = await Promise.all([
    record.readRequest(runId, signal),
    run.status === 'RUNNING' ? null : record.readOutcome(runId, signal),
    record.readSteps(runId, signal),
    record.readInvocations(runId, signal),
  ]);
  return {
    run,
    request: toRequest(request),
    outcome: run.status === 'RUNNING' ? null : toOutcome(outcome),
    steps,
    invocations,
  };
}

function toRequest(text: string | null): DiagnosisRequest {
  const value = readable(DiagnosisRequestSchema, text);
  if (value === null || canonicalJson(value) !== text) throw unavailable('request');
  return value as DiagnosisRequest; // valid, and in the order of its own keys
}

function toOutcome(text: string | null): DiagnosisOutcome {
  const value = readable(DiagnosisOutcomeSchema, text);
  if (value === null || JSON.stringify(value) !== text) throw unavailable('outcome');
  return value as DiagnosisOutcome; // valid, and in the order of its own keys
}

interface Schema {
  safeParse(candidate: unknown): { readonly success: boolean };
}

/** The JSON as it was stored; a schema would put the keys in its own order. */
function readable(schema: Schema, text: string | null): unknown {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return schema.safeParse(value).success ? value : null;
  } catch {
    return null; // JSON.parse has no other way to say so
  }
}

function unavailable(what: string): HarnessError {
  return new HarnessError('RECORD_UNAVAILABLE', `the stored ${what} is missing or damaged`);
}
