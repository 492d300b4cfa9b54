import type { ToolCallId } from '../contracts/identifiers.ts';
import type { Invocation } from '../contracts/invocation.ts';
import { partitionOf, rawKey } from '../contracts/table-layout.ts';
import {
  absentOrOwn,
  type Condition,
  fenceIs,
  INVOCATION_IS_UNSETTLED,
  ITEM_IS_ABSENT,
  invocationIs,
  onlyWhen,
  RUN_IS_RUNNING,
  setOnlyWhen,
} from './dynamodb-conditions.ts';
import { toInvocationItem } from './dynamodb-items.ts';
import { TELL_WHO_WON, writeResult } from './dynamodb-runs.ts';
import {
  callAddress,
  type DynamoDbTables,
  rawStamp,
  recordStamp,
  runAddress,
} from './dynamodb-tables.ts';
import type {
  ErrorSettlement,
  RawResult,
  ReadySettlement,
  RunKey,
  WriteResult,
} from './run-store.ts';
import { toStoredText } from './stored-text.ts';

const LOST: WriteResult = { kind: 'lost' };

/** One invocation and on whose behalf it moves. */
export interface InvocationKey {
  readonly key: RunKey;
  readonly toolCallId: ToolCallId;
}

/** A tool runs because of this write, so that the run's ownership is checked in the same transaction. */
export async function openInvocation(
  tables: DynamoDbTables,
  { key, invocation }: Opening,
  signal: AbortSignal,
): Promise<WriteResult> {
  if (invocation.run_id !== key.runId || invocation.fence !== key.fence) return LOST;
  const stamp = recordStamp(tables);
  const items = [
    {
      ConditionCheck: {
        ...runAddress(tables, key.runId),
        ...onlyWhen(RUN_IS_RUNNING, fenceIs(key.fence)),
      },
    },
    {
      Put: {
        TableName: tables.recordTable,
        Item: toInvocationItem(invocation, stamp),
        ...onlyWhen(ITEM_IS_ABSENT),
        ...TELL_WHO_WON,
      },
    },
  ];
  const write = { items, writeId: stamp.writeId };
  return writeResult(await tables.access.write('opening the invocation', write, signal));
}

export interface Opening {
  readonly key: RunKey;
  readonly invocation: Extract<Invocation, { status: 'OPEN' }>;
}

/**
 * Keeps the raw pieces in items of their own before the invocation moves on: whoever finds it
 * PROJECTING finds its raw result, and no later transition is billed for it. The look beforehand
 * spares a writer who has lost from writing pieces.
 */
export async function startProjection(
  tables: DynamoDbTables,
  { invocation, raw }: { readonly invocation: InvocationKey; readonly raw: RawResult },
  signal: AbortSignal,
): Promise<WriteResult> {
  if (!(await isOwnAndOpen(tables, invocation, signal))) return LOST;
  for (const [index, bytes] of raw.chunks.entries()) {
    const chunk = { invocation, part: index + 1, bytes };
    if (!(await keepChunk(tables, chunk, signal))) return LOST;
  }
  const set = { status: 'PROJECTING', raw: raw.reference };
  return move(tables, { invocation, set, from: invocationIs('OPEN') }, signal);
}

export function settleReady(
  tables: DynamoDbTables,
  { invocation, settlement }: { readonly invocation: InvocationKey; settlement: ReadySettlement },
  signal: AbortSignal,
): Promise<WriteResult> {
  const set = {
    status: 'READY',
    evidence_status: settlement.evidenceStatus,
    observation: toStoredText(settlement.observation),
    observation_sha256: settlement.observationSha256,
    truncated: settlement.truncated,
    executed: toStoredText(JSON.stringify(settlement.executed)),
    settled_at: settlement.settledAt,
  };
  return move(tables, { invocation, set, from: invocationIs('PROJECTING') }, signal);
}

export function settleError(
  tables: DynamoDbTables,
  { invocation, settlement }: { readonly invocation: InvocationKey; settlement: ErrorSettlement },
  signal: AbortSignal,
): Promise<WriteResult> {
  const { errorCode, settledAt } = settlement;
  const set = { status: 'ERROR', error_code: errorCode, settled_at: settledAt };
  return move(tables, { invocation, set, from: INVOCATION_IS_UNSETTLED }, signal);
}

interface Move {
  readonly invocation: InvocationKey;
  readonly set: Readonly<Record<string, unknown>>;
  readonly from: Condition;
}

/** One conditional update on status and fence; the owner run is the item's own key. */
async function move(
  tables: DynamoDbTables,
  { invocation: { key, toolCallId }, set, from }: Move,
  signal: AbortSignal,
): Promise<WriteResult> {
  const writeId = tables.newWriteId();
  const Update = {
    ...callAddress(tables, key.runId, toolCallId),
    ...setOnlyWhen({ ...set, write_id: writeId }, from, fenceIs(key.fence)),
    ...TELL_WHO_WON,
  };
  const write = { items: [{ Update }], writeId };
  return writeResult(await tables.access.write('moving the invocation on', write, signal));
}

async function isOwnAndOpen(
  tables: DynamoDbTables,
  { key, toolCallId }: InvocationKey,
  signal: AbortSignal,
): Promise<boolean> {
  const address = callAddress(tables, key.runId, toolCallId);
  const item = await tables.access.get('reading the invocation', address, signal);
  return item?.['status'] === 'OPEN' && item['fence'] === key.fence;
}

interface Chunk {
  readonly invocation: InvocationKey;
  readonly part: number;
  readonly bytes: Uint8Array;
}

/** Written twice, it leaves the same item, so that it needs no write id. */
async function keepChunk(
  tables: DynamoDbTables,
  { invocation: { key, toolCallId }, part, bytes }: Chunk,
  signal: AbortSignal,
): Promise<boolean> {
  const { expiresAt } = rawStamp(tables);
  const Item = {
    pk: partitionOf(key.runId),
    sk: rawKey(toolCallId, part),
    bytes,
    fence: key.fence,
    expires_at: expiresAt,
  };
  const Put = { TableName: tables.rawTable, Item, ...onlyWhen(absentOrOwn(key.fence)) };
  const write = { items: [{ Put }], writeId: null };
  const kept = await tables.access.write('keeping the raw result', write, signal);
  return kept.kind === 'written';
}
