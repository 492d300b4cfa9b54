import { randomUUID } from 'node:crypto';
import {
  RunIdSchema,
  SessionIdSchema,
  type ToolCallId,
  toToolCallId,
} from '../../shared/contracts/identifiers.ts';
import type { Invocation } from '../../shared/contracts/invocation.ts';
import type { RunRecord } from '../../shared/contracts/run-record.ts';
import type { Step, StepDetail } from '../../shared/contracts/step.ts';
import { sha256Hex } from '../../shared/kernel/canonical-json.ts';
import { packRaw } from '../../shared/store/raw-result.ts';
import type {
  NewRun,
  RawResult,
  ReadySettlement,
  RunKey,
  RunSettlement,
} from '../../shared/store/run-store.ts';

export const CREATED = '2026-11-02T08:00:00.000Z';
export const DURING = '2026-11-02T08:01:00.000Z';
export const LEASE_END = '2026-11-02T08:15:30.000Z';
export const AFTER_LEASE = '2026-11-02T08:15:30.001Z';
export const EXPIRY = '2027-02-10T08:00:00.000Z';
export const AFTER_EXPIRY = '2027-02-10T08:00:00.001Z';

/** Never aborted. */
export const SIGNAL = new AbortController().signal;
export const ABORTED = AbortSignal.abort(new Error('the deadline has passed'));

export const CALL_1 = toToolCallId(1);

/** A run under an id of its own. */
export function aRun(given: Partial<RunRecord> = {}): NewRun {
  const runId = RunIdSchema.parse(`run-${randomUUID()}`);
  const record: RunRecord = {
    schema_version: 1,
    run_id: runId,
    session_id: SessionIdSchema.parse(runId),
    request_sha256: sha256Hex('request'),
    status: 'RUNNING',
    fence: randomUUID(),
    rounds: 0,
    created_at: CREATED,
    lease_expires_at: LEASE_END,
    finished_at: null,
    cancel_requested_at: null,
    expires_at: EXPIRY,
    seal_sha256: null,
    identity: {
      model_id: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
      prompt_sha256: sha256Hex('prompt'),
      playbooks_sha256: sha256Hex('playbooks'),
      catalog_sha256: sha256Hex('catalog'),
      code_version: '0.1.0',
    },
    ...given,
  };
  return { record, request: '{"query":"支付超时 😱"}' };
}

export function aSession() {
  return SessionIdSchema.parse(`session-${randomUUID()}`);
}

export function keyOf({ record }: NewRun): RunKey {
  return { runId: record.run_id, fence: record.fence };
}

/** A writer that never owned the run. */
export function strangerTo({ record }: NewRun): RunKey {
  return { runId: record.run_id, fence: 'another-fence' };
}

export function anOpenInvocation(
  { runId, fence }: RunKey,
  toolCallId: ToolCallId = CALL_1,
): Extract<Invocation, { status: 'OPEN' }> {
  return {
    schema_version: 1,
    run_id: runId,
    tool_call_id: toolCallId,
    tool_name: 'query_logs',
    fence,
    input: '{"topic":"payment","query":"超时","lookback_minutes":60}',
    opened_at: DURING,
    status: 'OPEN',
  };
}

export function aRaw(bytes: string | Uint8Array = '{"events":[]}'): RawResult {
  const packed = packRaw(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  if (packed.kind === 'too_large') throw new Error('the raw result of a test is too large');
  return packed.raw;
}

export function aReadySettlement(observation = '{"tool_call_id":"call-1"}'): ReadySettlement {
  return {
    evidenceStatus: 'EVIDENCE_FOUND',
    observation,
    observationSha256: sha256Hex(observation),
    truncated: true,
    executed: {
      statement: 'filter @message like "超时"',
      window: { from: CREATED, to: DURING },
      sources: ['/aws/payment'],
    },
    settledAt: DURING,
  };
}

export function aSettlement(given: Partial<RunSettlement> = {}): RunSettlement {
  return { status: 'COMPLETED', outcome: '{"status":"COMPLETED"}', finishedAt: DURING, ...given };
}

export function aStep({ record }: NewRun, sequence: number, detail = anEvaluation()): Step {
  return {
    schema_version: 1,
    run_id: record.run_id,
    session_id: record.session_id,
    sequence,
    at: DURING,
    detail,
  };
}

function anEvaluation(): StepDetail {
  return {
    kind: 'EVALUATION',
    round: 3,
    tool_call_id: CALL_1,
    evaluation: 'GAINED',
    given_by: toToolCallId(2),
  };
}

/** Letters that no compression shortens much; the same for the same length. */
export function pseudoRandomText(length: number): string {
  let state = 42;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // a linear congruential generator
    return String.fromCharCode(0x21 + ((state >>> 16) % 94));
  }).join('');
}
