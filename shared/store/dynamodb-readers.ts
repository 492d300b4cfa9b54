import { RunStatusSchema } from '../contracts/diagnosis-outcome.ts';
import { type RunId, RunIdSchema } from '../contracts/identifiers.ts';
import type { Invocation } from '../contracts/invocation.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import type { Step } from '../contracts/step.ts';
import { partitionOf, RECORD_ITEM, runIdOf, SESSION_INDEX } from '../contracts/table-layout.ts';
import { HarnessError } from '../kernel/errors.ts';
import { notExpiredAt } from './dynamodb-conditions.ts';
import { fromInvocationItem, fromRunItem, fromStepItem, fromTextItem } from './dynamodb-items.ts';
import { type DynamoDbTables, runAddress } from './dynamodb-tables.ts';
import { fromCursor, type RunQuery, type RunSummary, toPage } from './run-list.ts';
import type { Page } from './run-store.ts';
import { recordUnavailable } from './store-failure.ts';
import type { Candidate } from './stored-form.ts';

/** The run, unless it has expired; DynamoDB deletes expired items within days only. */
export async function readRun(
  tables: DynamoDbTables,
  { runId, nowMs }: { readonly runId: RunId; readonly nowMs: number },
  signal: AbortSignal,
): Promise<RunRecord | null> {
  const item = await tables.access.get('reading the run', runAddress(tables, runId), signal);
  if (item === null) return null;
  const record = fromRunItem(item);
  return Date.parse(record.expires_at) > nowMs ? record : null;
}

export async function isCancelRequested(
  tables: DynamoDbTables,
  runId: RunId,
  signal: AbortSignal,
): Promise<boolean> {
  const item = await tables.access.get('reading the run', runAddress(tables, runId), signal);
  return item?.['cancel_requested_at'] !== undefined;
}

/** The request or the outcome of a run that has not expired. */
export async function readText(
  tables: DynamoDbTables,
  { runId, sk }: { readonly runId: RunId; readonly sk: 'REQUEST' | 'OUTCOME' },
  signal: AbortSignal,
): Promise<string | null> {
  if ((await readRun(tables, { runId, nowMs: tables.now() }, signal)) === null) return null;
  const address = { TableName: tables.recordTable, Key: { pk: partitionOf(runId), sk } };
  const item = await tables.access.get('reading a text of the run', address, signal);
  return item === null ? null : fromTextItem(item);
}

export async function readSteps(
  tables: DynamoDbTables,
  runId: RunId,
  signal: AbortSignal,
): Promise<readonly Step[]> {
  const items = await readParts(tables, { runId, prefix: RECORD_ITEM.stepPrefix }, signal);
  return items.map(fromStepItem);
}

/** The invocations of a run, in the order of their calls; text order would put call-10 before call-2. */
export async function readInvocations(
  tables: DynamoDbTables,
  runId: RunId,
  signal: AbortSignal,
): Promise<readonly Invocation[]> {
  const items = await readParts(tables, { runId, prefix: RECORD_ITEM.callPrefix }, signal);
  return inCallOrder(items.map(fromInvocationItem));
}

/** The invocations in the order of their calls. */
export function inCallOrder(invocations: readonly Invocation[]): readonly Invocation[] {
  return invocations.toSorted((a, b) => ordinalOf(a) - ordinalOf(b));
}

/**
 * Runs of one session, newest first; the index follows the table within moments.
 *
 * @throws HarnessError `INVALID_REQUEST` without a session: that would take a scan of the table.
 */
export async function listRuns(
  tables: DynamoDbTables,
  { query, now }: { readonly query: RunQuery; readonly now: string },
  signal: AbortSignal,
): Promise<Page<RunSummary>> {
  const { sessionId, limit, from } = query;
  if (sessionId === null) {
    throw new HarnessError('INVALID_REQUEST', 'This record lists runs by session only.');
  }
  const position = fromCursor(from);
  const notExpired = notExpiredAt(Date.parse(now));
  const input = {
    TableName: tables.recordTable,
    IndexName: SESSION_INDEX.name,
    KeyConditionExpression: '#session_id = :session_id',
    FilterExpression: notExpired.expression,
    ExpressionAttributeNames: {
      '#session_id': SESSION_INDEX.partition,
      '#expires_at': 'expires_at',
    },
    ExpressionAttributeValues: { ':session_id': sessionId, ...notExpired.values },
    ScanIndexForward: false,
    Limit: limit + 1,
    ExclusiveStartKey: position === null ? undefined : startKey(sessionId, position),
  };
  const request = { input, atMost: limit + 1 };
  const items = await tables.access.query('listing the runs', request, signal);
  return toPage(items.map(toSummary), limit);
}

async function readParts(
  tables: DynamoDbTables,
  { runId, prefix }: { readonly runId: RunId; readonly prefix: string },
  signal: AbortSignal,
): Promise<Candidate[]> {
  if ((await readRun(tables, { runId, nowMs: tables.now() }, signal)) === null) return [];
  const input = {
    TableName: tables.recordTable,
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
    ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
    ExpressionAttributeValues: { ':pk': partitionOf(runId), ':prefix': prefix },
    ConsistentRead: true,
  };
  return tables.access.query('reading the parts of the run', { input }, signal);
}

function ordinalOf({ tool_call_id }: Invocation): number {
  return Number(tool_call_id.slice('call-'.length));
}

function startKey(
  sessionId: string,
  { createdAt, runId }: Pick<RunSummary, 'createdAt' | 'runId'>,
) {
  return {
    [SESSION_INDEX.partition]: sessionId,
    [SESSION_INDEX.sort]: createdAt,
    pk: partitionOf(runId),
    sk: RECORD_ITEM.run,
  };
}

function toSummary(item: Candidate): RunSummary {
  const runId = RunIdSchema.safeParse(runIdOf(String(item['pk'])));
  const status = RunStatusSchema.safeParse(item['status']);
  if (!runId.success || !status.success) throw recordUnavailable('a listed run is damaged');
  return { runId: runId.data, status: status.data, createdAt: String(item['created_at']) };
}
