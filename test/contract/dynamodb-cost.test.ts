import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDynamoDbRunStore } from '../../shared/store/dynamodb-run-store.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import { createTables, dynamoDbFor, localClient } from '../support/dynamodb.ts';
import { meterWrites, type WriteMeter } from '../support/dynamodb-meter.ts';
import { playRun, type Sizes } from './sample-run.ts';

/** A run as it is in practice: 20 KB of log events in, 8 KB of observation out, six times. */
const USUAL: Sizes = {
  requestBytes: 600,
  rawBytes: 20_480,
  observationBytes: 8_192,
  outcomeBytes: 10_240,
  legendBytes: 512,
};

const dynamoDb = await dynamoDbFor('what a run costs on DynamoDB');

describe.skipIf(dynamoDb.endpoint === null)(dynamoDb.suite, () => {
  let client: DynamoDBClient;
  let meter: WriteMeter;
  let store: RunStore;
  let unitsOf: Partial<Record<keyof RunStore, number>>;
  beforeEach(async () => {
    client = localClient(dynamoDb);
    const tables = await createTables(client);
    meter = meterWrites(client);
    unitsOf = {};
    const dynamoDbStore = createDynamoDbRunStore({
      client: DynamoDBDocumentClient.from(client),
      ...tables,
    });
    store = metered(dynamoDbStore, meter, unitsOf);
  });
  afterEach(() => client.destroy());

  it('stays within 110 write units for six tool calls of 20 KB raw', async () => {
    await playRun(store, USUAL);

    expect(meter.units()).toBeLessThanOrEqual(110);
    expect(unitsOf).toEqual({
      createRun: 6,
      enterRound: 7,
      appendStep: 19,
      openInvocation: 24,
      startProjection: 24,
      settleReady: 18,
      keepLegend: 1,
      settleRun: 8,
    });
  });

  it('stays within 110 with the largest observations that there are', async () => {
    await playRun(store, { ...USUAL, observationBytes: 12_288 });

    expect(meter.units()).toBeLessThanOrEqual(110);
  });

  it('pays for the raw result once: no later transition costs more for a larger one', async () => {
    await playRun(store, { ...USUAL, rawBytes: 400_000 });

    expect(unitsOf.startProjection).toBeGreaterThan(200);
    expect([unitsOf.settleReady, unitsOf.settleRun, unitsOf.appendStep]).toEqual([18, 8, 19]);
  });
});

/** The store with what each of its methods consumed so far. */
function metered(
  store: RunStore,
  meter: WriteMeter,
  unitsOf: Partial<Record<string, number>>,
): RunStore {
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    async (...given: unknown[]) => {
      const before = meter.units();
      const result = await method(...given);
      unitsOf[name] = (unitsOf[name] ?? 0) + meter.units() - before;
      return result;
    },
  ]);
  return Object.fromEntries(methods);
}
