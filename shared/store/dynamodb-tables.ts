import type { RunId, ToolCallId } from '../contracts/identifiers.ts';
import { callKey, partitionOf, RECORD_ITEM } from '../contracts/table-layout.ts';
import type { DynamoDbAccess, ItemAddress } from './dynamodb-access.ts';
import type { Stamp } from './dynamodb-items.ts';

/** The two tables, how long their items are kept, and where time and write ids come from. */
export interface DynamoDbTables {
  readonly access: DynamoDbAccess;
  readonly recordTable: string;
  readonly rawTable: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newWriteId: () => string;
  readonly recordDays: number;
  readonly rawDays: number;
}

const DAY_SECONDS = 86_400;

export function runAddress(tables: DynamoDbTables, runId: RunId): ItemAddress {
  const Key = { pk: partitionOf(runId), sk: RECORD_ITEM.run };
  return { TableName: tables.recordTable, Key };
}

export function callAddress(
  tables: DynamoDbTables,
  runId: RunId,
  toolCallId: ToolCallId,
): ItemAddress {
  const Key = { pk: partitionOf(runId), sk: callKey(toolCallId) };
  return { TableName: tables.recordTable, Key };
}

/** The stamp of an item of the record that is written now; it is kept no shorter than its run. */
export function recordStamp(tables: DynamoDbTables): Stamp {
  return stamp(tables, tables.recordDays);
}

/** The stamp of an item beside the raw results that is written now. */
export function rawStamp(tables: DynamoDbTables): Stamp {
  return stamp(tables, tables.rawDays);
}

function stamp({ now, newWriteId }: DynamoDbTables, days: number): Stamp {
  return { expiresAt: Math.ceil(now() / 1000) + days * DAY_SECONDS, writeId: newWriteId() };
}
