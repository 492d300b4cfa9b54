import type { RunId } from '../contracts/identifiers.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import type {
  CancelResult,
  CreateRunResult,
  GateResult,
  NewRun,
  RunKey,
  WriteResult,
} from './run-store.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { recordUnavailable } from './store-failure.ts';
import { inOneForm, inStoredForm, readJson, readRunRecord } from './stored-form.ts';

// The conditions of docs/records.md, as SQL over the run.
export const IS_RUNNING = "run_id = :run_id AND status = 'RUNNING'";
const NOT_CANCELLED = 'cancel_requested_at IS NULL';
const ROUND_IS_NOT_PAST = 'rounds <= :round';
const LEASE_HOLDS = 'lease_expires_at >= :now';
const NOT_EXPIRED = 'expires_at > :now';

/** The run is RUNNING under the writer's fence. */
export const OWNED = `${IS_RUNNING} AND fence = :fence`;

/** The values of {@link OWNED}. */
export function ownerOf({ runId, fence }: RunKey): { run_id: string; fence: string } {
  return { run_id: runId, fence };
}

/** Says whether a conditional write changed its row. */
export function writeResult(changedRows: number): WriteResult {
  return { kind: changedRows > 0 ? 'written' : 'lost' };
}

export function createRun(database: SqliteDatabase, { record, request }: NewRun): CreateRunResult {
  const { identity, ...members } = inStoredForm(record);
  const changed = database.change(
    `INSERT INTO run (run_id, schema_version, session_id, request_sha256, status, fence, rounds,
       created_at, lease_expires_at, finished_at, cancel_requested_at, expires_at, identity,
       seal_sha256, request)
     VALUES (:run_id, :schema_version, :session_id, :request_sha256, :status, :fence, :rounds,
       :created_at, :lease_expires_at, :finished_at, :cancel_requested_at, :expires_at, :identity,
       :seal_sha256, :request)
     ON CONFLICT DO NOTHING`,
    { ...members, identity: JSON.stringify(identity), request },
  );
  if (changed > 0) return { kind: 'created' };

  const row = database.first('SELECT * FROM run WHERE run_id = :run_id', { run_id: record.run_id });
  if (row === null) throw recordUnavailable('the run vanished while it was looked at');
  return { kind: 'exists', record: toRunRecord(row), outcome: textOrNull(row['outcome']) };
}

export function enterRound(database: SqliteDatabase, key: RunKey, round: number): GateResult {
  return database.atomically(() => {
    const changed = database.change(
      `UPDATE run SET rounds = :round WHERE ${OWNED} AND ${NOT_CANCELLED} AND ${ROUND_IS_NOT_PAST}`,
      { ...ownerOf(key), round },
    );
    if (changed > 0) return { kind: 'open' };
    const owned = database.first(
      `SELECT cancel_requested_at FROM run WHERE ${OWNED}`,
      ownerOf(key),
    );
    const isCancelled = owned !== null && owned['cancel_requested_at'] !== null;
    return { kind: isCancelled ? 'cancel_requested' : 'lost' };
  });
}

export function requestCancel(database: SqliteDatabase, runId: RunId, at: string): CancelResult {
  return database.atomically(() => {
    const run = { run_id: runId, now: inOneForm(at) };
    const changed = database.change(
      `UPDATE run SET cancel_requested_at = COALESCE(cancel_requested_at, :now)
       WHERE ${IS_RUNNING} AND ${LEASE_HOLDS} AND ${NOT_EXPIRED}`,
      run,
    );
    if (changed > 0) return { kind: 'requested' };
    return { kind: visibleRun(database, '1', run) === null ? 'unknown' : 'finished' };
  });
}

export function isCancelRequested(database: SqliteDatabase, runId: RunId): boolean {
  const row = database.first('SELECT cancel_requested_at FROM run WHERE run_id = :run_id', {
    run_id: runId,
  });
  return row !== null && row['cancel_requested_at'] !== null;
}

export function readRun(database: SqliteDatabase, runId: RunId, now: string): RunRecord | null {
  const row = visibleRun(database, '*', { run_id: runId, now: inOneForm(now) });
  return row === null ? null : toRunRecord(row);
}

/** The request or the outcome of a run that has not expired. */
export function readText(
  database: SqliteDatabase,
  column: 'request' | 'outcome',
  { runId, now }: { readonly runId: RunId; readonly now: string },
): string | null {
  const row = visibleRun(database, column, { run_id: runId, now });
  return row === null ? null : textOrNull(row[column]);
}

function visibleRun(
  database: SqliteDatabase,
  columns: '1' | '*' | 'request' | 'outcome',
  run: { readonly run_id: string; readonly now: string },
): Row | null {
  return database.first(`SELECT ${columns} FROM run WHERE run_id = :run_id AND ${NOT_EXPIRED}`, {
    ...run,
  });
}

/** The run of a row of its table. */
export function toRunRecord({
  identity,
  request: _request,
  outcome: _outcome,
  ...members
}: Row): RunRecord {
  return readRunRecord({ ...members, identity: readJson(identity) });
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
