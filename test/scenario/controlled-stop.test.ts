import { describe, expect, it } from 'vitest';
import { sayText } from '../../functions/cli/stand-in/scripted-brain.ts';
import { aDraft, conclude } from '../support/drafts.ts';
import { scriptedTools } from '../support/fake-tools.ts';
import { askLogs, askMysql, play, round } from '../support/played.ts';

const NOTHING = () => [];
const INVENTED = '数据库没有问题，原因是网络。';

function crash(): never {
  throw new TypeError('nobody raised this on purpose');
}

describe('Diagnosis execution SHALL preserve controlled stop outcomes', () => {
  it('Model ignores STOP_REQUIRED', async () => {
    const answers = [
      round(askLogs('one')),
      round(askLogs('two')),
      round(askLogs('three')),
      round(askLogs('four')),
      round(askLogs('five')),
    ];

    const { outcome, requests, adapterCalls, shownAfter } = await play(answers, {
      source: NOTHING,
    });

    expect(shownAfter(4)).toEqual([{ tool_call_id: 'call-4', control: 'STOP_REQUIRED' }]);
    expect(outcome).toMatchObject({
      status: 'STOPPED',
      stop_reason: 'INFORMATION_SATURATED',
      failure: null,
      draft: null,
      grounding: null,
    });
    expect(outcome.progress?.checks.map(({ tool_call_id }) => tool_call_id)).toEqual([
      'call-1',
      'call-2',
      'call-3',
    ]);
    expect(requests).toHaveLength(5);
    expect(adapterCalls).toHaveLength(3);
  });

  it('Unclassified framework failure', async () => {
    const { tools } = scriptedTools();
    const evidence = tools.map((tool) => ({ ...tool, prepare: crash }));

    const { outcome, requests, invocations, faults } = await play([round(askLogs('timeout'))], {
      evidence,
    });

    expect(outcome).toMatchObject({
      status: 'FAILED',
      stop_reason: null,
      failure: { code: 'AGENT_FAILED', detail_code: 'FRAMEWORK_ERROR', rerunnable: false },
      draft: null,
      progress: null,
    });
    expect(requests).toHaveLength(1);
    expect(invocations).toEqual([]);
    expect(faults).toEqual([{ name: 'TypeError' }]);
  });

  it.each([
    ['empty', '', 'EMPTY'],
    ['prose', INVENTED, 'MALFORMED'],
    ['of another schema', JSON.stringify({ ...aDraft(), root_cause: INVENTED }), 'SCHEMA'],
  ])('Invalid final Draft after verified checks', async (_how, words, detailCode) => {
    const answers = [
      round(askLogs('timeout')),
      round(askMysql('lock_waits', ['call-1', 'GAINED'])),
      sayText(words),
    ];

    const { outcome, requests } = await play(answers);

    const { failure, draft, progress } = outcome;
    expect(failure).toEqual({ code: 'OUTPUT_REFUSED', detail_code: detailCode, rerunnable: false });
    expect(draft).toBeNull();
    expect(
      progress?.checks.map(({ tool_call_id, evaluation }) => [tool_call_id, evaluation]),
    ).toEqual([
      ['call-1', 'GAINED'],
      ['call-2', null],
    ]);
    expect(JSON.stringify(outcome)).not.toContain(INVENTED);
    expect(requests).toHaveLength(3);
  });

  it('Invalid final Draft without verified checks', async () => {
    const { outcome, requests } = await play([sayText(INVENTED)]);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'OUTPUT_REFUSED', detail_code: 'MALFORMED', rerunnable: false },
      draft: null,
      grounding: null,
      progress: null,
    });
    expect(requests).toHaveLength(1);
  });

  it('lets a draft follow when the model heeds the stop', async () => {
    const answers = [
      round(askLogs('one')),
      round(askLogs('two')),
      round(askLogs('three')),
      round(askLogs('four')),
      conclude(),
    ];

    const { outcome } = await play(answers, { source: NOTHING });

    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      stop_reason: 'INFORMATION_SATURATED',
      draft: aDraft(),
    });
  });
});
