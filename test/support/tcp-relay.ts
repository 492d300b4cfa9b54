import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A relay between a client and a server on this machine, which counts and can misbehave. */
export interface TcpRelay extends AsyncDisposable {
  readonly port: number;
  /** Bytes that came from the server and were passed on. */
  bytesDown(): number;
  /** Passes nothing on any more, in either direction, without closing anything. */
  stall(): void;
  /** Breaks every connection, as a failover does. */
  cut(): void;
}

export async function startRelay(target: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  let bytes = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}); // a broken connection is what the relay is for
    }
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      bytes += chunk.length;
    });
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP port was expected');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    bytesDown: () => bytes,
    stall() {
      for (const socket of sockets) socket.pause();
      server.removeAllListeners('connection');
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
