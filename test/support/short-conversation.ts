import type { Brain, ConverseBody } from '../../functions/cli/stand-in/brain.ts';
import { callTools, sayText } from '../../functions/cli/stand-in/scripted-brain.ts';
import type { DiagnosisDraft } from '../../shared/contracts/diagnosis-draft.ts';

/** A row that `lock_wait_blockers` shows of the shipped incident, as far as no redaction touches it. */
const QUOTED_COLUMN = 'blocking_trx_seconds';

/**
 * Three rounds over the shipped incident, with every kind of write that a run can make: a playbook,
 * logs, a table, a source that fails, an evaluation, marks for the legend, a draft. It knows the round
 * from the request alone, so that one brain serves any number of runs at once.
 */
export const shortConversation: Brain = {
  async answer(request, { round }) {
    if (round === 1) {
      return callTools([
        { name: 'read_skill', input: { name: 'diagnose-payment-timeout' } },
        { name: 'query_logs', input: { input: logsOf('settlement-service') } },
      ])(request);
    }
    if (round === 2) {
      const previous_observation = { tool_call_id: 'call-2', evaluation: 'GAINED' };
      const locks = { query_name: 'lock_wait_blockers', parameters: {} };
      return callTools([
        { name: 'query_mysql', input: { previous_observation, input: locks } },
        { name: 'query_logs', input: { input: logsOf('no-such-topic') } },
      ])(request);
    }
    return sayText(JSON.stringify(draftOf(request)));
  },
};

function logsOf(topic: string) {
  return { topic, query: '批次 OR batch', lookback_minutes: 120 };
}

function draftOf(request: ConverseBody): DiagnosisDraft {
  const [row = ''] = shownRows(request);
  const at = row.indexOf(QUOTED_COLUMN);
  return {
    conclusion: '长事务持有行锁，支付确认在等待它',
    analysis: [
      {
        type: 'OBSERVATION',
        statement: '有一个长事务阻塞了其他会话',
        tool_call_ids: ['call-3'],
        quotes: [{ tool_call_id: 'call-3', text: row.slice(at, at + 40) }],
      },
      { type: 'OBSERVATION', statement: '结算批次在运行', tool_call_ids: ['call-2'] },
    ],
    action_plan: ['联系结算值班，结束长事务'],
    recommendations: [],
    limitations: { checked_scope: ['结算日志，锁等待'], missing_info: [] },
  };
}

/** The rows of the last table that the model was shown. */
function shownRows({ messages = [] }: ConverseBody): readonly string[] {
  const results = messages.flatMap(({ content = [] }) =>
    content.flatMap(({ toolResult }) => toolResult?.content?.[0]?.json ?? []),
  );
  const tables = results.flatMap((result) => ('rows' in Object(result) ? [Object(result)] : []));
  return tables.at(-1)?.rows ?? [];
}
