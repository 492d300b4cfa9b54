import { sayText } from '../../functions/cli/stand-in/scripted-brain.ts';
import type { DiagnosisDraft } from '../../shared/contracts/diagnosis-draft.ts';

/** The words that every fake log line and row holds. */
export const FAKE_FACT = 'Lock wait timeout exceeded';

/** A draft without a conclusion, complete in itself. */
export function aDraft(changes: Partial<DiagnosisDraft> = {}): DiagnosisDraft {
  return {
    conclusion: null,
    analysis: [],
    action_plan: [],
    recommendations: [],
    limitations: { checked_scope: ['orders 最近 60 分钟的日志'], missing_info: ['支付服务的日志'] },
    ...changes,
  };
}

/** A draft whose conclusion rests on a quote from the fake evidence of this call. */
export function aGroundedDraft(toolCallId: string): DiagnosisDraft {
  return aDraft({
    conclusion: '锁等待导致支付超时',
    analysis: [
      {
        type: 'OBSERVATION',
        statement: '日志中出现锁等待超时',
        tool_call_ids: [toolCallId],
        quotes: [{ tool_call_id: toolCallId, text: FAKE_FACT }],
      },
    ],
  });
}

/** The last words: a draft as the one JSON object they must be. */
export function conclude(draft: DiagnosisDraft = aDraft()) {
  return sayText(JSON.stringify(draft));
}
