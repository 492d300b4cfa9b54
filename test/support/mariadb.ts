import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql, { type Connection } from 'mysql2/promise';
import { vi } from 'vitest';
import { type MysqlEndpoint, MysqlEndpointSchema } from '../../shared/contracts/mysql-source.ts';

/** A private MariaDB: its own data folder, its own port, gone when it is disposed of. */
export interface MariaDb extends AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  /** Runs statements as the server's root, one after the other, and returns the rows of the last. */
  sql(...statements: readonly string[]): Promise<Record<string, unknown>[]>;
  /** An endpoint of a user that logs in with a password file; whatever is named differs. */
  endpoint(user: TestUser, differing?: Partial<MysqlEndpoint>): MysqlEndpoint;
}

export interface TestUser {
  readonly user: string;
  readonly password: string;
}

export const ROOT: TestUser = { user: 'root', password: 'root-canary-7Qx' };
export const READER: TestUser = { user: 'diagnosis', password: 'reader-canary-4Kz' };

/** Time for a test or a hook that starts a server; a busy machine takes long. */
export const SERVER_TIMEOUT_MS = 90_000;

const START_TIMEOUT_MS = 60_000;
const PATIENCE_MS = 15_000;

/** Waits for what a server does in its own time. */
export async function eventually(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, PATIENCE_MS);
}

/** Why MariaDB can't run here, or null where it can. */
export const missingMariaDb: string | null = ['mariadbd', 'mariadb-install-db'].every(isInstalled)
  ? null
  : 'needs mariadb-server-core (npm run test:setup)';

if (missingMariaDb !== null) {
  if (process.env['CI'] === 'true') throw new Error(`MariaDB: ${missingMariaDb}`);
  console.warn(`\n*** NOT RUN: tests on a real MariaDB - ${missingMariaDb} ***\n`);
}

/** Starts a server with a root user and the read-only user of the documentation. */
export async function startMariaDb(options: readonly string[] = []): Promise<MariaDb> {
  const folder = mkdtempSync(join(tmpdir(), 'mariadb-'));
  const data = join(folder, 'data');
  install(data);
  const port = await freePort();
  const child = spawn(
    executable('mariadbd'),
    [...SERVER_OPTIONS, `--datadir=${data}`, `--socket=${folder}/s`, `--port=${port}`, ...options],
    { stdio: 'ignore' },
  );
  const root = await firstConnection(port, child);
  const server: MariaDb = {
    port,
    folder,
    async sql(...statements) {
      let rows: unknown = [];
      for (const statement of statements) [rows] = await root.query(statement);
      return rows as Record<string, unknown>[]; // the driver gives objects for whatever has columns
    },
    endpoint: (user, differing) => passwordEndpoint({ port, folder, user }, differing),
    async [Symbol.asyncDispose]() {
      root.destroy();
      child.kill('SIGKILL');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.sql(
    `ALTER USER root@localhost IDENTIFIED BY '${ROOT.password}'`,
    `CREATE USER ${READER.user}@'%' IDENTIFIED BY '${READER.password}'`,
    `GRANT PROCESS, REPLICATION CLIENT ON *.* TO ${READER.user}@'%'`,
    `GRANT SELECT ON performance_schema.* TO ${READER.user}@'%'`,
    'CREATE DATABASE shop',
    `GRANT SELECT ON shop.* TO ${READER.user}@'%'`,
  );
  return server;
}

/** A port nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP port was expected');
  return address.port;
}

function passwordEndpoint(
  { port, folder, user: { user, password } }: { port: number; folder: string; user: TestUser },
  differing: Partial<MysqlEndpoint> = {},
): MysqlEndpoint {
  const file = join(folder, `${user}.password`);
  writeFileSync(file, `${password}\n`);
  return MysqlEndpointSchema.parse({
    host: '127.0.0.1',
    port,
    database: 'shop',
    login: { kind: 'PASSWORD_FILE', user, file },
    tls: 'off',
    ...differing,
  });
}

const SERVER_OPTIONS = [
  '--no-defaults',
  '--bind-address=127.0.0.1',
  '--performance-schema=ON',
  '--performance-schema-consumer-events-statements-current=ON',
  '--skip-log-bin',
  '--innodb-buffer-pool-size=32M',
  '--innodb-log-file-size=16M',
  '--innodb-flush-log-at-trx-commit=0',
  ...asRoot(),
];

function install(data: string): void {
  execFileSync(
    executable('mariadb-install-db'),
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--innodb-log-file-size=16M',
      ...asRoot(),
    ],
    { stdio: 'ignore' },
  );
}

/** The server refuses to be root unless it is told to. */
function asRoot(): readonly string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}

async function firstConnection(port: number, child: ChildProcess): Promise<Connection> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await mysql.createConnection({
        host: '127.0.0.1',
        port,
        user: 'root',
        dateStrings: true,
      });
    } catch (error) {
      if (child.exitCode !== null) throw new Error(`MariaDB exited with ${child.exitCode}`);
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

function executable(name: string): string {
  return isRunnable(name) ? name : `/usr/sbin/${name}`; // not in everybody's path on Debian
}

function isInstalled(name: string): boolean {
  return isRunnable(name) || isRunnable(`/usr/sbin/${name}`);
}

function isRunnable(command: string): boolean {
  return spawnSync(command, ['--help'], { stdio: 'ignore' }).error === undefined;
}
