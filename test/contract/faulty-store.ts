import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { createDynamoDbRunStore } from '../../shared/store/dynamodb-run-store.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import {
  createTables,
  type DynamoDbForSuite,
  localClient,
  type TableNames,
} from '../support/dynamodb.ts';
import { HandClock } from './contract-store.ts';
import { CREATED } from './run-builders.ts';

/** Two stores over the same tables. */
export interface FaultyStore {
  /** The client of the store that faults are put under; fresh for each test. */
  readonly client: DynamoDBClient;
  readonly store: RunStore;
  /** A store on a network without faults: the rival, and the reader. */
  readonly calm: RunStore;
  readonly tables: TableNames;
}

/** Makes the tables of a suite and, before each of its tests, a store to put faults under. */
export function useFaultyStore(dynamoDb: DynamoDbForSuite): FaultyStore {
  let tables: TableNames;
  let calm: RunStore;
  let client: DynamoDBClient;
  let store: RunStore;
  beforeAll(async () => {
    const calmClient = localClient(dynamoDb);
    tables = await createTables(calmClient);
    calm = storeOver(calmClient, tables);
    return () => calmClient.destroy();
  });
  beforeEach(() => {
    client = localClient(dynamoDb);
    store = storeOver(client, tables);
  });
  afterEach(() => client.destroy());

  return {
    get client() {
      return client;
    },
    get store() {
      return store;
    },
    get calm() {
      return calm;
    },
    get tables() {
      return tables;
    },
  };
}

/** A store whose clock stands at the instant at which the runs of these tests begin. */
export function storeOver(client: DynamoDBClient, tables: TableNames): RunStore {
  const documents = DynamoDBDocumentClient.from(client);
  return createDynamoDbRunStore({ client: documents, ...tables, clock: new HandClock(CREATED) });
}
