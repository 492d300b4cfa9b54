import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunId } from '../../shared/contracts/identifiers.ts';
import { SESSION_INDEX } from '../../shared/contracts/table-layout.ts';
import { createDynamoDbRunStore } from '../../shared/store/dynamodb-run-store.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import { createTables, dynamoDbFor, localClient, type TableNames } from '../support/dynamodb.ts';
import { recordCommands } from '../support/dynamodb-faults.ts';
import { HandClock } from './contract-store.ts';
import { MOVE, runWith } from './invocation-moves.ts';
import {
  aRaw,
  aRun,
  aSettlement,
  aStep,
  CALL_1,
  CREATED,
  DURING,
  EXPIRY,
  keyOf,
  pseudoRandomText,
  SIGNAL,
} from './run-builders.ts';

const DAY_SECONDS = 86_400;
const CREATED_SECONDS = Date.parse(CREATED) / 1000;

const dynamoDb = await dynamoDbFor('the items of the run store on DynamoDB');

describe.skipIf(dynamoDb.endpoint === null)(dynamoDb.suite, () => {
  let local: DynamoDBClient;
  let client: DynamoDBDocumentClient;
  let tables: TableNames;
  let store: RunStore;
  beforeAll(async () => {
    local = localClient(dynamoDb);
    client = DynamoDBDocumentClient.from(local);
    tables = await createTables(local);
    const clock = new HandClock(CREATED);
    store = createDynamoDbRunStore({ client, ...tables, clock, recordDays: 90, rawDays: 5 });
  });
  afterAll(() => local.destroy());

  async function itemsOf(TableName: string, runId: RunId) {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': `RUN#${runId}` },
      }),
    );
    return Items;
  }

  it('lie under the keys of the layout, in their table, for as long as that keeps them', async () => {
    const run = aRun();
    const key = keyOf(run);
    await store.createRun(run, SIGNAL);
    await store.appendStep(key, aStep(run, 17), SIGNAL);
    await MOVE.openInvocation(store, key);
    await store.startProjection(key, CALL_1, aRaw(pseudoRandomText(400_000)), SIGNAL);
    await store.keepLegend(key, '{}', SIGNAL);
    await store.settleRun(key, aSettlement(), SIGNAL);

    const record = await itemsOf(tables.recordTable, key.runId);
    const raw = await itemsOf(tables.rawTable, key.runId);

    const expiryOf = ({ sk, expires_at }: Record<string, unknown>) => [sk, expires_at];
    expect(record.map(expiryOf)).toEqual([
      ['CALL#call-1', CREATED_SECONDS + 90 * DAY_SECONDS],
      ['OUTCOME', CREATED_SECONDS + 90 * DAY_SECONDS],
      ['REQUEST', CREATED_SECONDS + 90 * DAY_SECONDS],
      ['RUN', Date.parse(EXPIRY) / 1000],
      ['STEP#000017', CREATED_SECONDS + 90 * DAY_SECONDS],
    ]);
    expect(raw.map(expiryOf)).toEqual([
      ['LEGEND', CREATED_SECONDS + 5 * DAY_SECONDS],
      ['RAW#call-1#0001', CREATED_SECONDS + 5 * DAY_SECONDS],
      ['RAW#call-1#0002', CREATED_SECONDS + 5 * DAY_SECONDS],
    ]);
    expect(record.map((item) => item['schema_version'])).toEqual([1, 1, 1, 1, 1]);
  });

  it('show keys, status and expiry in the index, and only of runs', async () => {
    const run = aRun();
    const { run_id: runId, session_id: sessionId } = run.record;
    await store.createRun(run, SIGNAL);
    await store.appendStep(keyOf(run), aStep(run, 1), SIGNAL);

    const { Items } = await client.send(
      new QueryCommand({
        TableName: tables.recordTable,
        IndexName: SESSION_INDEX.name,
        KeyConditionExpression: 'session_id = :session_id',
        ExpressionAttributeValues: { ':session_id': sessionId },
      }),
    );

    expect(Items).toEqual([
      {
        pk: `RUN#${runId}`,
        sk: 'RUN',
        session_id: sessionId,
        created_at: CREATED,
        status: 'RUNNING',
        expires_at: Date.parse(EXPIRY) / 1000,
      },
    ]);
  });

  it('keep the raw pieces before the invocation becomes PROJECTING', async () => {
    const key = await runWith(store, 'OPEN');
    const commands = recordCommands(local);

    await store.startProjection(key, CALL_1, aRaw(pseudoRandomText(400_000)), SIGNAL);

    expect(commands).toEqual([
      'GetItemCommand',
      'PutItemCommand',
      'PutItemCommand',
      'UpdateItemCommand',
    ]);
  });

  it('stay as they are under another fence: raw piece and legend', async () => {
    const key = await runWith(store, 'OPEN');
    const foreign = (sk: string) => ({ pk: `RUN#${key.runId}`, sk, fence: 'another-fence' });
    for (const sk of ['LEGEND', 'RAW#call-1#0001']) {
      await client.send(new PutCommand({ TableName: tables.rawTable, Item: foreign(sk) }));
    }

    const results = [
      await store.keepLegend(key, '{}', SIGNAL),
      await store.startProjection(key, CALL_1, aRaw(), SIGNAL),
    ];

    expect(results).toEqual([{ kind: 'lost' }, { kind: 'lost' }]);
    expect(await itemsOf(tables.rawTable, key.runId)).toEqual([
      foreign('LEGEND'),
      foreign('RAW#call-1#0001'),
    ]);
  });

  it('are never scanned or deleted: a list of all runs is refused', async () => {
    const commands = recordCommands(local);

    const list = store.listRuns({ sessionId: null, limit: 1, from: null }, DURING, SIGNAL);

    await expect(list).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(commands).toEqual([]);
  });

  it('are refused once a newer version wrote them', async () => {
    const key = await runWith(store, 'OPEN');
    for (const sk of ['RUN', 'CALL#call-1']) {
      await client.send(
        new UpdateCommand({
          TableName: tables.recordTable,
          Key: { pk: `RUN#${key.runId}`, sk },
          UpdateExpression: 'SET schema_version = :newer, something = :newer',
          ExpressionAttributeValues: { ':newer': 2 },
        }),
      );
    }

    const reads = await Promise.allSettled([
      store.readRun(key.runId, DURING, SIGNAL),
      store.createRun(aRun({ run_id: key.runId }), SIGNAL),
      store.readInvocations(key.runId, SIGNAL),
    ]);

    const refused = { status: 'rejected', reason: { code: 'RECORD_UNAVAILABLE' } };
    expect(reads).toMatchObject([refused, refused, refused]);
  });
});
