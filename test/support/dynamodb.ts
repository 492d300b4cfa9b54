import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { SESSION_INDEX, TABLE_KEY } from '../../shared/contracts/table-layout.ts';
import type { DynamoDbLocal } from './dynamodb-setup.ts';

/** DynamoDB Local for one suite: where it is, or a name that says why the suite does not run. */
export interface DynamoDbForSuite {
  readonly suite: string;
  readonly endpoint: string | null;
}

/**
 * Asks for DynamoDB Local, starting it if need be.
 *
 * @throws Error where it must be there and is not (`CI=true`), or when it can't start.
 */
export async function dynamoDbFor(suite: string): Promise<DynamoDbForSuite> {
  const asked = new URL(inject('dynamoDbStarter'));
  asked.searchParams.set('suite', suite);
  const response = await fetch(asked);
  const local = (await response.json()) as DynamoDbLocal; // our own global setup wrote it
  if (local.kind === 'failed') throw new Error(`DynamoDB Local: ${local.reason}`);
  if (local.kind === 'running') return { suite, endpoint: local.endpoint };
  return { suite: `${suite} (not run: ${local.reason})`, endpoint: null };
}

/** A client of DynamoDB Local, which takes any credentials. */
export function localClient(
  { endpoint }: DynamoDbForSuite,
  configuration: DynamoDBClientConfig = {},
): DynamoDBClient {
  if (endpoint === null) throw new Error('DynamoDB Local does not run here');
  return new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    ...configuration,
  });
}

export interface TableNames {
  readonly recordTable: string;
  readonly rawTable: string;
}

/**
 * Makes both tables under names of their own, from the layout that infrastructure and store share.
 * Without expiry by the service: it goes by the machine's clock, the tests by a hand-moved one.
 */
export async function createTables(client: DynamoDBClient): Promise<TableNames> {
  const suffix = randomUUID();
  const names = { recordTable: `record-${suffix}`, rawTable: `raw-${suffix}` };
  await client.send(
    new CreateTableCommand({
      ...tableOf(names.recordTable, [SESSION_INDEX.partition, SESSION_INDEX.sort]),
      GlobalSecondaryIndexes: [
        {
          IndexName: SESSION_INDEX.name,
          KeySchema: [
            { AttributeName: SESSION_INDEX.partition, KeyType: 'HASH' },
            { AttributeName: SESSION_INDEX.sort, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...SESSION_INDEX.projected] },
        },
      ],
    }),
  );
  await client.send(new CreateTableCommand(tableOf(names.rawTable, [])));
  return names;
}

function tableOf(TableName: string, indexed: readonly string[]) {
  const attributes = [TABLE_KEY.partition, TABLE_KEY.sort, ...indexed];
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST' as const,
    AttributeDefinitions: attributes.map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    })),
    KeySchema: [
      { AttributeName: TABLE_KEY.partition, KeyType: 'HASH' as const },
      { AttributeName: TABLE_KEY.sort, KeyType: 'RANGE' as const },
    ],
  };
}
