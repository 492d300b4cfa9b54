import http from 'node:http';
import http2 from 'node:http2';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Brain, BrainAnswer, ConverseBody } from './brain.ts';
import { roundOf } from './brain.ts';
import { findFault } from './converse-faults.ts';
import { modelIdOf, type RecordedRequest, readBody } from './converse-request.ts';
import { type Outgoing, sendAnswer, sendError } from './converse-response.ts';
import { tryParseJson } from './json-shape.ts';

/** Bytes of one request body: ten times what a diagnosis may send in all. */
const DEFAULT_MAX_BODY_BYTES = 5_242_880;

export interface ConverseServerOptions {
  readonly brain: Brain;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  readonly maxBodyBytes?: number;
}

export interface ConverseServer {
  readonly url: string;
  /** Every request in order of arrival; entries go on changing until they are answered. */
  readonly requests: readonly RecordedRequest[];
  /** Cuts every connection and frees the port. */
  close(): Promise<void>;
}

type Incoming = http.IncomingMessage | http2.Http2ServerRequest;

/**
 * Speaks Bedrock's `POST /model/{id}/converse` over HTTP/1.1 and HTTP/2 without TLS on one port and
 * refuses what Bedrock would refuse. Credentials are not looked at.
 */
export async function startConverseServer(options: ConverseServerOptions): Promise<ConverseServer> {
  const { port = 0, host = '127.0.0.1' } = options;
  const requests: RecordedRequest[] = [];
  const sockets = new Map<number, Socket>();
  const handle = (incoming: Incoming, outgoing: Outgoing) => {
    const record = recordOf(incoming);
    requests.push(record);
    const reset = () => void sockets.get(record.remotePort)?.resetAndDestroy();
    serve(incoming, outgoing, record, { ...options, reset }).catch((error: unknown) => {
      sendError(outgoing, record, 500, 'InternalServerException', String(error));
    });
  };

  const listener = listenFor(http.createServer(handle), http2.createServer(handle), sockets);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject).listen(port, host, resolve);
  });

  return {
    url: urlOf(listener.address()),
    requests,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

interface ServeOptions extends ConverseServerOptions {
  readonly reset: () => void;
}

async function serve(
  incoming: Incoming,
  outgoing: Outgoing,
  record: RecordedRequest,
  { brain, maxBodyBytes = DEFAULT_MAX_BODY_BYTES, reset }: ServeOptions,
): Promise<void> {
  const gone = abortWhenGone(outgoing, record);
  const modelId = record.method === 'POST' ? modelIdOf(record.path) : null;
  if (modelId === null) {
    return sendError(outgoing, record, 404, 'UnknownOperationException', 'no such operation');
  }
  const text = await readBody(incoming, maxBodyBytes);
  if (text === null) {
    const message = `the body has more than ${maxBodyBytes} bytes`;
    return sendError(outgoing, record, 413, 'RequestEntityTooLargeException', message);
  }
  const parsed = tryParseJson(text);
  const fault = findFault(parsed);
  if (fault !== null) {
    record.fault = fault;
    return sendError(outgoing, record, 400, 'ValidationException', fault);
  }

  const body = parsed as ConverseBody; // findFault has checked every part a brain reads.
  record.body = body;
  const answer = await brain.answer(body, { round: roundOf(body), modelId, signal: gone });
  await deliver(outgoing, record, answer, { signal: gone, reset });
}

async function deliver(
  outgoing: Outgoing,
  record: RecordedRequest,
  answer: BrainAnswer,
  { signal, reset }: { readonly signal: AbortSignal; readonly reset: () => void },
): Promise<void> {
  if (signal.aborted) return;
  if ('kind' in answer && answer.kind === 'reset') return reset();
  await sendAnswer(outgoing, record, answer, signal);
}

function abortWhenGone(outgoing: Outgoing, record: RecordedRequest): AbortSignal {
  const gone = new AbortController();
  // HTTP/2 says `finish` of an aborted stream too, so only the end of our own writing counts.
  outgoing.on('close', () => {
    if (outgoing.writableEnded) return;
    record.aborted = true;
    gone.abort();
  });
  return gone.signal;
}

function recordOf(incoming: Incoming): RecordedRequest {
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    protocol: incoming.httpVersion === '2.0' ? 'HTTP/2.0' : 'HTTP/1.1',
    remotePort: incoming.socket.remotePort ?? 0,
    body: null,
    fault: null,
    status: null,
    aborted: false,
  };
}

/** A client that knows HTTP/2 beforehand begins with `PRI * HTTP/2.0` (RFC 9113, 3.4). */
function listenFor(
  http1: http.Server,
  http2Server: http2.Http2Server,
  sockets: Map<number, Socket>,
): net.Server {
  return net.createServer((socket) => {
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.on('close', () => sockets.delete(port));
    socket.on('error', () => socket.destroy()); // A client may go away at any moment.
    socket.once('readable', () => {
      const first: Buffer | null = socket.read();
      if (first === null) {
        socket.destroy(); // Closed without a word.
        return;
      }
      socket.unshift(first);
      const isHttp2 = first.subarray(0, 3).toString('latin1') === 'PRI';
      (isHttp2 ? http2Server : http1).emit('connection', socket);
    });
  });
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new TypeError('no TCP address');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
