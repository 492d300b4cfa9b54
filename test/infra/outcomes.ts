import {
  type DiagnosisOutcome,
  DiagnosisOutcomeSchema,
} from '../../shared/contracts/diagnosis-outcome.ts';
import type { DetailCode, FailureCode } from '../../shared/contracts/failure.ts';

const frame = {
  schema_version: 1,
  query: '支付为什么超时？',
  as_of: '2026-11-03T05:00:00.000Z',
  progress: null,
  usage: {
    model_calls: 2,
    tool_calls: 1,
    bytes: 2_048,
    time_ms: 9_000,
    input_tokens: 4_000,
    output_tokens: 300,
    cache_read_tokens: 1_000,
    cache_write_tokens: 500,
    rounds_without_usage: 0,
    limits: {
      model_calls: 10,
      tool_calls: 16,
      tokens: 400_000,
      bytes: 524_288,
      time_ms: 900_000,
    },
  },
  started_at: '2026-11-03T05:00:01.000Z',
  finished_at: '2026-11-03T05:00:10.000Z',
};

/** An outcome without a conclusion, as the function returns it. */
export function completed(runId: string): DiagnosisOutcome {
  return outcome(runId, {
    status: 'COMPLETED',
    stop_reason: null,
    failure: null,
    draft: {
      conclusion: null,
      analysis: [],
      action_plan: [],
      recommendations: [],
      limitations: { checked_scope: [], missing_info: ['支付渠道的日志'] },
    },
    grounding: { conclusion: 'NONE', items: [] },
  });
}

export function stopped(runId: string): DiagnosisOutcome {
  const verdict = { status: 'STOPPED', stop_reason: 'DEADLINE', failure: null };
  return outcome(runId, { ...verdict, draft: null, grounding: null });
}

export function failed(
  runId: string,
  code: FailureCode,
  detail: DetailCode,
  rerunnable: boolean,
): DiagnosisOutcome {
  const failure = { code, detail_code: detail, rerunnable };
  return outcome(runId, {
    status: 'FAILED',
    stop_reason: null,
    failure,
    draft: null,
    grounding: null,
  });
}

function outcome(runId: string, verdict: object): DiagnosisOutcome {
  const ids = { run_id: runId.slice(0, 128), session_id: runId.slice(0, 128) };
  return DiagnosisOutcomeSchema.parse({ ...frame, ...ids, ...verdict });
}
