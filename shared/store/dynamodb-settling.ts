import type { RunId } from '../contracts/identifiers.ts';
import { partitionOf, RECORD_ITEM } from '../contracts/table-layout.ts';
import {
  type Condition,
  fenceIs,
  leaseEndedBefore,
  RUN_IS_RUNNING,
  setOnlyWhen,
} from './dynamodb-conditions.ts';
import {
  fromInvocationItem,
  fromRunItem,
  fromStepItem,
  sealAsBytes,
  toTextItem,
} from './dynamodb-items.ts';
import { inCallOrder } from './dynamodb-readers.ts';
import { TELL_WHO_WON, writeResult } from './dynamodb-runs.ts';
import { type DynamoDbTables, recordStamp, runAddress } from './dynamodb-tables.ts';
import { asSettled, type SealedRecord, sealOrNull } from './record-seal.ts';
import type { RunKey, RunSettlement, WriteResult } from './run-store.ts';
import { type Candidate, inOneForm } from './stored-form.ts';

/** Settles the writer's own run. */
export function settleRun(
  tables: DynamoDbTables,
  { key, settlement }: { readonly key: RunKey; readonly settlement: RunSettlement },
  signal: AbortSignal,
): Promise<WriteResult> {
  const conditions = [RUN_IS_RUNNING, fenceIs(key.fence)];
  return settle(tables, { runId: key.runId, settlement, conditions }, signal);
}

/** Settles a run that nobody executes any more. */
export function settleAbandoned(
  tables: DynamoDbTables,
  { runId, settlement, now }: Abandonment,
  signal: AbortSignal,
): Promise<WriteResult> {
  const conditions = [RUN_IS_RUNNING, leaseEndedBefore(inOneForm(now))];
  return settle(tables, { runId, settlement, conditions }, signal);
}

interface Abandonment {
  readonly runId: RunId;
  readonly settlement: RunSettlement;
  readonly now: string;
}

interface Settling {
  readonly runId: RunId;
  readonly settlement: RunSettlement;
  readonly conditions: readonly Condition[];
}

/** Both or neither: the run's end with its seal, and its outcome, are one transaction. */
async function settle(
  tables: DynamoDbTables,
  { runId, settlement, conditions }: Settling,
  signal: AbortSignal,
): Promise<WriteResult> {
  const items = await readPartition(tables, runId, signal);
  const stamp = recordStamp(tables);
  const { status, outcome, finishedAt } = settlement;
  const seal = sealOrNull(() => sealedRecord(items, settlement));
  const set = {
    status,
    finished_at: finishedAt,
    write_id: stamp.writeId,
    ...(seal !== null && sealAsBytes(seal)),
  };
  const outcomeKey = { pk: partitionOf(runId), sk: RECORD_ITEM.outcome };
  const writes = [
    {
      Update: {
        ...runAddress(tables, runId),
        ...setOnlyWhen(set, ...conditions),
        ...TELL_WHO_WON,
      },
    },
    { Put: { TableName: tables.recordTable, Item: toTextItem(outcomeKey, outcome, stamp) } },
  ];
  const write = { items: writes, writeId: stamp.writeId };
  return writeResult(await tables.access.write('settling the run', write, signal));
}

/** Every item of the run as it is after every confirmed write, in one query. */
function readPartition(
  tables: DynamoDbTables,
  runId: RunId,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const input = {
    TableName: tables.recordTable,
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': 'pk' },
    ExpressionAttributeValues: { ':pk': partitionOf(runId) },
    ConsistentRead: true,
  };
  return tables.access.query('reading the run to seal it', { input }, signal);
}

function sealedRecord(items: readonly Candidate[], settlement: RunSettlement): SealedRecord {
  const run = items.find(({ sk }) => sk === RECORD_ITEM.run) ?? {};
  const under = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
  return {
    run: asSettled(fromRunItem(run), settlement),
    outcome: settlement.outcome,
    steps: under(RECORD_ITEM.stepPrefix).map(fromStepItem),
    invocations: inCallOrder(under(RECORD_ITEM.callPrefix).map(fromInvocationItem)),
  };
}
