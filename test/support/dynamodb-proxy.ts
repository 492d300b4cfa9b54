import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as forwardTo,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request on its way to DynamoDB. */
export interface ProxiedRequest {
  /** As DynamoDB names it, such as `TransactWriteItems`. */
  readonly operation: string;
  readonly isWrite: boolean;
  /** The run whose items it is about, or null for a request about no run. */
  readonly runId: string | null;
  readonly body: string;
  /** How often the SDK has sent it, this time included. */
  readonly attempt: number;
}

/** What becomes of one request. */
export type Fate =
  | { readonly kind: 'pass' }
  /** Something happens to the caller before DynamoDB hears of it, or once DynamoDB has done it. */
  | { readonly kind: 'strike'; readonly when: 'before' | 'after'; readonly blow: () => void }
  /** DynamoDB does it, and the connection breaks before the answer. */
  | { readonly kind: 'lose_answer' }
  /** The connection breaks before DynamoDB hears of it. */
  | { readonly kind: 'reset' }
  /** DynamoDB refuses without doing anything. */
  | { readonly kind: 'refuse'; readonly status: number; readonly type: string }
  /** DynamoDB does it at once and answers late. */
  | { readonly kind: 'answer_late'; readonly afterMs: number }
  /** DynamoDB hears of it late, when the caller may have sent it again. */
  | { readonly kind: 'arrive_late'; readonly afterMs: number };

const WRITES = new Set(['PutItem', 'UpdateItem', 'TransactWriteItems']);

/** An HTTP proxy in front of DynamoDB Local that lets a test decide the fate of every request. */
export class DynamoDbProxy implements AsyncDisposable {
  /** Every request in the order of arrival. */
  readonly requests: ProxiedRequest[] = [];
  /** Decides the fate of each request; all pass until a test says otherwise. */
  decide: (request: ProxiedRequest) => Fate = () => ({ kind: 'pass' });
  readonly #target: URL;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => request.socket.destroy()); // the caller may be dead by now
  });

  private constructor(target: string) {
    this.#target = new URL(target);
  }

  static async start(target: string): Promise<DynamoDbProxy> {
    const proxy = new DynamoDbProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get endpoint(): string {
    const { port } = this.#server.address() as AddressInfo; // a TCP server has one
    return `http://127.0.0.1:${port}`;
  }

  /** The requests about one run. */
  requestsOf(runId: string): readonly ProxiedRequest[] {
    return this.requests.filter((request) => request.runId === runId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
    this.#agent.destroy();
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const request = toProxiedRequest(incoming, body.toString('utf8'));
    this.requests.push(request);
    const fate = this.decide(request);
    const forward = () => this.#forward(incoming, body);
    switch (fate.kind) {
      case 'pass':
        return answer(outgoing, await forward());
      case 'strike':
        if (fate.when === 'after') await forward();
        fate.blow();
        incoming.socket.destroy();
        return;
      case 'lose_answer':
        await forward();
        incoming.socket.destroy();
        return;
      case 'reset':
        incoming.socket.resetAndDestroy();
        return;
      case 'refuse':
        return answer(outgoing, refusal(fate));
      case 'answer_late': {
        const answered = await forward();
        await sleep(fate.afterMs);
        return answer(outgoing, answered);
      }
      case 'arrive_late':
        await sleep(fate.afterMs);
        return answer(outgoing, await forward());
    }
  }

  async #forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Answered> {
    const { hostname, port } = this.#target;
    const forwarded = forwardTo({ agent: this.#agent, hostname, port, method, path: url, headers });
    forwarded.end(body);
    const [response] = (await once(forwarded, 'response')) as [IncomingMessage]; // Node's own event
    return {
      status: response.statusCode ?? 500,
      headers: response.headers,
      body: await buffer(response),
    };
  }
}

interface Answered {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

function toProxiedRequest({ headers }: IncomingMessage, body: string): ProxiedRequest {
  const operation = String(headers['x-amz-target']).split('.').at(-1) ?? '';
  const runId = /"RUN#([A-Za-z0-9._-]{1,128})"/.exec(body)?.[1] ?? null;
  const attempt = Number(/attempt=([0-9]+)/.exec(String(headers['amz-sdk-request']))?.[1] ?? '1');
  return { operation, isWrite: WRITES.has(operation), runId, body, attempt };
}

function refusal({ status, type }: Extract<Fate, { kind: 'refuse' }>): Answered {
  const fault = {
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    message: 'as the test wants',
  };
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return { status, headers, body: Buffer.from(JSON.stringify(fault)) };
}

function answer(outgoing: ServerResponse, { status, headers, body }: Answered): void {
  outgoing.writeHead(status, headers).end(body);
}
