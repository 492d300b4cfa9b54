import type { RunId } from '../../shared/contracts/identifiers.ts';
import { type RecordAnswer, RecordRequestSchema } from '../../shared/contracts/record-page.ts';
import { type Clock, toInstant } from '../../shared/kernel/clock.ts';
import { HarnessError, hasCode } from '../../shared/kernel/errors.ts';
import type { RunRecordAccess } from '../../shared/store/dynamodb-run-record.ts';
import { FIRST_PAGE, fromPageCursor } from './page-cursor.ts';
import { recordPage } from './record-pages.ts';
import { readWholeRecord } from './whole-record.ts';

/** What answering a reader works with. */
export interface RunRecordParts {
  readonly record: Omit<RunRecordAccess, 'requestCancel'>;
  readonly clock: Clock;
}

/**
 * Answers a reader: a page of one run's record, or a page of the runs of a session.
 *
 * @throws HarnessError `INVALID_REQUEST`, or `RECORD_UNAVAILABLE` for what a newer version wrote, what
 *   is damaged, and a record that does not answer
 */
export async function answerReader(
  parts: RunRecordParts,
  event: unknown,
  signal: AbortSignal,
): Promise<RecordAnswer> {
  const parsed = RecordRequestSchema.safeParse(event);
  if (!parsed.success) {
    throw new HarnessError(
      'INVALID_REQUEST',
      'invalid request: it takes run_id and cursor, or session_id, limit and cursor',
    );
  }
  try {
    return 'run_id' in parsed.data
      ? await pageOfRun(parts, parsed.data.run_id, parsed.data.cursor, signal)
      : await runsOfSession(parts, parsed.data, signal);
  } catch (error) {
    if (!hasCode(error, 'STORE_FAILED')) throw error;
    throw new HarnessError('RECORD_UNAVAILABLE', 'the record of runs does not answer', {
      cause: error,
    });
  }
}

async function pageOfRun(
  { record, clock }: RunRecordParts,
  runId: RunId,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<RecordAnswer> {
  const from = cursor === undefined ? FIRST_PAGE : fromPageCursor(runId, cursor);
  const whole = await readWholeRecord(record, { runId, now: toInstant(clock.now()) }, signal);
  if (whole === null) return { schema_version: 1, kind: 'UNKNOWN_RUN', run_id: runId };
  return recordPage(whole, from);
}

type SessionRequest = Exclude<
  ReturnType<typeof RecordRequestSchema.parse>,
  { readonly run_id: RunId }
>;

async function runsOfSession(
  { record, clock }: RunRecordParts,
  { session_id, limit, cursor }: SessionRequest,
  signal: AbortSignal,
): Promise<RecordAnswer> {
  const query = { sessionId: session_id, limit, from: cursor ?? null };
  const { items, next } = await record.listRuns(query, toInstant(clock.now()), signal);
  const runs = items.map(({ runId, status, createdAt }) => ({
    run_id: runId,
    status,
    created_at: createdAt,
  }));
  return { schema_version: 1, kind: 'RUN_LIST', session_id, runs, next };
}
