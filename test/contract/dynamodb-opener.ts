import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../shared/kernel/clock.ts';
import { createDynamoDbRunStore } from '../../shared/store/dynamodb-run-store.ts';
import { fromStoredText } from '../../shared/store/stored-text.ts';
import type { TableNames } from '../support/dynamodb.ts';
import type { OpenedStore } from './contract-store.ts';

/** A store over tables that the tests of a suite share; every test has runs of its own in them. */
export function openDynamoDb(
  client: DynamoDBDocumentClient,
  tables: TableNames,
  clock: Clock,
): OpenedStore {
  async function itemsOf(TableName: string, runId: string, prefix: string) {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': `RUN#${runId}`, ':prefix': prefix },
      }),
    );
    return Items;
  }

  return {
    store: createDynamoDbRunStore({ client, ...tables, clock }),
    readRaw: async (runId, toolCallId) => {
      const items = await itemsOf(tables.rawTable, runId, `RAW#${toolCallId}#`);
      return Buffer.concat(items.map((item) => item['bytes']));
    },
    readLegend: async (runId) => {
      const Key = { pk: `RUN#${runId}`, sk: 'LEGEND' };
      const { Item } = await client.send(new GetCommand({ TableName: tables.rawTable, Key }));
      return Item === undefined ? null : fromStoredText(Item['text']);
    },
    dumpRecord: async (runId) => {
      const items = await Promise.all(
        ['RUN', 'REQUEST', 'OUTCOME', 'STEP#', 'CALL#'].map((prefix) =>
          itemsOf(tables.recordTable, runId, prefix),
        ),
      );
      return JSON.stringify(items.flat());
    },
    close: async () => undefined,
  };
}
