import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCapsule } from '../../functions/cli/capsule.ts';
import {
  type ConverseServer,
  startConverseServer,
} from '../../functions/cli/stand-in/converse-server.ts';
import { createOfflineModel } from '../../functions/cli/stand-in/offline-model.ts';
import { bundleDiagnosis } from '../../infra/bundle.ts';
import {
  type DiagnosisOutcome,
  DiagnosisOutcomeSchema,
} from '../../shared/contracts/diagnosis-outcome.ts';
import { type Invocation, invokeBundle } from '../support/runtime-api.ts';
import { diagnoseInTerminal } from '../support/terminal-run.ts';

const { folder: capsule, incident } = openCapsule('payment-timeout');
const EVENT = { query: incident.query, as_of: incident.as_of, bindings: incident.bindings };

let folder: string;
let server: ConverseServer;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  server = await startConverseServer({ brain: createOfflineModel() });
  await bundleDiagnosis(join(folder, 'asset'));
  const configuration = join(folder, 'asset', 'configuration.json');
  await writeFile(configuration, JSON.stringify(configurationOf(server.url)));
  environment = { DIAGNOSIS_CONFIGURATION: configuration };
}, 60_000);

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the built bundle under a Runtime API server', () => {
  it('answers with the outcome of the same code in the terminal, ids and times apart', async () => {
    const fromTerminal = await diagnoseInTerminal();

    const { posted } = await invoke({ event: EVENT, requestId: 'request-1', remainingMs: 900_000 });

    const [answer] = posted;
    const outcome = answer?.kind === 'response' ? JSON.parse(answer.body) : answer;
    expect(DiagnosisOutcomeSchema.parse(outcome).run_id).toBe('request-1');
    expect(withoutIdsAndTimes(outcome)).toEqual(withoutIdsAndTimes(fromTerminal));
  });

  it('returns the stored outcome byte for byte when the same event is delivered again', async () => {
    const invocation = { event: EVENT, requestId: 'request-2', remainingMs: 900_000 };

    const { posted } = await invoke(invocation, invocation);

    expect(posted[0]?.kind).toBe('response');
    expect(posted[1]).toEqual(posted[0]);
  });

  it.each<[string, Partial<Invocation>, string]>([
    ['a blank query', { event: { query: '  ' } }, 'InvalidRequestError'],
    ['an unknown key', { event: { query: 'q', tenant: 't' } }, 'InvalidRequestError'],
    ['too little time', { remainingMs: 25_000 }, 'DeadlineTooShortError'],
    [
      'another request under a taken id',
      { event: { query: 'another', run_id: 'request-2' } },
      'RunConflictError',
    ],
  ])('throws by its documented name for %s', async (_case, invocation, errorType) => {
    const { posted } = await invoke({
      event: EVENT,
      requestId: 'request-3',
      remainingMs: 900_000,
      ...invocation,
    });

    expect(posted).toEqual([expect.objectContaining({ kind: 'error', errorType })]);
  });

  it('writes neither the question nor a draft to its log', async () => {
    const { log } = await invoke({ event: EVENT, requestId: 'request-4', remainingMs: 900_000 });

    expect(log).toContain('"run_id":"request-4"');
    expect(log).not.toContain(incident.query.slice(0, 12));
    expect(log).not.toContain('Lock wait timeout');
  });
});

function invoke(...invocations: readonly Invocation[]) {
  return invokeBundle(join(folder, 'asset', 'index.mjs'), environment, invocations);
}

function configurationOf(endpoint: string) {
  return {
    schema_version: 1,
    time_zone: incident.time_zone,
    model: { model_id: 'offline', endpoint },
    playbooks_folder: 'skills',
    shipped_sample: incident.shipped_sample,
    topics: incident.topics,
    logs: { kind: 'FILES', folder: join(capsule, 'logs') },
    knowledge: { kind: 'MARKDOWN', folder: join(capsule, 'knowledge') },
    mysql: { kind: 'SNAPSHOT', folder: join(capsule, 'mysql'), taken_at: incident.as_of },
    store: { kind: 'SQLITE', file: join(folder, 'record.sqlite') },
  };
}

function withoutIdsAndTimes(outcome: DiagnosisOutcome) {
  const { run_id, session_id, started_at, finished_at, usage, ...rest } = outcome;
  return { ...rest, usage: { ...usage, time_ms: 0 } };
}
