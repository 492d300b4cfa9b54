import { request } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { EvidenceTool } from '../../functions/diagnosis/evidence/evidence-tool.ts';
import type { AdapterResult } from '../../functions/diagnosis/evidence/tool-adapter.ts';
import { type AdapterCall, scriptedTools } from './fake-tools.ts';

/** A source behind a socket that takes every connection and never answers. */
export interface SilentSource extends AsyncDisposable {
  /** The three tools, each of whose calls is one request to it. */
  readonly tools: readonly EvidenceTool[];
  readonly port: number;
  readonly connected: number;
  /** Connections that a request has reached. */
  readonly asked: number;
  /** Connections that the other side has closed since. */
  readonly closed: number;
}

export async function startSilentSource(): Promise<SilentSource> {
  const sockets: { readonly socket: Socket; asked: boolean; closed: boolean }[] = [];
  const server = createServer((socket) => {
    const seen = { socket, asked: false, closed: false };
    sockets.push(seen);
    socket.on('data', () => {
      seen.asked = true;
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      seen.closed = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    tools: scriptedTools((call) => ask(port, call)).tools,
    port,
    get connected() {
      return sockets.length;
    },
    get asked() {
      return sockets.filter(({ asked }) => asked).length;
    },
    get closed() {
      return sockets.filter(({ closed }) => closed).length;
    },
    async [Symbol.asyncDispose]() {
      for (const { socket } of sockets) socket.destroy();
      await closed(server);
    },
  };
}

/** One HTTP request under the signal of the call, as an adapter of a service would make it. */
function ask(port: number, { context }: AdapterCall): Promise<AdapterResult> {
  return new Promise((_resolve, reject) => {
    request({ port, host: '127.0.0.1', signal: context.signal }).on('error', reject).end();
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** A service that speaks HTTP/2 without TLS, takes every request and never answers. */
export interface SilentService extends AsyncDisposable {
  readonly url: string;
  readonly asked: number;
  /** Requests that the other side has given up since. */
  readonly closed: number;
}

export async function startSilentService(): Promise<SilentService> {
  let asked = 0;
  let closedRequests = 0;
  const server = createHttp2Server((incoming) => {
    asked += 1;
    incoming.on('aborted', () => {
      closedRequests += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    get asked() {
      return asked;
    },
    get closed() {
      return closedRequests;
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
