import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** One event to deliver, and how long the function has for it. */
export interface Invocation {
  readonly event: unknown;
  readonly requestId: string;
  readonly remainingMs: number;
}

/** What the function posted for an invocation: its result, or the error that Lambda would report. */
export type Posted =
  | { readonly kind: 'response'; readonly body: string }
  | { readonly kind: 'error'; readonly errorType: string; readonly errorMessage: string };

export interface InvokedLambda {
  readonly posted: readonly Posted[];
  /** Everything the process wrote to stdout and stderr. */
  readonly log: string;
}

/**
 * Runs a built function as Lambda does: a process of its own, started from a real `.mjs`, that fetches
 * its events from a Runtime API server and posts what comes of them.
 */
export async function invokeBundle(
  bundle: string,
  environment: Readonly<Record<string, string>>,
  invocations: readonly Invocation[],
): Promise<InvokedLambda> {
  const runtime = new RuntimeApi(invocations);
  const port = await runtime.listen();
  const folder = await mkdtemp(join(tmpdir(), 'lambda-'));
  const bootstrap = join(folder, 'bootstrap.mjs');
  await writeFile(bootstrap, BOOTSTRAP);
  const child = spawn(process.execPath, [bootstrap], {
    env: {
      PATH: process.env['PATH'] ?? '',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'stand-in',
      AWS_SECRET_ACCESS_KEY: 'stand-in',
      AWS_LAMBDA_FUNCTION_NAME: 'diagnosis',
      AWS_LAMBDA_FUNCTION_VERSION: '1',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      BUNDLE: bundle,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = Promise.all([text(child.stdout), text(child.stderr)]);
  const exited = once(child, 'exit');
  await Promise.race([runtime.done, exited]);
  child.kill('SIGKILL');
  await exited;
  await runtime.close();
  await rm(folder, { recursive: true, force: true });
  return { posted: runtime.posted, log: (await log).join('') };
}

/** The part of Lambda's runtime client that a handler can notice. */
const BOOTSTRAP = `
const api = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime';
const post = (path, body) => fetch(api + path, { method: 'POST', body: JSON.stringify(body) });
const toError = (error) => ({ errorType: error.name, errorMessage: error.message });
let handler;
try {
  ({ handler } = await import(process.env.BUNDLE));
} catch (error) {
  await post('/init/error', toError(error));
  process.exit(1);
}
for (;;) {
  const next = await fetch(api + '/invocation/next');
  const event = await next.json();
  const requestId = next.headers.get('lambda-runtime-aws-request-id');
  const deadline = Number(next.headers.get('lambda-runtime-deadline-ms'));
  const context = {
    awsRequestId: requestId,
    functionName: 'diagnosis',
    functionVersion: '1',
    invokedFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:diagnosis',
    memoryLimitInMB: '1024',
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  try {
    const result = await handler(event, context);
    await post('/invocation/' + requestId + '/response', result);
  } catch (error) {
    await post('/invocation/' + requestId + '/error', toError(error));
  }
}
`;

class RuntimeApi {
  readonly posted: Posted[] = [];
  readonly #waiting: Invocation[];
  readonly #server: Server;
  readonly #done = Promise.withResolvers<void>();

  constructor(invocations: readonly Invocation[]) {
    this.#waiting = [...invocations];
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Settles when every invocation was answered, or the function could not start. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port; // a TCP server has one
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    if (url.endsWith('/invocation/next')) return this.#next(response);
    const body = await text(request);
    this.posted.push(toPosted(url, body));
    response.writeHead(202).end('{}');
    if (url.endsWith('/init/error')) this.#done.resolve();
  }

  #next(response: ServerResponse): void {
    const invocation = this.#waiting.shift();
    if (invocation === undefined) {
      this.#done.resolve();
      return;
    }
    response.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': invocation.requestId,
      'lambda-runtime-deadline-ms': String(Date.now() + invocation.remainingMs),
    });
    response.end(JSON.stringify(invocation.event));
  }
}

function toPosted(url: string, body: string): Posted {
  if (url.endsWith('/response')) return { kind: 'response', body };
  const { errorType, errorMessage } = JSON.parse(body) as Record<
    'errorType' | 'errorMessage',
    string
  >; // from the bootstrap
  return { kind: 'error', errorType, errorMessage };
}
