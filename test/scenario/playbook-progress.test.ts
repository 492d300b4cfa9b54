import { describe, expect, it } from 'vitest';
import { conclude } from '../support/drafts.ts';
import { askLogs, play, rawCall, readSkill, round } from '../support/played.ts';

describe('a playbook read', () => {
  it('takes no envelope and settles nothing', async () => {
    const wrapped = rawCall('read_skill', {
      previous_observation: { tool_call_id: 'call-1', evaluation: 'GAINED' },
      name: 'diagnose-slow-response',
    });
    const answers = [round(askLogs('one')), round(wrapped, askLogs('two')), conclude()];

    const { shownAfter } = await play(answers);

    expect(shownAfter(2)).toMatchObject([
      { error_code: 'INVALID_INPUT', fields: ['name'] },
      { control: 'REPAIR_REQUIRED', expected_tool_call_id: 'call-1' },
    ]);
  });

  it.each([
    ['of an unknown name', ['no-such', 'nor-this', 'nor-that']],
    [
      'of one that was read',
      [
        'diagnose-slow-response',
        'diagnose-slow-response',
        'diagnose-slow-response',
        'diagnose-slow-response',
      ],
    ],
  ])('%s counts as a round without gain', async (_what, names) => {
    const answers = [
      ...names.map((name) => round(readSkill(name))),
      round(askLogs('one')),
      conclude(),
    ];

    const { outcome, shownAfter } = await play(answers);

    expect(shownAfter(names.length + 1)).toMatchObject([{ control: 'STOP_REQUIRED' }]);
    expect(outcome.stop_reason).toBe('INFORMATION_SATURATED');
  });

  it('is an unknown tool where playbooks are switched off', async () => {
    const { shownAfter } = await play([round(readSkill('diagnose-slow-response')), conclude()], {
      configuration: { playbooks_enabled: false },
    });

    expect(shownAfter(1)).toEqual([
      { tool_call_id: 'call-1', evidence_status: 'ERROR', error_code: 'UNKNOWN_TOOL' },
    ]);
  });
});
