import type { RunId, ToolCallId } from '../contracts/identifiers.ts';
import type { Invocation } from '../contracts/invocation.ts';
import type {
  ErrorSettlement,
  RawResult,
  ReadySettlement,
  RunKey,
  WriteResult,
} from './run-store.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { OWNED, ownerOf, writeResult } from './sqlite-runs.ts';
import { readInvocation, readJson } from './stored-form.ts';

/** One invocation and on whose behalf it moves. */
export interface InvocationKey {
  readonly key: RunKey;
  readonly toolCallId: ToolCallId;
}

export function openInvocation(
  database: SqliteDatabase,
  key: RunKey,
  invocation: Extract<Invocation, { status: 'OPEN' }>,
): WriteResult {
  const { run_id: runId, fence, ...members } = invocation;
  if (runId !== key.runId || fence !== key.fence) return { kind: 'lost' };
  return writeResult(
    database.change(
      `INSERT INTO invocation (run_id, tool_call_id, schema_version, tool_name, fence, input, opened_at, status)
       SELECT run_id, :tool_call_id, :schema_version, :tool_name, fence, :input, :opened_at, :status
       FROM run WHERE ${OWNED}
       ON CONFLICT DO NOTHING`,
      { ...ownerOf(key), ...members },
    ),
  );
}

export function startProjection(
  database: SqliteDatabase,
  invocation: InvocationKey,
  { raw, expiresAt }: { readonly raw: RawResult; readonly expiresAt: string },
): WriteResult {
  return database.atomically(() => {
    const changed = database.change(
      `UPDATE invocation SET status = 'PROJECTING', raw = :raw WHERE ${OWN_INVOCATION} AND ${IS_OPEN}`,
      { ...valuesOf(invocation), raw: JSON.stringify(raw.reference) },
    );
    if (changed > 0) keepChunks(database, invocation, { chunks: raw.chunks, expiresAt });
    return writeResult(changed);
  });
}

export function settleReady(
  database: SqliteDatabase,
  invocation: InvocationKey,
  settlement: ReadySettlement,
): WriteResult {
  return writeResult(
    database.change(
      `UPDATE invocation SET status = 'READY', evidence_status = :evidence_status,
         observation = :observation, observation_sha256 = :observation_sha256,
         truncated = :truncated, executed = :executed, settled_at = :settled_at
       WHERE ${OWN_INVOCATION} AND ${IS_PROJECTING}`,
      {
        ...valuesOf(invocation),
        evidence_status: settlement.evidenceStatus,
        observation: settlement.observation,
        observation_sha256: settlement.observationSha256,
        truncated: settlement.truncated ? 1 : 0,
        executed: JSON.stringify(settlement.executed),
        settled_at: settlement.settledAt,
      },
    ),
  );
}

export function settleError(
  database: SqliteDatabase,
  invocation: InvocationKey,
  { errorCode, settledAt }: ErrorSettlement,
): WriteResult {
  return writeResult(
    database.change(
      `UPDATE invocation SET status = 'ERROR', error_code = :error_code, settled_at = :settled_at
       WHERE ${OWN_INVOCATION} AND (${IS_OPEN} OR ${IS_PROJECTING})`,
      { ...valuesOf(invocation), error_code: errorCode, settled_at: settledAt },
    ),
  );
}

/** The invocations of a run that has not expired, in the order of their calls. */
export function readInvocations(
  database: SqliteDatabase,
  runId: RunId,
  now: string,
): readonly Invocation[] {
  const rows = database.all(
    `SELECT invocation.* FROM invocation JOIN run USING (run_id)
     WHERE run_id = :run_id AND run.expires_at > :now
     ORDER BY ${CALL_ORDER}`,
    { run_id: runId, now },
  );
  return rows.map(toInvocation);
}

/** The invocations of a run, expired or not, in the order of their calls. */
export function invocationsOf(database: SqliteDatabase, runId: string): readonly Invocation[] {
  const rows = database.all(
    `SELECT * FROM invocation WHERE run_id = :run_id ORDER BY ${CALL_ORDER}`,
    { run_id: runId },
  );
  return rows.map(toInvocation);
}

const CALL_ORDER = "CAST(substr(tool_call_id, length('call-') + 1) AS INTEGER)";

// The conditions of docs/records.md, as SQL over the invocation.
const OWN_INVOCATION = 'run_id = :run_id AND tool_call_id = :tool_call_id AND fence = :fence';
const IS_OPEN = "status = 'OPEN'";
const IS_PROJECTING = "status = 'PROJECTING'";

function valuesOf({ key, toolCallId }: InvocationKey) {
  return { ...ownerOf(key), tool_call_id: toolCallId };
}

function keepChunks(
  database: SqliteDatabase,
  { key, toolCallId }: InvocationKey,
  { chunks, expiresAt }: { readonly chunks: RawResult['chunks']; readonly expiresAt: string },
): void {
  for (const [index, bytes] of chunks.entries()) {
    database.change(
      `INSERT INTO raw_chunk (run_id, tool_call_id, part, bytes, expires_at)
       VALUES (:run_id, :tool_call_id, :part, :bytes, :expires_at)`,
      {
        run_id: key.runId,
        tool_call_id: toolCallId,
        part: index + 1,
        bytes,
        expires_at: expiresAt,
      },
    );
  }
}

function toInvocation({ raw, executed, truncated, ...members }: Row): Invocation {
  return readInvocation({
    ...members,
    raw: raw === null ? null : readJson(raw),
    executed: executed === null ? null : readJson(executed),
    truncated: truncated === 1,
  });
}
