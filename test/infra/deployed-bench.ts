import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type ConverseServer,
  startConverseServer,
} from '../../functions/cli/stand-in/converse-server.ts';
import { createOfflineModel } from '../../functions/cli/stand-in/offline-model.ts';
import type { FunctionKind } from '../../infra/names.ts';
import { type DynamoDbForSuite, localClient } from '../support/dynamodb.ts';
import { DynamoDbProxy } from '../support/dynamodb-proxy.ts';
import { type Invocation, invokeBundle } from '../support/runtime-api.ts';
import type { Grant } from './granted.ts';
import { ACCOUNT, REGION } from './resolved-template.ts';
import { type Assembly, assetOf } from './synthesized-assembly.ts';

type Call = Pick<Grant, 'action' | 'resource'>;

/** The assets that a synthesis produced, over tables made from its template and a stand-in for the model. */
export class DeployedBench implements AsyncDisposable {
  readonly #assembly: Assembly;
  readonly #local: DynamoDBClient;
  readonly #proxy: DynamoDbProxy;
  readonly #model: ConverseServer;

  private constructor(
    assembly: Assembly,
    parts: { local: DynamoDBClient; proxy: DynamoDbProxy; model: ConverseServer },
  ) {
    this.#assembly = assembly;
    this.#local = parts.local;
    this.#proxy = parts.proxy;
    this.#model = parts.model;
  }

  static async start(assembly: Assembly, dynamoDb: DynamoDbForSuite): Promise<DeployedBench> {
    const local = localClient(dynamoDb);
    const proxy = await DynamoDbProxy.start(dynamoDb.endpoint ?? '');
    const model = await startConverseServer({ brain: createOfflineModel() });
    for (const { Type, Properties } of Object.values(assembly.resources)) {
      if (Type !== 'AWS::DynamoDB::Table') continue;
      const { TableName, KeySchema, AttributeDefinitions, BillingMode } = Properties;
      const { GlobalSecondaryIndexes } = Properties;
      const table = { TableName, KeySchema, AttributeDefinitions, BillingMode };
      await local.send(new CreateTableCommand({ ...table, GlobalSecondaryIndexes }));
    }
    return new DeployedBench(assembly, { local, proxy, model });
  }

  /** Invokes the asset of a function in a process of its own. */
  invoke(kind: FunctionKind, ...events: readonly (Partial<Invocation> & { event: unknown })[]) {
    const asset = assetOf(this.#assembly, `diagnosis-sample-${kind}`);
    return invokeBundle(
      `${asset}/index.mjs`,
      {
        DIAGNOSIS_CONFIGURATION: `${asset}/configuration.json`,
        RECORD_TABLE: 'diagnosis-sample-record',
        POWERTOOLS_SERVICE_NAME: `diagnosis-sample-${kind}`,
        AWS_ENDPOINT_URL_DYNAMODB: this.#proxy.endpoint,
        AWS_ENDPOINT_URL_BEDROCK_RUNTIME: this.#model.url,
        AWS_ACCESS_KEY_ID: 'local',
      },
      events.map((event, index) => ({
        requestId: `request-${kind}-${index}`,
        remainingMs: 900_000,
        ...event,
      })),
    );
  }

  /** Makes a settled run look like one whose process died and whose lease is over. */
  async abandon(runId: string): Promise<void> {
    await DynamoDBDocumentClient.from(this.#local).send(
      new UpdateCommand({
        TableName: 'diagnosis-sample-record',
        Key: { pk: `RUN#${runId}`, sk: 'RUN' },
        UpdateExpression:
          'SET #status = :running, finished_at = :null, lease_expires_at = created_at',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':running': 'RUNNING', ':null': null },
      }),
    );
  }

  /** The calls of AWS that were made since the last look, as IAM knows them. */
  takeCalls(): Call[] {
    const database = this.#proxy.requests.splice(0);
    const model = this.#model.requests.map(({ path }) => decodeURIComponent(path));
    return [
      ...database.flatMap(({ operation, body }) => databaseCalls(operation, JSON.parse(body))),
      ...model.map((path) => ({
        action: 'bedrock:InvokeModel',
        resource: `arn:aws:bedrock:${REGION}:${ACCOUNT}:inference-profile/${path.split('/')[2]}`,
      })),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#model.close();
    await this.#proxy[Symbol.asyncDispose]();
    this.#local.destroy();
  }
}

interface DatabaseRequest {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName: string }>>[];
}

const TRANSACTED: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

function databaseCalls(
  operation: string,
  { TableName, IndexName, TransactItems }: DatabaseRequest,
): Call[] {
  if (TransactItems === undefined) {
    const table = tableArn(TableName ?? '');
    const resource = IndexName === undefined ? table : `${table}/index/${IndexName}`;
    return [{ action: `dynamodb:${operation}`, resource }];
  }
  return TransactItems.flatMap((item) =>
    Object.entries(item).map(([kind, { TableName: name }]) => ({
      action: `dynamodb:${TRANSACTED[kind] ?? kind}`,
      resource: tableArn(name),
    })),
  );
}

function tableArn(name: string): string {
  return `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`;
}
