import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import type { Brain, BrainAnswer, ConverseBody } from '../../functions/cli/stand-in/brain.ts';
import { roundOf } from '../../functions/cli/stand-in/brain.ts';
import { findFault } from '../../functions/cli/stand-in/converse-faults.ts';

/** What a client without a network was asked. */
export interface InProcessModel {
  readonly client: BedrockRuntimeClient;
  /** Bodies as they were put on the wire, in order. */
  readonly requests: readonly ConverseBody[];
  /** Why the service would have refused a request; empty for one that only sends what it takes. */
  readonly faults: readonly string[];
}

type Wire = { readonly status: number; readonly type: string; readonly body: string };

/** What of an HTTP request of the SDK is looked at here. */
interface SentRequest {
  readonly path: string;
  readonly body?: unknown;
}

/**
 * The real SDK client, serializer and deserializer included, with a brain in the place of the
 * network: for properties that play thousands of conversations. It knows no sockets; whatever is
 * about them goes over HTTP.
 */
export function inProcessModel(brain: Brain): InProcessModel {
  const requests: ConverseBody[] = [];
  const faults: string[] = [];
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'stand-in', secretAccessKey: 'stand-in' },
    maxAttempts: 1,
    requestHandler: {
      handle: async (sent: SentRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
        const body = JSON.parse(new TextDecoder().decode(sent.body as Uint8Array)) as ConverseBody; // findFault judges it
        requests.push(body);
        const fault = findFault(body);
        if (fault !== null) faults.push(fault);
        const signal = abortSignal ?? new AbortController().signal;
        const answer = await brain.answer(body, {
          round: roundOf(body),
          modelId: 'scripted',
          signal,
        });
        signal.throwIfAborted();
        const { status, type, body: text } = onTheWire(answer);
        return {
          response: {
            statusCode: status,
            headers: { 'content-type': 'application/json', 'x-amzn-errortype': type },
            body: new TextEncoder().encode(text),
          },
        };
      },
    },
  } as never); // a handler of our own; the SDK types want an instance of theirs
  return { client, requests, faults };
}

function onTheWire(answer: BrainAnswer): Wire {
  if (!('kind' in answer)) return { status: 200, type: '', body: JSON.stringify(answer) };
  switch (answer.kind) {
    case 'error': {
      const { status, type, message } = answer;
      return { status, type, body: JSON.stringify({ message }) };
    }
    case 'raw':
      return { status: answer.status, type: '', body: answer.body };
    case 'reset':
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    case 'hang':
    case 'trickle':
      throw new TypeError(`${answer.kind} needs a socket`);
  }
}
