import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Brain } from '../../functions/cli/stand-in/brain.ts';
import {
  type ConverseServer,
  startConverseServer,
} from '../../functions/cli/stand-in/converse-server.ts';
import { type Played, play } from '../support/played-conversation.ts';
import { conversation } from '../support/random-conversation.ts';
import { COSTLY_TRIALS, TRIALS_TIMEOUT_MS } from '../support/trials.ts';

let server: ConverseServer;
let client: BedrockRuntimeClient;
let playing: Brain;

beforeAll(async () => {
  server = await startConverseServer({
    brain: { answer: (request, context) => playing.answer(request, context) },
  });
  client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: server.url,
    credentials: { accessKeyId: 'stand-in', secretAccessKey: 'stand-in' },
    maxAttempts: 1,
    requestHandler: { requestTimeout: 60_000 },
  });
});

afterAll(async () => {
  client.destroy();
  await server.close();
});

describe('whatever is said over HTTP', { timeout: TRIALS_TIMEOUT_MS }, () => {
  it('sends only requests that the service takes, one for each round that was counted', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const before = server.requests.length;

        const { outcome } = await play(plan, { connect });

        const sent = server.requests.slice(before);
        expect(sent.filter(({ fault }) => fault !== null)).toEqual([]);
        expect(sent).toHaveLength(outcome.usage.model_calls);
      }),
      COSTLY_TRIALS,
    ));

  it('ends as it does without a network, request by request', () =>
    fc.assert(
      fc.asyncProperty(conversation, async (plan) => {
        const overHttp = await play(plan, { connect });
        const inProcess = await play(plan);

        expect(essenceOf(overHttp)).toEqual(essenceOf(inProcess));
      }),
      COSTLY_TRIALS,
    ));
});

function connect(brain: Brain): BedrockRuntimeClient {
  playing = brain;
  return client;
}

function essenceOf({ outcome, happenings }: Played): unknown {
  const requests = happenings.flatMap((one) => (one.kind === 'request' ? [one.body] : []));
  return { outcome, requests };
}
