import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import type { Configuration } from '../../shared/contracts/configuration.ts';

/**
 * Silence that the connection bears, in milliseconds. A round is bounded by its signal; this only
 * ends a connection that outlived every run, since the client itself has no socket timeout.
 */
const IDLE_TIMEOUT_MS = 900_000;

/** The model's client: one attempt per request, connections reused. */
export function createBedrockClient({
  region,
  endpoint,
}: Configuration['model']): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    maxAttempts: 1,
    requestHandler: { requestTimeout: IDLE_TIMEOUT_MS },
  });
}
