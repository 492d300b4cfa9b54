import { toToolCallId } from '../../shared/contracts/identifiers.ts';
import type { StepDetail } from '../../shared/contracts/step.ts';
import { utf8Length } from '../../shared/kernel/utf8.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import {
  anOpenInvocation,
  aRaw,
  aReadySettlement,
  aRun,
  aSettlement,
  aStep,
  keyOf,
  SIGNAL,
} from './run-builders.ts';

/** Six tool calls, one in each of six rounds, and a seventh round for the draft. */
const CALLS = [1, 2, 3, 4, 5, 6] as const;

/** Plays the writes of one whole run with nothing left out of the audit: 20 KB raw for each call. */
export async function playRun(store: RunStore, sizes: Sizes): Promise<void> {
  const run = { ...aRun(), request: linesOf(sizes.requestBytes) };
  const key = keyOf(run);
  let sequence = 0;
  const audit = async (detail: StepDetail) => {
    sequence += 1;
    await store.appendStep(key, aStep(run, sequence, detail), SIGNAL);
  };

  await store.createRun(run, SIGNAL);
  for (const ordinal of CALLS) {
    const toolCallId = toToolCallId(ordinal);
    await store.enterRound(key, ordinal, SIGNAL);
    await audit(aRound(ordinal));
    if (ordinal === 1) await audit(PLAYBOOK_READ);
    if (ordinal > 1) await audit(anEvaluation(ordinal - 1));
    await store.openInvocation(key, anOpenInvocation(key, toolCallId), SIGNAL);
    await store.startProjection(key, toolCallId, aRaw(linesOf(sizes.rawBytes, ordinal)), SIGNAL);
    const observation = linesOf(sizes.observationBytes, ordinal);
    await store.settleReady(key, toolCallId, aReadySettlement(observation), SIGNAL);
    await audit(aToolCall(ordinal, observation));
  }
  await store.enterRound(key, 7, SIGNAL);
  await audit(aRound(7));
  await store.keepLegend(key, linesOf(sizes.legendBytes), SIGNAL);
  await store.settleRun(key, aSettlement({ outcome: linesOf(sizes.outcomeBytes) }), SIGNAL);
}

/** UTF-8 bytes of each text of a run. */
export interface Sizes {
  readonly requestBytes: number;
  readonly rawBytes: number;
  readonly observationBytes: number;
  readonly outcomeBytes: number;
  readonly legendBytes: number;
}

/** Log events as JSON lines, as varied as those of a service, up to a length. */
export function linesOf(bytes: number, seed = 1): string {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // a linear congruential generator
    return (state >>> 8) % below;
  };
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += utf8Length(lines.at(-1) ?? '') + 1) {
    lines.push(aLogEvent(next, lines.length));
  }
  return lines.join('\n').slice(0, bytes);
}

function aLogEvent(next: (below: number) => number, index: number): string {
  return JSON.stringify({
    '@timestamp': new Date(1_793_606_400_000 + index * 1_370 + next(900)).toISOString(),
    level: ['INFO', 'WARN', 'ERROR'][next(3)],
    logger: ['c.e.pay.GatewayClient', 'com.zaxxer.hikari.pool.HikariPool', 'o.s.web'][next(3)],
    thread: `http-nio-8080-exec-${next(200)}`,
    trace: `${next(0xff_ff_ff).toString(16)}${next(0xff_ff_ff).toString(16)}`,
    message: [
      `payment gateway timed out after ${next(30_000)} ms for order ORD-${next(1e6)}`,
      `Connection is not available, request timed out after ${next(30_000)}ms (active=${next(50)})`,
      `GET /api/orders/${next(1e6)} answered ${200 + next(300)} in ${next(4_000)} ms`,
      `retry ${next(3)}/3 of charge for customer ${next(1e6)}`,
    ][next(4)],
  });
}

function aRound(round: number): StepDetail {
  const tool_call_id = toToolCallId(round);
  const provider_id = `tooluse_${'kZ8QxY3vTf2LmN0pRsUw'.slice(round)}`;
  return {
    kind: 'ROUND',
    round,
    duration_ms: 8_421,
    model_stop_reason: 'tool_use',
    usage: {
      input_tokens: 18_211,
      output_tokens: 412,
      cache_read_tokens: 16_384,
      cache_write_tokens: 0,
    },
    service_request_id: '5f0c3f0e-2d55-4c70-9a2c-1b7f3ad2a001',
    tool_calls: [{ tool_call_id, tool_name: 'query_logs', provider_id }],
    failure: null,
  };
}

function aToolCall(round: number, observation: string): StepDetail {
  const { input } = anOpenInvocation(keyOf(aRun()));
  const { executed, truncated } = aReadySettlement();
  return {
    kind: 'TOOL_CALL',
    round,
    tool_call_id: toToolCallId(round),
    tool_name: 'query_logs',
    asked: { json: `{"previous_observation":null,"input":${input}}`, truncated: false },
    playbook: 'diagnose-payment-timeout',
    evidence_status: 'EVIDENCE_FOUND',
    error_code: null,
    executed,
    observation_bytes: utf8Length(observation),
    truncated,
    duration_ms: 3_120,
    stop_notice: false,
  };
}

function anEvaluation(ordinal: number): StepDetail {
  return {
    kind: 'EVALUATION',
    round: ordinal + 1,
    tool_call_id: toToolCallId(ordinal),
    evaluation: 'GAINED',
    given_by: toToolCallId(ordinal + 1),
  };
}

const PLAYBOOK_READ: StepDetail = {
  kind: 'PLAYBOOK_READ',
  round: 1,
  tool_call_id: toToolCallId(7),
  skill: 'diagnose-payment-timeout',
  before_evidence: true,
};
