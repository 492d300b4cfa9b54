import { existsSync } from 'node:fs';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { type RunId, RunIdSchema } from '../../shared/contracts/identifiers.ts';
import { systemClock, toInstant } from '../../shared/kernel/clock.ts';
import { HarnessError } from '../../shared/kernel/errors.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import { createSqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import { recordFile } from './composition.ts';

/** A reader of the local record must not wait; milliseconds. */
const READ_TIMEOUT_MS = 5_000;
/** Newest runs that a list shows. */
const LISTED_RUNS = 50;

/** One line a run, newest first. */
export async function listKeptRuns(dataFolder: string): Promise<string> {
  const store = openRecord(dataFolder);
  if (store === null) return `no runs are kept in ${dataFolder}\n`;
  const { items } = await store.listRuns(
    { sessionId: null, limit: LISTED_RUNS, from: null },
    toInstant(systemClock.now()),
    AbortSignal.timeout(READ_TIMEOUT_MS),
  );
  if (items.length === 0) return `no runs are kept in ${dataFolder}\n`;
  return items
    .map(({ runId, status, createdAt }) => `${createdAt}  ${status.padEnd(9)}  ${runId}\n`)
    .join('');
}

/**
 * The stored outcome of a run.
 *
 * @throws HarnessError `USAGE` when there is no such run, or none that is finished
 */
export async function readKeptOutcome(
  dataFolder: string,
  runId: string,
): Promise<DiagnosisOutcome> {
  const id = toRunId(runId);
  const store = openRecord(dataFolder);
  const outcome = await store?.readOutcome(id, AbortSignal.timeout(READ_TIMEOUT_MS));
  if (outcome === undefined || outcome === null) {
    throw new HarnessError(
      'USAGE',
      `no finished run ${runId} is kept in ${dataFolder}; "runs" lists them`,
    );
  }
  return JSON.parse(outcome) as DiagnosisOutcome; // written by this program
}

function openRecord(dataFolder: string): RunStore | null {
  const file = recordFile(dataFolder);
  return existsSync(file) ? createSqliteRunStore({ file }) : null;
}

function toRunId(text: string): RunId {
  const parsed = RunIdSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new HarnessError('USAGE', 'a run id is 1 to 128 of A-Z a-z 0-9 . _ -');
}
