import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Brain } from '../../functions/cli/stand-in/brain.ts';
import {
  type ConverseServer,
  startConverseServer,
} from '../../functions/cli/stand-in/converse-server.ts';
import { readWholeRecord } from '../../functions/run-record/whole-record.ts';
import { bundleCancellation, bundleDiagnosis, bundleRunRecord } from '../../infra/bundle.ts';
import type { Configuration } from '../../shared/contracts/configuration.ts';
import { RunIdSchema } from '../../shared/contracts/identifiers.ts';
import { createDynamoDbRunStore } from '../../shared/store/dynamodb-run-store.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import { createTables, type DynamoDbForSuite, localClient, type TableNames } from './dynamodb.ts';
import { DynamoDbProxy } from './dynamodb-proxy.ts';
import { INCIDENT_EVENT, incidentConfiguration } from './incident-configuration.ts';
import { LambdaProcess } from './runtime-api.ts';

/** The built functions over DynamoDB Local behind a proxy, with a stand-in for the model. */
export class LambdaBench implements AsyncDisposable {
  readonly proxy: DynamoDbProxy;
  readonly model: ConverseServer;
  readonly tables: TableNames;
  /** The test's own way to the tables, past the proxy. */
  readonly client: DynamoDBDocumentClient;
  readonly store: RunStore;
  readonly #local: DynamoDBClient;
  readonly #folder: string;

  private constructor(given: {
    readonly proxy: DynamoDbProxy;
    readonly model: ConverseServer;
    readonly tables: TableNames;
    readonly local: DynamoDBClient;
    readonly folder: string;
  }) {
    this.proxy = given.proxy;
    this.model = given.model;
    this.tables = given.tables;
    this.#local = given.local;
    this.#folder = given.folder;
    this.client = DynamoDBDocumentClient.from(given.local);
    this.store = createDynamoDbRunStore({ client: this.client, ...given.tables });
  }

  static async start(
    dynamoDb: DynamoDbForSuite,
    { brain, logs }: { readonly brain: Brain; readonly logs?: Configuration['logs'] },
  ): Promise<LambdaBench> {
    const folder = await mkdtemp(join(tmpdir(), 'functions-'));
    const local = localClient(dynamoDb);
    const [tables, model, proxy] = await Promise.all([
      createTables(local),
      startConverseServer({ brain }),
      DynamoDbProxy.start(dynamoDb.endpoint ?? ''),
      bundleDiagnosis(join(folder, 'diagnosis')),
      bundleCancellation(join(folder, 'cancellation')),
      bundleRunRecord(join(folder, 'run-record')),
    ]);
    const configuration = incidentConfiguration({
      endpoint: model.url,
      store: { kind: 'DYNAMODB', record_table: tables.recordTable, raw_table: tables.rawTable },
      ...(logs !== undefined && { logs }),
    });
    await writeFile(join(folder, 'configuration.json'), JSON.stringify(configuration));
    return new LambdaBench({ proxy, model, tables, local, folder });
  }

  /** A function in a process of its own. */
  start(name: 'diagnosis' | 'cancellation' | 'run-record'): Promise<LambdaProcess> {
    return LambdaProcess.start(join(this.#folder, name, 'index.mjs'), {
      DIAGNOSIS_CONFIGURATION: join(this.#folder, 'configuration.json'),
      RECORD_TABLE: this.tables.recordTable,
      AWS_ENDPOINT_URL_DYNAMODB: this.proxy.endpoint,
      NODE_COMPILE_CACHE: join(this.#folder, 'compiled'), // each process would compile the same
      AWS_ACCESS_KEY_ID: 'local', // DynamoDB Local takes letters and digits only
    });
  }

  /** What a reader of the run is given, null when there is none. */
  record(runId: string) {
    const now = new Date().toISOString();
    return readWholeRecord(this.store, { runId: RunIdSchema.parse(runId), now }, NEVER);
  }

  /** Ends the lease of a run that was never settled, as time would. */
  async endLease(runId: string): Promise<void> {
    const run = await this.store.readRun(RunIdSchema.parse(runId), new Date().toISOString(), NEVER);
    if (run?.status !== 'RUNNING') return;
    await this.client.send(
      new UpdateCommand({
        TableName: this.tables.recordTable,
        Key: { pk: `RUN#${runId}`, sk: 'RUN' },
        UpdateExpression: 'SET lease_expires_at = :ended',
        ExpressionAttributeValues: { ':ended': run.created_at },
      }),
    );
  }

  /** Requests that the model got for a run; its id stands in the question of each event. */
  modelRequestsOf(runId: string): number {
    return this.model.requests.filter(({ body }) =>
      JSON.stringify(body?.messages?.[0] ?? null).includes(`[${runId}]`),
    ).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model.close();
    await this.proxy[Symbol.asyncDispose]();
    this.#local.destroy();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const NEVER = new AbortController().signal;

/** The shipped incident as an event of its own, with all the time that a Lambda can have. */
export function deliveryOf(runId: string) {
  const query = `${INCIDENT_EVENT.query} [${runId}]`;
  const event = { ...INCIDENT_EVENT, query, run_id: runId, bindings: { tenant_id: runId } };
  return { event, requestId: `request-of-${runId}`, remainingMs: 900_000 };
}
