import type { RunId } from '../contracts/identifiers.ts';
import type { Step } from '../contracts/step.ts';
import type { RunKey, WriteResult } from './run-store.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { OWNED, ownerOf, writeResult } from './sqlite-runs.ts';
import { readJson, readStep } from './stored-form.ts';

export function appendStep(database: SqliteDatabase, key: RunKey, step: Step): WriteResult {
  const { run_id: runId, detail, ...members } = step;
  if (runId !== key.runId) return { kind: 'lost' };
  return writeResult(
    database.change(
      `INSERT INTO step (run_id, sequence, schema_version, session_id, at, detail)
       SELECT run_id, :sequence, :schema_version, :session_id, :at, :detail FROM run WHERE ${OWNED}
       ON CONFLICT DO NOTHING`,
      { ...ownerOf(key), ...members, detail: JSON.stringify(detail) },
    ),
  );
}

/** The steps of a run that has not expired, in their order. */
export function readSteps(database: SqliteDatabase, runId: RunId, now: string): readonly Step[] {
  const rows = database.all(
    `SELECT step.* FROM step JOIN run USING (run_id)
     WHERE run_id = :run_id AND run.expires_at > :now ORDER BY sequence`,
    { run_id: runId, now },
  );
  return rows.map(toStep);
}

/** The steps of a run, expired or not, in their order. */
export function stepsOf(database: SqliteDatabase, runId: string): readonly Step[] {
  const rows = database.all('SELECT * FROM step WHERE run_id = :run_id ORDER BY sequence', {
    run_id: runId,
  });
  return rows.map(toStep);
}

function toStep({ detail, ...members }: Row): Step {
  return readStep({ ...members, detail: readJson(detail) });
}
