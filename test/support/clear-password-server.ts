import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { TestCertificates } from './test-certificates.ts';

/** A server that asks for the password in clear text, as RDS does for its tokens, and does nothing else. */
export interface ClearPasswordServer extends AsyncDisposable {
  readonly port: number;
  /** What clients sent as their password. */
  readonly passwords: readonly string[];
  /** What clients sent before TLS. */
  readonly plainTexts: readonly string[];
}

const SSL_REQUEST_BYTES = 36;

const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
const DENIED = packetOf(0xff, 1045 & 0xff, 1045 >> 8, "#28000Access denied for user 'x'@'y'");
const ASKS_FOR_CLEAR_TEXT = packetOf(0xfe, 'mysql_clear_password', 0);

// CLIENT_SSL, CLIENT_PROTOCOL_41, CLIENT_SECURE_CONNECTION, CLIENT_PLUGIN_AUTH and what goes with them.
const CAPABILITIES = 0x0008_8a08 | 0x0000_0005;

/** Speaks just enough of MySQL's protocol for a login over TLS, and answers every command with OK. */
export async function startClearPasswordServer(
  certificates: TestCertificates,
  judge: (password: string) => 'accepted' | 'denied',
): Promise<ClearPasswordServer> {
  const passwords: string[] = [];
  const plainTexts: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((plain) => {
    sockets.add(plain);
    plain.on('error', () => {}); // clients hang up as they like
    plain.write(framed(0, greeting()));
    plain.once('data', (request) => {
      const rest = request.subarray(SSL_REQUEST_BYTES);
      plainTexts.push(request.subarray(0, SSL_REQUEST_BYTES).toString('latin1'));
      plain.pause();
      if (rest.length > 0) plain.unshift(rest); // TLS may begin in the same segment
      const secure = new TLSSocket(plain, {
        isServer: true,
        cert: readFileSync(certificates.certificate),
        key: readFileSync(certificates.key),
      });
      secure.on('error', () => {});
      secure.once('data', () => {
        secure.write(framed(3, ASKS_FOR_CLEAR_TEXT));
        secure.once('data', (answer) => {
          const password = answer.subarray(4, answer.indexOf(0, 4)).toString('utf8');
          passwords.push(password);
          const isAccepted = judge(password) === 'accepted';
          secure.write(framed(5, isAccepted ? OK : DENIED));
          secure.on('data', () => secure.write(framed(1, OK)));
        });
      });
    });
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP port was expected');
  return {
    port: address.port,
    passwords,
    plainTexts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function greeting(): Buffer {
  const low = CAPABILITIES & 0xffff;
  const high = CAPABILITIES >>> 16;
  const salt = 'abcdefgh';
  return packetOf(
    10,
    '8.0.36',
    0,
    1,
    0,
    0,
    0,
    salt,
    0,
    low & 0xff,
    low >> 8,
    255,
    2,
    0,
    high & 0xff,
    high >> 8,
    21,
    '\0'.repeat(10),
    'ijklmnopqrst',
    0,
    'mysql_native_password',
    0,
  );
}

function packetOf(...parts: readonly (number | string)[]): Buffer {
  return Buffer.concat(
    parts.map((part) =>
      typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part, 'latin1'),
    ),
  );
}

function framed(sequence: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([payload.length, 0, 0, sequence]), payload]);
}
