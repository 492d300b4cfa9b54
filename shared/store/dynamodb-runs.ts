import type { RunId } from '../contracts/identifiers.ts';
import { partitionOf, RECORD_ITEM } from '../contracts/table-layout.ts';
import {
  type ConditionalWrite,
  type FoundItem,
  foundNumber,
  foundText,
} from './dynamodb-access.ts';
import {
  fenceIs,
  ITEM_IS_ABSENT,
  leaseHoldsAt,
  NO_CANCEL_REQUESTED,
  notExpiredAt,
  onlyWhen,
  RUN_IS_RUNNING,
  roundIsNotPast,
  setOnlyWhen,
} from './dynamodb-conditions.ts';
import { fromRunItem, fromTextItem, toRunItem, toTextItem } from './dynamodb-items.ts';
import { type DynamoDbTables, recordStamp, runAddress } from './dynamodb-tables.ts';
import type {
  CancelResult,
  CreateRunResult,
  GateResult,
  NewRun,
  RunKey,
  WriteResult,
} from './run-store.ts';
import { recordUnavailable } from './store-failure.ts';
import { inOneForm } from './stored-form.ts';

/** Asks for the item that a condition failed on; it costs nothing. */
export const TELL_WHO_WON = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

export function writeResult({ kind }: ConditionalWrite): WriteResult {
  return { kind: kind === 'written' ? 'written' : 'lost' };
}

/** Puts the run and its request in one transaction. */
export async function createRun(
  tables: DynamoDbTables,
  { record, request }: NewRun,
  signal: AbortSignal,
): Promise<CreateRunResult> {
  const stamp = recordStamp(tables);
  const TableName = tables.recordTable;
  const requestKey = { pk: partitionOf(record.run_id), sk: RECORD_ITEM.request };
  const items = [
    {
      Put: {
        TableName,
        Item: toRunItem(record, stamp.writeId),
        ...onlyWhen(ITEM_IS_ABSENT),
        ...TELL_WHO_WON,
      },
    },
    // No condition: where there is no run, a request can only be a leftover of an expired one.
    { Put: { TableName, Item: toTextItem(requestKey, request, stamp) } },
  ];
  const write = { items, writeId: stamp.writeId };
  const created = await tables.access.write('creating the run', write, signal);
  return created.kind === 'written'
    ? { kind: 'created' }
    : existingRun(tables, record.run_id, signal);
}

/** Written twice, or late, it leaves the same item, so that it needs no write id. */
export async function enterRound(
  tables: DynamoDbTables,
  { key: { runId, fence }, round }: { readonly key: RunKey; readonly round: number },
  signal: AbortSignal,
): Promise<GateResult> {
  const owned = [RUN_IS_RUNNING, fenceIs(fence)];
  const conditions = [...owned, NO_CANCEL_REQUESTED, roundIsNotPast(round)];
  const Update = {
    ...runAddress(tables, runId),
    ...setOnlyWhen({ rounds: round }, ...conditions),
    ...TELL_WHO_WON,
  };
  const write = { items: [{ Update }], writeId: null };
  const entered = await tables.access.write('entering the round', write, signal);
  if (entered.kind === 'written') return { kind: 'open' };
  const [run] = entered.found;
  const isOwned = foundText(run, 'status') === 'RUNNING' && foundText(run, 'fence') === fence;
  const isCancelled = foundText(run, 'cancel_requested_at') !== null;
  return { kind: isOwned && isCancelled ? 'cancel_requested' : 'lost' };
}

/** A second request finds the first and leaves it, so that it needs no write id. */
export async function requestCancel(
  tables: DynamoDbTables,
  { runId, at }: { readonly runId: RunId; readonly at: string },
  signal: AbortSignal,
): Promise<CancelResult> {
  const atMs = Date.parse(at);
  const instant = inOneForm(at);
  const conditions = [RUN_IS_RUNNING, leaseHoldsAt(instant), notExpiredAt(atMs)];
  const Update = {
    ...runAddress(tables, runId),
    ...setOnlyWhen({ cancel_requested_at: instant }, ...conditions, NO_CANCEL_REQUESTED),
    ...TELL_WHO_WON,
  };
  const write = { items: [{ Update }], writeId: null };
  const requested = await tables.access.write('asking the run to stop', write, signal);
  if (requested.kind === 'written') return { kind: 'requested' };
  return { kind: cancelAnswer(requested.found[0] ?? null, instant) };
}

async function existingRun(
  tables: DynamoDbTables,
  runId: RunId,
  signal: AbortSignal,
): Promise<CreateRunResult> {
  const address = runAddress(tables, runId);
  const item = await tables.access.get('reading the run', address, signal);
  if (item === null) throw recordUnavailable('the run expired while it was looked at');
  const record = fromRunItem(item);
  if (record.status === 'RUNNING') return { kind: 'exists', record, outcome: null };

  const outcomeAddress = { ...address, Key: { ...address.Key, sk: RECORD_ITEM.outcome } };
  const outcome = await tables.access.get('reading the outcome', outcomeAddress, signal);
  return { kind: 'exists', record, outcome: outcome === null ? null : fromTextItem(outcome) };
}

function cancelAnswer(run: FoundItem | null, instant: string): CancelResult['kind'] {
  const expiresAt = foundNumber(run, 'expires_at');
  if (expiresAt === null || expiresAt * 1000 <= Date.parse(instant)) return 'unknown';
  const isLeased = (foundText(run, 'lease_expires_at') ?? '') >= instant;
  return foundText(run, 'status') === 'RUNNING' && isLeased ? 'requested' : 'finished';
}
