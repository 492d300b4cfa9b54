import { ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterEach, describe, expect, it } from 'vitest';
import type { Brain } from '../../../functions/cli/stand-in/brain.ts';
import {
  type ConverseServer,
  startConverseServer,
} from '../../../functions/cli/stand-in/converse-server.ts';
import { sayText, scriptedBrain } from '../../../functions/cli/stand-in/scripted-brain.ts';
import { aCommandInput, clientFor } from './conversation.ts';

const open: ConverseServer[] = [];

async function serverWith(brain: Brain) {
  const server = await startConverseServer({ brain });
  open.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

describe.each([
  { protocol: 'HTTP/2.0', config: {} },
  { protocol: 'HTTP/1.1', config: { requestHandler: new NodeHttpHandler() } },
])('over $protocol', ({ config }) => {
  it('sees the abort of a request it leaves hanging', async () => {
    let noticed = false;
    const server = await serverWith({
      answer: async (_request, { signal }) => {
        signal.addEventListener('abort', () => {
          noticed = true;
        });
        return { kind: 'hang' };
      },
    });
    const controller = new AbortController();

    const sent = clientFor(server.url, config).send(new ConverseCommand(aCommandInput()), {
      abortSignal: controller.signal,
    });
    await expect.poll(() => server.requests[0]?.body ?? null).not.toBeNull();
    controller.abort();

    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => noticed).toBe(true);
    expect(server.requests[0]).toMatchObject({ status: null, aborted: true });
  });

  it('sees the abort of an answer that trickles', async () => {
    const body = sayText('x'.repeat(2_000));
    const server = await serverWith(scriptedBrain({ kind: 'trickle', body, everyMs: 5 }));
    const controller = new AbortController();

    const sent = clientFor(server.url, config).send(new ConverseCommand(aCommandInput()), {
      abortSignal: controller.signal,
    });
    await expect.poll(() => server.requests[0]?.status ?? null).toBe(200);
    controller.abort();

    await expect(sent).rejects.toThrow();
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });

  it('lets a trickling answer arrive whole', async () => {
    const body = sayText('超时 '.repeat(20));
    const server = await serverWith(scriptedBrain({ kind: 'trickle', body, everyMs: 0 }));

    const response = await clientFor(server.url, config).send(new ConverseCommand(aCommandInput()));

    expect(response.output).toEqual(body.output);
  });

  it('resets the connection when asked to', async () => {
    const server = await serverWith(scriptedBrain({ kind: 'reset' }));

    const sent = clientFor(server.url, config).send(new ConverseCommand(aCommandInput()));

    await expect(sent).rejects.toThrow();
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });
});

it('frees its port and cuts open requests when it closes', async () => {
  const server = await startConverseServer({ brain: { answer: async () => ({ kind: 'hang' }) } });
  const sent = clientFor(server.url).send(new ConverseCommand(aCommandInput()));
  const refused = expect(sent).rejects.toThrow();
  await expect.poll(() => server.requests.length).toBe(1);

  await server.close();

  await refused;
  const port = Number(new URL(server.url).port);
  const again = await startConverseServer({ brain: scriptedBrain(), port });
  open.push(again);
  expect(again.url).toBe(server.url);
});
