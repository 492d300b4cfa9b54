import { expect, it } from 'vitest';
import { sayText, scriptedBrain } from '../../../functions/cli/stand-in/scripted-brain.ts';
import {
  RunIdSchema,
  SessionIdSchema,
  toToolCallId,
} from '../../../shared/contracts/identifiers.ts';
import type { StepDetail } from '../../../shared/contracts/step.ts';
import { canonicalJson, sha256Hex } from '../../../shared/kernel/canonical-json.ts';
import { packRaw } from '../../../shared/store/raw-result.ts';
import type { ReadySettlement, RunKey, RunStore } from '../../../shared/store/run-store.ts';
import { startBench } from '../../support/diagnosis-bench.ts';

const RUN_ID = RunIdSchema.parse('run-1');
const REQUEST = canonicalJson({ query: '支付超时' });
const KEY: RunKey = { runId: RUN_ID, fence: 'gone' };
const SIGNAL = new AbortController().signal;
const HASH = '0'.repeat(64);
const THEN = '2026-11-30T08:00:00.000Z';

it('settles a run whose process is gone, with what the record holds of it', async () => {
  await using bench = await startBench({ brain: scriptedBrain(sayText('never asked')) });
  await leaveRunBehind(bench.store);

  const outcome = await bench.run({ query: '支付超时', run_id: RUN_ID });

  const invocations = await bench.store.readInvocations(RUN_ID, SIGNAL);
  expect(bench.server.requests).toHaveLength(0);
  expect(outcome).toMatchObject({
    status: 'FAILED',
    stop_reason: 'TOOL_CALLS_EXHAUSTED',
    failure: { code: 'RUN_ABANDONED', detail_code: 'LEASE_EXPIRED', rerunnable: true },
    progress: {
      checks: [
        {
          tool_call_id: 'call-1',
          evidence_status: 'EVIDENCE_FOUND',
          evaluation: 'GAINED',
          facts: ['2026-11-30T07:59:00Z ERROR Lock wait timeout exceeded'],
        },
      ],
    },
    usage: { model_calls: 2, tool_calls: 2, input_tokens: 100, rounds_without_usage: 1 },
  });
  expect(invocations.map((invocation) => [invocation.status, errorCodeOf(invocation)])).toEqual([
    ['READY', null],
    ['ERROR', 'ABANDONED'],
  ]);
});

it('answers the next delivery with the stored outcome', async () => {
  await using bench = await startBench({ brain: scriptedBrain(sayText('never asked')) });
  await leaveRunBehind(bench.store);
  const first = await bench.run({ query: '支付超时', run_id: RUN_ID });

  const second = await bench.run({ query: '支付超时', run_id: RUN_ID });

  expect(JSON.stringify(second)).toBe(JSON.stringify(first));
});

/** What a killed process leaves: one finished call, one that was open, no settlement. */
async function leaveRunBehind(store: RunStore): Promise<void> {
  await store.createRun({ record: aRecord(), request: REQUEST }, SIGNAL);
  await store.enterRound(KEY, 1, SIGNAL);
  await openCall(store, 1);
  const packed = packRaw(new TextEncoder().encode('raw'));
  if (packed.kind === 'too_large') throw new RangeError('three bytes are not too large');
  await store.startProjection(KEY, toToolCallId(1), packed.raw, SIGNAL);
  await store.settleReady(KEY, toToolCallId(1), readySettlement(), SIGNAL);
  await store.enterRound(KEY, 2, SIGNAL);
  await openCall(store, 2);
  for (const [index, detail] of STEPS.entries()) {
    await store.appendStep(KEY, aStep(index + 1, detail), SIGNAL);
  }
}

async function openCall(store: RunStore, ordinal: number): Promise<void> {
  await store.openInvocation(
    KEY,
    {
      schema_version: 1,
      run_id: RUN_ID,
      tool_call_id: toToolCallId(ordinal),
      tool_name: 'query_logs',
      fence: KEY.fence,
      input: '{}',
      opened_at: THEN,
      status: 'OPEN',
    },
    SIGNAL,
  );
}

function readySettlement(): ReadySettlement {
  const observation = JSON.stringify({
    tool_call_id: 'call-1',
    scope: { request: {}, window: null, notes: [] },
    events: ['2026-11-30T07:59:00Z ERROR Lock wait timeout exceeded'],
  });
  return {
    evidenceStatus: 'EVIDENCE_FOUND',
    observation,
    observationSha256: sha256Hex(observation),
    truncated: false,
    executed: { statement: null, window: null, sources: [] },
    settledAt: THEN,
  };
}

const USAGE = { input_tokens: 100, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
const ROUND: Omit<Extract<StepDetail, { kind: 'ROUND' }>, 'round' | 'usage'> = {
  kind: 'ROUND',
  duration_ms: 1,
  model_stop_reason: 'tool_use',
  service_request_id: null,
  tool_calls: [],
  failure: null,
};
const STEPS: readonly StepDetail[] = [
  { ...ROUND, round: 1, usage: USAGE },
  { ...ROUND, round: 2, usage: null },
  {
    kind: 'EVALUATION',
    round: 2,
    tool_call_id: toToolCallId(1),
    evaluation: 'GAINED',
    given_by: toToolCallId(2),
  },
  { kind: 'STOP', round: 2, stop_reason: 'TOOL_CALLS_EXHAUSTED', ends_run: false },
];

function aStep(sequence: number, detail: StepDetail) {
  const session_id = SessionIdSchema.parse(RUN_ID);
  return { schema_version: 1, run_id: RUN_ID, session_id, sequence, at: THEN, detail } as const;
}

function aRecord() {
  return {
    schema_version: 1,
    run_id: RUN_ID,
    session_id: SessionIdSchema.parse(RUN_ID),
    request_sha256: sha256Hex(REQUEST),
    status: 'RUNNING',
    fence: KEY.fence,
    rounds: 0,
    created_at: THEN,
    lease_expires_at: '2026-11-30T08:15:00.000Z',
    finished_at: null,
    cancel_requested_at: null,
    // Far off, so that the record is there however late the test runs.
    expires_at: '2999-01-01T00:00:00.000Z',
    seal_sha256: null,
    identity: {
      model_id: 'scripted',
      prompt_sha256: HASH,
      playbooks_sha256: HASH,
      catalog_sha256: HASH,
      code_version: 'test',
    },
  } as const;
}

function errorCodeOf(invocation: { readonly status: string }): unknown {
  return 'error_code' in invocation ? invocation.error_code : null;
}
