import type { Brain, ConverseBody } from '../../functions/cli/stand-in/brain.ts';
import { callTools, sayText } from '../../functions/cli/stand-in/scripted-brain.ts';
import type { DiagnosisDraft } from '../../shared/contracts/diagnosis-draft.ts';
import type { Source } from './scripted-sources.ts';

/** The host that every scripted line names; it becomes a mark, so that each run has a legend. */
export const TOKEN_HOST = '10.49.6.71';

/**
 * Three rounds with every kind of write. All that the model asks, reads and says holds the run id, which
 * stands in brackets in its question, so that runs which get mixed show it.
 */
export const tokenConversation: Brain = {
  async answer(request, { round }) {
    const runId = runIdIn(request);
    const logsOf = (topic: string) => ({ topic, query: `"${runId}"`, lookback_minutes: 60 });
    if (round === 1) {
      return callTools([
        { name: 'read_skill', input: { name: 'diagnose-payment-timeout' } },
        { name: 'query_logs', input: { input: logsOf('order') } },
      ])(request);
    }
    if (round === 2) {
      const previous_observation = { tool_call_id: 'call-2', evaluation: 'GAINED' };
      const locks = { query_name: 'lock_waits', parameters: {} };
      return callTools([
        { name: 'query_mysql', input: { previous_observation, input: locks } },
        { name: 'query_logs', input: { input: logsOf('payment') } },
      ])(request);
    }
    return sayText(JSON.stringify(draftOf(runId)));
  },
};

/** Finds lines of the run that asks; the second topic refuses. */
export const tokenSource: Source = async ({ toolName, input, context }) => {
  const { topic, query } = input as { topic?: string; query?: string }; // a checked input
  if (topic === 'payment') return { kind: 'failed', code: 'SOURCE_DENIED' };
  const runId = toolName === 'query_mysql' ? context.bindings['tenant_id'] : query?.slice(1, -1);
  return { kind: 'lines', lines: [lineOf(runId ?? ''), `asked from ${TOKEN_HOST}`] };
};

function lineOf(runId: string): string {
  return `session of ${runId} waits for a row lock`;
}

function runIdIn({ messages = [] }: ConverseBody): string {
  return /\[([A-Za-z0-9._-]{1,128})\]/.exec(JSON.stringify(messages[0]))?.[1] ?? '';
}

function draftOf(runId: string): DiagnosisDraft {
  return {
    conclusion: `${runId} 在等待行锁`,
    analysis: [
      {
        type: 'OBSERVATION',
        statement: `${runId} 的会话在等待行锁`,
        tool_call_ids: ['call-2', 'call-3'],
        quotes: ['call-2', 'call-3'].map((id) => ({ tool_call_id: id, text: lineOf(runId) })),
      },
    ],
    action_plan: [],
    recommendations: [],
    limitations: { checked_scope: ['order', 'lock_waits'], missing_info: [] },
  };
}
