import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe } from 'vitest';
import { createTables, dynamoDbFor, localClient, type TableNames } from '../support/dynamodb.ts';
import { openDynamoDb } from './dynamodb-opener.ts';
import { describeRunStore } from './run-store.contract.ts';
import { openSqlite } from './sqlite-opener.ts';

const dynamoDb = await dynamoDbFor('the run store on DynamoDB');

describe('the run store on SQLite', () => describeRunStore(openSqlite));

describe.skipIf(dynamoDb.endpoint === null)(dynamoDb.suite, () => {
  let client: DynamoDBDocumentClient;
  let tables: TableNames;
  beforeAll(async () => {
    const local = localClient(dynamoDb);
    client = DynamoDBDocumentClient.from(local);
    tables = await createTables(local);
    return () => local.destroy();
  });

  describeRunStore(async (clock) => openDynamoDb(client, tables, clock));
});
