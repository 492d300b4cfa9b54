import { ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterEach, describe, expect, it } from 'vitest';
import type { Brain, BrainAnswer } from '../../../functions/cli/stand-in/brain.ts';
import {
  type ConverseServer,
  type ConverseServerOptions,
  startConverseServer,
} from '../../../functions/cli/stand-in/converse-server.ts';
import {
  answerWith,
  callTools,
  reasoningBlock,
  redactedReasoningBlock,
  sayText,
  scriptedBrain,
  tokenUsage,
} from '../../../functions/cli/stand-in/scripted-brain.ts';
import { aCommandInput, aRequest, clientFor } from './conversation.ts';

const open: ConverseServer[] = [];

async function serverWith(brain: Brain, options: Partial<ConverseServerOptions> = {}) {
  const server = await startConverseServer({ brain, ...options });
  open.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const transports = [
  { protocol: 'HTTP/2.0', config: {} },
  { protocol: 'HTTP/1.1', config: { requestHandler: new NodeHttpHandler() } },
] as const;

describe.each(transports)('over $protocol', ({ protocol, config }) => {
  it('answers the SDK with what the brain said and records the request', async () => {
    const server = await serverWith(
      scriptedBrain(sayText('done', { usage: { cacheReadInputTokens: 7 } })),
    );
    const client = clientFor(server.url, config);

    const { $metadata, ...response } = await client.send(new ConverseCommand(aCommandInput()));

    expect(response).toEqual({
      output: { message: { role: 'assistant', content: [{ text: 'done' }] } },
      stopReason: 'end_turn',
      usage: tokenUsage({ cacheReadInputTokens: 7 }),
      metrics: { latencyMs: 1 },
    });
    expect($metadata.httpStatusCode).toBe(200);
    expect(server.requests).toEqual([
      {
        method: 'POST',
        path: '/model/global.anthropic.claude-sonnet-4-6/converse',
        protocol,
        remotePort: expect.any(Number),
        body: aRequest(),
        fault: null,
        status: 200,
        aborted: false,
      },
    ]);
  });

  it('hands tool calls and reasoning over unchanged', async () => {
    const before = [
      reasoningBlock('think', 'c2ln'),
      redactedReasoningBlock(new Uint8Array([1, 2, 255])),
    ];
    const calls = [
      { name: 'query_logs', input: { query: '' }, toolUseId: 'tooluse_a' },
      { name: 'query_logs', input: { query: '超时' }, toolUseId: 'tooluse_b' },
    ];
    const server = await serverWith(scriptedBrain(callTools(calls, { before })));

    const response = await clientFor(server.url, config).send(new ConverseCommand(aCommandInput()));

    expect(response.stopReason).toBe('tool_use');
    expect(response.output?.message?.content).toEqual([
      ...before,
      ...calls.map((toolUse) => ({ toolUse })),
    ]);
  });

  it('raises the error type that the brain names', async () => {
    const error: BrainAnswer = {
      kind: 'error',
      status: 429,
      type: 'ThrottlingException',
      message: 'slow',
    };
    const server = await serverWith(scriptedBrain(error));

    const sent = clientFor(server.url, config).send(new ConverseCommand(aCommandInput()));

    await expect(sent).rejects.toMatchObject({
      name: 'ThrottlingException',
      $metadata: { httpStatusCode: 429 },
    });
    expect(server.requests).toHaveLength(1);
  });

  it('sends a page of a proxy as it is', async () => {
    const body = '<html>503</html>';
    const server = await serverWith(
      scriptedBrain({ kind: 'raw', status: 503, contentType: 'text/html', body }),
    );

    const sent = clientFor(server.url, config).send(new ConverseCommand(aCommandInput()));

    await expect(sent).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
  });

  it('refuses an invalid request without asking the brain', async () => {
    const server = await serverWith(scriptedBrain());
    const input = aCommandInput({ messages: [{ role: 'user', content: [{ text: ' ' }] }] });

    const sent = clientFor(server.url, config).send(new ConverseCommand(input));

    await expect(sent).rejects.toMatchObject({ name: 'ValidationException' });
    expect(server.requests).toMatchObject([
      { status: 400, body: null, fault: 'messages.0.content.0.text: must not be blank' },
    ]);
  });

  it('refuses a body above its bound', async () => {
    const server = await serverWith(scriptedBrain(sayText('never')), { maxBodyBytes: 2_000 });
    const input = aCommandInput({ system: [{ text: 'x'.repeat(200_000) }] });

    const sent = clientFor(server.url, config).send(new ConverseCommand(input));

    await expect(sent).rejects.toMatchObject({ $metadata: { httpStatusCode: 413 } });
  });

  it('reads the ARN of an inference profile from the path', async () => {
    const modelId = 'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.model-v1:0';
    const seen: string[] = [];
    const server = await serverWith({
      answer: async (_request, context) => {
        seen.push(context.modelId);
        return sayText('done');
      },
    });

    await clientFor(server.url, config).send(new ConverseCommand({ ...aCommandInput(), modelId }));

    expect(seen).toEqual([modelId]);
  });

  it('reports a brain that fails as a server error', async () => {
    const server = await serverWith({ answer: () => Promise.reject(new Error('broken')) });

    const sent = clientFor(server.url, config).send(new ConverseCommand(aCommandInput()));

    await expect(sent).rejects.toMatchObject({ name: 'InternalServerException' });
  });
});

it.each([
  ['GET', '/model/m/converse'],
  ['POST', '/model/m/converse-stream'],
  ['POST', '/model//converse'],
  ['POST', '/model/%E0%A4%A/converse'],
  ['POST', '/'],
])('knows no %s %s', async (method, path) => {
  const server = await serverWith(scriptedBrain());

  const response = await fetch(`${server.url}${path}`, { method });

  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ message: 'no such operation' });
});

it('answers a body that is no JSON with a ValidationException', async () => {
  const server = await serverWith(scriptedBrain());

  const response = await fetch(`${server.url}/model/m/converse`, { method: 'POST', body: '{' });

  expect(response.status).toBe(400);
  expect(response.headers.get('x-amzn-errortype')).toBe('ValidationException');
});

it('counts rounds from the conversation, not from the requests', async () => {
  const rounds: number[] = [];
  const server = await serverWith({
    answer: async (_request, { round }) => {
      rounds.push(round);
      return sayText('done');
    },
  });
  const client = clientFor(server.url);
  const first = aCommandInput();
  const followUp = [
    ...(first.messages ?? []),
    { role: 'assistant' as const, content: [{ text: 'and?' }] },
    { role: 'user' as const, content: [{ text: 'more' }] },
  ];

  await client.send(new ConverseCommand(first));
  await client.send(new ConverseCommand(first));
  await client.send(new ConverseCommand({ ...first, messages: followUp }));

  expect(rounds).toEqual([1, 1, 2]);
});

it('says so when the script runs out', async () => {
  const server = await serverWith(scriptedBrain(answerWith([{ text: 'only one' }])));
  const client = clientFor(server.url);
  await client.send(new ConverseCommand(aCommandInput()));

  const second = client.send(new ConverseCommand(aCommandInput()));

  await expect(second).rejects.toMatchObject({
    name: 'InternalServerException',
    message: 'the script holds 1 answers and this is request 2',
  });
});
