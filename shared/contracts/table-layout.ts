import type { RunId, ToolCallId } from './identifiers.ts';

// What the store and the infrastructure must agree on: two DynamoDB tables, record and raw.

/** The key attributes of both tables; text. */
export const TABLE_KEY = { partition: 'pk', sort: 'sk' } as const;

/** The attribute of both tables after which DynamoDB may delete an item: epoch seconds. */
export const EXPIRY_ATTRIBUTE = 'expires_at';

/**
 * The index of the record table that lists the runs of a session by creation. Only run items have
 * both key attributes; it holds the keys, the status, and the expiry that a reader checks.
 */
export const SESSION_INDEX = {
  name: 'runs-of-session',
  partition: 'session_id',
  sort: 'created_at',
  projected: ['status', EXPIRY_ATTRIBUTE],
} as const;

const RUN_PREFIX = 'RUN#';

/** The partition of a run, in both tables. */
export function partitionOf(runId: RunId): string {
  return RUN_PREFIX + runId;
}

/** The run whose partition this is; not yet checked. */
export function runIdOf(partition: string): string {
  return partition.slice(RUN_PREFIX.length);
}

/** Sort keys of the record table. */
export const RECORD_ITEM = {
  run: 'RUN',
  request: 'REQUEST',
  outcome: 'OUTCOME',
  stepPrefix: 'STEP#',
  callPrefix: 'CALL#',
} as const;

/** Sort keys of the raw table. */
export const RAW_ITEM = { legend: 'LEGEND', rawPrefix: 'RAW#' } as const;

/** The sort key of a step; six digits, so that text order is step order. */
export function stepKey(sequence: number): string {
  return RECORD_ITEM.stepPrefix + String(sequence).padStart(6, '0');
}

export function callKey(toolCallId: ToolCallId): string {
  return RECORD_ITEM.callPrefix + toolCallId;
}

/** The sort key of one piece of a raw result, counted from 1. */
export function rawKey(toolCallId: ToolCallId, part: number): string {
  return `${RAW_ITEM.rawPrefix}${toolCallId}#${String(part).padStart(4, '0')}`;
}
