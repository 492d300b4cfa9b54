import {
  BedrockRuntimeClient,
  type BedrockRuntimeClientConfig,
  type ConverseCommandInput,
} from '@aws-sdk/client-bedrock-runtime';
import type { ConverseBody } from '../../../functions/cli/stand-in/brain.ts';

/** The SDK's own client against a local server: no retry, made-up credentials. */
export function clientFor(
  endpoint: string,
  config: BedrockRuntimeClientConfig = {},
): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'example' },
    maxAttempts: 1,
    ...config,
  });
}

/** A valid first request of a conversation with one tool. */
export function aRequest(changes: Partial<ConverseBody> = {}): ConverseBody {
  return {
    system: [{ text: 'You diagnose.' }, { cachePoint: { type: 'default' } }],
    messages: [{ role: 'user', content: [{ text: '{"query":"why","previous_turn":null}' }] }],
    inferenceConfig: { maxTokens: 1_024 },
    toolConfig: {
      tools: [{ toolSpec: { name: 'query_logs', inputSchema: { json: { type: 'object' } } } }],
    },
    ...changes,
  };
}

/** The same as the input of a ConverseCommand. */
export function aCommandInput(changes: Partial<ConverseBody> = {}): ConverseCommandInput {
  return { modelId: 'global.anthropic.claude-sonnet-4-6', ...aRequest(changes) };
}
