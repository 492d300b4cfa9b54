import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamoDbRunStore } from './dynamodb-run-store.ts';
import type { RunStore } from './run-store.ts';

/** What may be done with runs by a function that never executes one: ask them to stop, read them. */
export type RunRecordAccess = Pick<
  RunStore,
  | 'requestCancel'
  | 'readRun'
  | 'readRequest'
  | 'readOutcome'
  | 'readSteps'
  | 'readInvocations'
  | 'listRuns'
>;

/** The record table alone: raw results and the legend are out of reach. */
export function createDynamoDbRunRecord(
  client: DynamoDBDocumentClient,
  recordTable: string,
): RunRecordAccess {
  return createDynamoDbRunStore({ client, recordTable, rawTable: NO_TABLE });
}

/** Not a name a table can have; nothing that this access offers asks for the raw table. */
const NO_TABLE = '';
