import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { type RunnerTestCase, TestRunner } from 'vitest';
import type { Brain } from '../../functions/cli/stand-in/brain.ts';
import {
  type ConverseServer,
  startConverseServer,
} from '../../functions/cli/stand-in/converse-server.ts';
import type { PlaybookCatalog } from '../../functions/diagnosis/agent/playbooks.ts';
import type { StepHook } from '../../functions/diagnosis/audit/step-hook.ts';
import { type Delivery, diagnose } from '../../functions/diagnosis/diagnose.ts';
import type { EvidenceTool } from '../../functions/diagnosis/evidence/evidence-tool.ts';
import { type Configuration, ConfigurationSchema } from '../../shared/contracts/configuration.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import type { Step } from '../../shared/contracts/step.ts';
import { type Clock, systemClock } from '../../shared/kernel/clock.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import { createSqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import { fakeTools } from './fake-tools.ts';

/** What a test may name; everything else has a valid default. */
export interface BenchOptions {
  readonly brain: Brain;
  readonly evidence?: readonly EvidenceTool[];
  readonly playbooks?: PlaybookCatalog;
  readonly configuration?: Partial<Configuration>;
  readonly clock?: Clock;
  readonly store?: RunStore;
  readonly hook?: StepHook;
  /** The stable system block. */
  readonly prompt?: string;
}

/** A whole diagnosis on real parts: the real SDK over HTTP, the real agent, boundary and store. */
export interface Bench extends AsyncDisposable {
  readonly server: ConverseServer;
  readonly store: RunStore;
  readonly steps: readonly Step[];
  readonly faults: readonly { readonly name: string }[];
  run(event: unknown, delivery?: Partial<Delivery>): Promise<DiagnosisOutcome>;
}

declare module 'vitest' {
  interface TaskMeta {
    /** HTTP requests that reached the model's stand-in in this test. */
    standInRequests?: number;
  }
}

const HASH = '0'.repeat(64);

const TWO_PLAYBOOKS: PlaybookCatalog = {
  sha256: HASH,
  playbooks: [
    { name: 'diagnose-payment-timeout', description: '支付超时', body: '# 支付超时\n先看日志。' },
    { name: 'diagnose-slow-response', description: '响应变慢', body: '# 响应变慢\n先看日志。' },
  ],
};

export async function startBench(options: BenchOptions): Promise<Bench> {
  const { brain, clock = systemClock, playbooks = TWO_PLAYBOOKS } = options;
  const server = await startConverseServer({ brain });
  const client = benchClient(server.url);
  const store = options.store ?? createSqliteRunStore({ file: ':memory:' });
  const steps: Step[] = [];
  const faults: { name: string }[] = [];
  const configuration = benchConfiguration(options.configuration);
  const parts = {
    configuration,
    store,
    client,
    toolset: {
      evidence: options.evidence ?? fakeTools(),
      hasPlaybooks: configuration.playbooks_enabled,
    },
    playbooks,
    prompt: options.prompt ?? '你是 diagnosis_agent。',
    identity: {
      model_id: 'scripted',
      prompt_sha256: HASH,
      playbooks_sha256: HASH,
      catalog_sha256: HASH,
      code_version: 'test',
    },
    clock,
    hook: (step: Step) => {
      steps.push(step);
      options.hook?.(step);
    },
    reportFault: (fault: { readonly name: string }) => faults.push(fault),
  };
  return {
    server,
    store,
    steps,
    faults,
    run: (event, delivery = {}) =>
      diagnose(parts, {
        event,
        requestId: 'request-1',
        remainingMs: 900_000,
        cancel: null,
        ...delivery,
      }),
    async [Symbol.asyncDispose]() {
      noteRequests(server.requests.length);
      client.destroy();
      await server.close();
    },
  };
}

/** Leaves the number of requests with the test, for who reads the report of the whole suite. */
function noteRequests(count: number): void {
  const meta = TestRunner.getCurrentTest<RunnerTestCase | undefined>()?.meta;
  if (meta !== undefined) meta.standInRequests = (meta.standInRequests ?? 0) + count;
}

function benchClient(endpoint: string): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint,
    credentials: { accessKeyId: 'stand-in', secretAccessKey: 'stand-in' },
    maxAttempts: 1,
    requestHandler: { requestTimeout: 60_000 },
  });
}

function benchConfiguration(overrides: Partial<Configuration> = {}): Configuration {
  return {
    ...ConfigurationSchema.parse({
      schema_version: 1,
      model: { model_id: 'scripted' },
      playbooks_folder: 'skills',
      topics: [],
      logs: { kind: 'FILES', folder: 'logs' },
      knowledge: { kind: 'MARKDOWN', folder: 'knowledge' },
      mysql: { kind: 'SNAPSHOT', folder: 'mysql', taken_at: '2026-11-30T00:00:00Z' },
      store: { kind: 'SQLITE', file: ':memory:' },
    }),
    ...overrides,
  };
}
