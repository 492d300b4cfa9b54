import type { RunId } from '../contracts/identifiers.ts';
import type { Step } from '../contracts/step.ts';
import { partitionOf, RAW_ITEM } from '../contracts/table-layout.ts';
import { absentOrOwn, ITEM_IS_ABSENT, onlyWhen } from './dynamodb-conditions.ts';
import { toStepItem } from './dynamodb-items.ts';
import { TELL_WHO_WON, writeResult } from './dynamodb-runs.ts';
import { type DynamoDbTables, rawStamp, recordStamp, runAddress } from './dynamodb-tables.ts';
import type { RunKey, WriteResult } from './run-store.ts';
import { type Candidate, SCHEMA_VERSION } from './stored-form.ts';
import { toStoredText } from './stored-text.ts';

const LOST: WriteResult = { kind: 'lost' };

/**
 * Nothing runs because of a step, so that the run's ownership is read right before and not checked
 * in a transaction, which would bill each of a run's twenty steps four times.
 */
export async function appendStep(
  tables: DynamoDbTables,
  { key, step }: { readonly key: RunKey; readonly step: Step },
  signal: AbortSignal,
): Promise<WriteResult> {
  if (step.run_id !== key.runId) return LOST;
  const run = await readOwnRun(tables, key, signal);
  if (run?.['status'] !== 'RUNNING') return LOST;
  const stamp = recordStamp(tables);
  const Put = {
    TableName: tables.recordTable,
    Item: toStepItem(step, key.fence, stamp),
    ...onlyWhen(ITEM_IS_ABSENT),
    ...TELL_WHO_WON,
  };
  const write = { items: [{ Put }], writeId: stamp.writeId };
  return writeResult(await tables.access.write('appending the step', write, signal));
}

/** Written twice, it leaves the same item, so that it needs no write id. */
export async function keepLegend(
  tables: DynamoDbTables,
  { key, legend }: { readonly key: RunKey; readonly legend: string },
  signal: AbortSignal,
): Promise<WriteResult> {
  if ((await readOwnRun(tables, key, signal)) === null) return LOST;
  const Item = {
    pk: partitionOf(key.runId),
    sk: RAW_ITEM.legend,
    schema_version: SCHEMA_VERSION,
    text: toStoredText(legend),
    fence: key.fence,
    expires_at: rawStamp(tables).expiresAt,
  };
  const Put = { TableName: tables.rawTable, Item, ...onlyWhen(absentOrOwn(key.fence)) };
  const write = { items: [{ Put }], writeId: null };
  return writeResult(await tables.access.write('keeping the legend', write, signal));
}

async function readOwnRun(
  tables: DynamoDbTables,
  { runId, fence }: { readonly runId: RunId; readonly fence: string },
  signal: AbortSignal,
): Promise<Candidate | null> {
  const run = await tables.access.get('reading the run', runAddress(tables, runId), signal);
  return run?.['fence'] === fence ? run : null;
}
