import type { RunId } from '../contracts/identifiers.ts';
import { asSettled, sealOrNull } from './record-seal.ts';
import type { RunKey, RunSettlement, WriteResult } from './run-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { invocationsOf } from './sqlite-invocations.ts';
import { IS_RUNNING, OWNED, ownerOf, toRunRecord, writeResult } from './sqlite-runs.ts';
import { stepsOf } from './sqlite-steps.ts';
import { inOneForm } from './stored-form.ts';

const LEASE_IS_OVER = 'lease_expires_at < :now';

/** Settles the writer's own run. */
export function settleRun(
  database: SqliteDatabase,
  key: RunKey,
  settlement: RunSettlement,
): WriteResult {
  return settle(database, { where: OWNED, values: ownerOf(key) }, settlement);
}

/** Settles a run that nobody executes any more. */
export function settleAbandoned(
  database: SqliteDatabase,
  runId: RunId,
  { settlement, now }: { readonly settlement: RunSettlement; readonly now: string },
): WriteResult {
  const values = { run_id: runId, now: inOneForm(now) };
  return settle(database, { where: `${IS_RUNNING} AND ${LEASE_IS_OVER}`, values }, settlement);
}

interface Condition {
  readonly where: string;
  readonly values: { readonly run_id: string; readonly fence?: string; readonly now?: string };
}

/** One transaction: what is sealed is what the record holds when it is settled. */
function settle(
  database: SqliteDatabase,
  { where, values }: Condition,
  settlement: RunSettlement,
): WriteResult {
  const { status, outcome, finishedAt } = settlement;
  return database.atomically(() => {
    const run = database.first(`SELECT * FROM run WHERE ${where}`, { ...values });
    if (run === null) return { kind: 'lost' };
    const seal = sealOrNull(() => ({
      run: asSettled(toRunRecord(run), settlement),
      outcome,
      steps: stepsOf(database, values.run_id),
      invocations: invocationsOf(database, values.run_id),
    }));
    const changed = database.change(
      `UPDATE run SET status = :status, outcome = :outcome, finished_at = :finished_at,
         seal_sha256 = :seal_sha256
       WHERE run_id = :run_id`,
      { run_id: values.run_id, status, outcome, finished_at: finishedAt, seal_sha256: seal },
    );
    return writeResult(changed);
  });
}
