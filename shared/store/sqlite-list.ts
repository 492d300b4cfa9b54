import { RunStatusSchema } from '../contracts/diagnosis-outcome.ts';
import { RunIdSchema } from '../contracts/identifiers.ts';
import { fromCursor, type RunQuery, type RunSummary, toPage } from './run-list.ts';
import type { Page } from './run-store.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { recordUnavailable } from './store-failure.ts';
import { inOneForm } from './stored-form.ts';

/** Runs of a session or of the whole file, newest first. */
export function listRuns(
  database: SqliteDatabase,
  { sessionId, limit, from }: RunQuery,
  now: string,
): Page<RunSummary> {
  const position = fromCursor(from);
  const rows = database.all(
    `SELECT run_id, status, created_at FROM run
     WHERE (:session_id IS NULL OR session_id = :session_id) AND expires_at > :now
       AND (:created_at IS NULL OR (created_at, run_id) < (:created_at, :run_id))
     ORDER BY created_at DESC, run_id DESC LIMIT :count`,
    {
      session_id: sessionId,
      now: inOneForm(now),
      created_at: position?.createdAt ?? null,
      run_id: position?.runId ?? null,
      count: limit + 1,
    },
  );
  return toPage(rows.map(toSummary), limit);
}

function toSummary(row: Row): RunSummary {
  const runId = RunIdSchema.safeParse(row['run_id']);
  const status = RunStatusSchema.safeParse(row['status']);
  if (!runId.success || !status.success) throw recordUnavailable('a listed run is damaged');
  return { runId: runId.data, status: status.data, createdAt: String(row['created_at']) };
}
