import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Brain } from '../../functions/cli/stand-in/brain.ts';
import {
  type ConverseServer,
  startConverseServer,
} from '../../functions/cli/stand-in/converse-server.ts';
import { composeDiagnosis } from '../../functions/diagnosis/composition.ts';
import { diagnose } from '../../functions/diagnosis/diagnose.ts';
import type { DiagnosisParts } from '../../functions/diagnosis/diagnosis-parts.ts';
import { readWholeRecord } from '../../functions/run-record/whole-record.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { RunIdSchema } from '../../shared/contracts/identifiers.ts';
import { createDynamoDbRunStore } from '../../shared/store/dynamodb-run-store.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import { createTables, type DynamoDbForSuite, localClient } from './dynamodb.ts';
import { DynamoDbProxy } from './dynamodb-proxy.ts';
import { incidentConfiguration } from './incident-configuration.ts';
import { deliveryOf } from './lambda-bench.ts';

/** Diagnoses in this process over DynamoDB Local behind a proxy: many at once, none of them spawned. */
export class StoredBench implements AsyncDisposable {
  readonly proxy: DynamoDbProxy;
  readonly model: ConverseServer;
  /** A store past the proxy: the reader. */
  readonly calm: RunStore;
  readonly #parts: Omit<DiagnosisParts, 'store'>;
  readonly #storeOver: (client: DynamoDBClient) => RunStore;
  readonly #proxied: () => DynamoDBClient;
  readonly #clients: readonly { destroy(): void }[];

  private constructor(given: {
    readonly proxy: DynamoDbProxy;
    readonly model: ConverseServer;
    readonly calm: DynamoDBClient;
    readonly storeOver: (client: DynamoDBClient) => RunStore;
    readonly proxied: () => DynamoDBClient;
    readonly parts: Omit<DiagnosisParts, 'store'>;
    readonly clients: readonly { destroy(): void }[];
  }) {
    this.proxy = given.proxy;
    this.model = given.model;
    this.calm = given.storeOver(given.calm);
    this.#parts = given.parts;
    this.#storeOver = given.storeOver;
    this.#proxied = given.proxied;
    this.#clients = given.clients;
  }

  static async start(
    dynamoDb: DynamoDbForSuite,
    {
      brain,
      client: settings = {},
      isProxied = true,
      parts: given = {},
    }: {
      readonly brain: Brain;
      readonly client?: DynamoDBClientConfig;
      /** False where no request meets a fate, and many are made. */
      readonly isProxied?: boolean;
      readonly parts?: Partial<DiagnosisParts>;
    },
  ): Promise<StoredBench> {
    const local = localClient(dynamoDb, { requestHandler: { httpAgent: { maxSockets: 512 } } });
    const tables = await createTables(local);
    const proxy = await DynamoDbProxy.start(dynamoDb.endpoint ?? '');
    const model = await startConverseServer({ brain });
    const bedrock = new BedrockRuntimeClient({
      region: 'eu-central-1',
      endpoint: model.url,
      credentials: { accessKeyId: 'stand-in', secretAccessKey: 'stand-in' },
      maxAttempts: 1,
    });
    const parts = await composeDiagnosis(incidentConfiguration({}), { client: bedrock });
    const storeOver = (client: DynamoDBClient) =>
      createDynamoDbRunStore({ client: DynamoDBDocumentClient.from(client), ...tables });
    return new StoredBench({
      proxy,
      model,
      calm: local,
      storeOver,
      proxied: () =>
        localClient(isProxied ? { ...dynamoDb, endpoint: proxy.endpoint } : dynamoDb, settings),
      parts: { ...parts, ...given },
      clients: [local, bedrock],
    });
  }

  /** Delivers the event of a run once; under a client of its own, since the SDK's retries have one purse. */
  async deliver(runId: string): Promise<DiagnosisOutcome> {
    const client = this.#proxied();
    try {
      const parts = { ...this.#parts, store: this.#storeOver(client) };
      return await diagnose(parts, { ...deliveryOf(runId), cancel: null });
    } finally {
      client.destroy();
    }
  }

  /** What a reader of the run is given, null when there is none. */
  record(runId: string) {
    const now = new Date().toISOString();
    return readWholeRecord(this.calm, { runId: RunIdSchema.parse(runId), now }, NEVER);
  }

  /** The stored outcome, byte for byte. */
  outcome(runId: string): Promise<string | null> {
    return this.calm.readOutcome(RunIdSchema.parse(runId), NEVER);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model.close();
    await this.proxy[Symbol.asyncDispose]();
    for (const client of this.#clients) client.destroy();
  }
}

const NEVER = new AbortController().signal;
