import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Milliseconds to a connection, and to a whole answer. DynamoDB answers in some ten; without a bound
 * one connection that went silent would hold a run until its deadline, since the SDK has none.
 */
const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 3_000;

/**
 * The store's client, where and as whom the environment says. Its own retries stay on, a silent
 * attempt included: write ids tell an answer that was lost from a race that was lost.
 */
export function createDocumentClient(
  configuration: DynamoDBClientConfig = {},
): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
    ...configuration,
  });
  return DynamoDBDocumentClient.from(client);
}
