import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
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

/** Runs a built function, delivers the events one after the other, and ends it. */
export async function invokeBundle(
  bundle: string,
  environment: Readonly<Record<string, string>>,
  invocations: readonly Invocation[],
): Promise<InvokedLambda> {
  const lambda = await LambdaProcess.start(bundle, environment);
  const posted: Posted[] = [];
  for (const invocation of invocations) {
    const came = await lambda.invoke(invocation);
    if (came.kind === 'died') break;
    posted.push(came);
  }
  return { posted, log: await lambda.end() };
}

/** What came of an invocation: what the function posted, or nothing since its process died. */
export type Came = Posted | { readonly kind: 'died' };

/**
 * A built function as Lambda runs it: a process of its own, started from a real `.mjs`, that fetches its
 * events from a Runtime API server and posts what comes of them.
 */
export class LambdaProcess {
  readonly #runtime: RuntimeApi;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #log: Promise<readonly string[]>;
  readonly #exited: Promise<unknown>;
  readonly #folder: string;

  private constructor(
    runtime: RuntimeApi,
    child: ChildProcessByStdio<null, Readable, Readable>,
    folder: string,
  ) {
    this.#runtime = runtime;
    this.#child = child;
    this.#folder = folder;
    this.#log = Promise.all([text(child.stdout), text(child.stderr)]);
    this.#exited = once(child, 'exit').then(() => runtime.giveUp());
  }

  static async start(
    bundle: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<LambdaProcess> {
    const runtime = new RuntimeApi();
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
    return new LambdaProcess(runtime, child, folder);
  }

  /** Delivers one event; a process serves one at a time. */
  invoke(invocation: Invocation): Promise<Came> {
    return this.#runtime.deliver(invocation);
  }

  /** Kills the process where it stands. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Ends the process and hands over everything that it wrote to stdout and stderr. */
  async end(): Promise<string> {
    this.kill();
    await this.#exited;
    await this.#runtime.close();
    await rm(this.#folder, { recursive: true, force: true });
    return (await this.#log).join('');
  }
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

interface Delivery {
  readonly invocation: Invocation;
  readonly came: (came: Came) => void;
}

class RuntimeApi {
  readonly #waiting: Delivery[] = [];
  readonly #server: Server;
  #idle: ServerResponse | null = null;
  #inHand: Delivery | null = null;
  #failure: Came | null = null;

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
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

  deliver(invocation: Invocation): Promise<Came> {
    const { promise, resolve: came } = Promise.withResolvers<Came>();
    if (this.#failure === null) this.#waiting.push({ invocation, came });
    else came(this.#failure);
    this.#handOver();
    return promise;
  }

  /** The process is gone: nothing will come of what was delivered. */
  giveUp(failure: Came = { kind: 'died' }): void {
    this.#failure ??= failure;
    this.#inHand?.came(this.#failure);
    for (const { came } of this.#waiting.splice(0)) came(this.#failure);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    if (url.endsWith('/invocation/next')) {
      this.#idle = response;
      return this.#handOver();
    }
    const posted = toPosted(url, await text(request));
    response.writeHead(202).end('{}');
    if (url.endsWith('/init/error')) return this.giveUp(posted);
    this.#inHand?.came(posted);
    this.#inHand = null;
  }

  #handOver(): void {
    const response = this.#idle;
    const delivery = response === null ? undefined : this.#waiting.shift();
    if (response === null || delivery === undefined) return;
    this.#idle = null;
    this.#inHand = delivery;
    const { event, requestId, remainingMs } = delivery.invocation;
    response.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': requestId,
      'lambda-runtime-deadline-ms': String(Date.now() + remainingMs),
    });
    response.end(JSON.stringify(event));
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
