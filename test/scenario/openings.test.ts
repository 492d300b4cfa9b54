import { describe, expect, it } from 'vitest';
import { aGroundedDraft, conclude } from '../support/drafts.ts';
import type { FakeSource } from '../support/fake-tools.ts';
import {
  askKnowledge,
  askLogs,
  askMysql,
  type PlayOptions,
  play,
  rawCall,
  readSkill,
  round,
} from '../support/played.ts';

const THREE = [askKnowledge('支付超时'), askLogs('timeout'), askMysql('lock_waits')];
const SKILL = 'diagnose-payment-timeout';

const NOTHING: FakeSource = () => [];
const SECOND_FAILS: FakeSource = ({ toolName }) =>
  toolName === 'query_logs'
    ? { kind: 'failed', code: 'SOURCE_UNAVAILABLE', executed: null }
    : [`${toolName}: Lock wait timeout exceeded`];

describe('three parallel calls in round one', () => {
  it('all find evidence, the last of which is then to be evaluated', async () => {
    const answers = [
      round(...THREE),
      round(askLogs('lock', ['call-3', 'GAINED'])),
      conclude(aGroundedDraft('call-2')),
    ];

    const { outcome, shownAfter } = await play(answers);

    expect(statusesOf(shownAfter(1))).toEqual([
      'EVIDENCE_FOUND',
      'EVIDENCE_FOUND',
      'EVIDENCE_FOUND',
    ]);
    expect(statusesOf(shownAfter(2))).toEqual(['EVIDENCE_FOUND']);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: null });
  });

  it('all find nothing, and count as one round without gain', async () => {
    const answers = [round(...THREE), round(askLogs('lock')), conclude()];

    const { outcome, shownAfter, adapterCalls } = await play(answers, { source: NOTHING });

    expect(statusesOf(shownAfter(1))).toEqual(['NO_EVIDENCE', 'NO_EVIDENCE', 'NO_EVIDENCE']);
    expect(statusesOf(shownAfter(2))).toEqual(['NO_EVIDENCE']);
    expect(adapterCalls).toHaveLength(4);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: null });
  });

  it('go on when one of them fails', async () => {
    const answers = [
      round(...THREE),
      round(askMysql('long_transactions', ['call-3', 'GAINED'])),
      conclude(aGroundedDraft('call-3')),
    ];

    const { outcome, shownAfter } = await play(answers, { source: SECOND_FAILS });

    expect(statusesOf(shownAfter(1))).toEqual(['EVIDENCE_FOUND', 'ERROR', 'EVIDENCE_FOUND']);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: null });
    expect(outcome.progress?.checks.map(({ tool_call_id }) => tool_call_id)).toEqual([
      'call-1',
      'call-3',
      'call-4',
    ]);
  });

  it('all bring a bare business input, are told so, and may come again', async () => {
    const bare = [
      rawCall('lookup_knowledge', { query: '支付超时' }),
      rawCall('query_logs', { topic: 'orders', query: 'timeout', lookback_minutes: 60 }),
      rawCall('query_mysql', { query_name: 'lock_waits', parameters: {} }),
    ];
    const answers = [round(...bare), round(...THREE), conclude(aGroundedDraft('call-5'))];

    const { outcome, shownAfter, invocations } = await play(answers);

    expect(shownAfter(1)).toEqual(
      ['call-1', 'call-2', 'call-3'].map((tool_call_id) => ({
        tool_call_id,
        evidence_status: 'ERROR',
        error_code: 'INVALID_INPUT',
        fields: ['input'],
      })),
    );
    expect(statusesOf(shownAfter(2))).toEqual([
      'EVIDENCE_FOUND',
      'EVIDENCE_FOUND',
      'EVIDENCE_FOUND',
    ]);
    expect(invocations.map(({ tool_call_id }) => tool_call_id)).toEqual([
      'call-4',
      'call-5',
      'call-6',
    ]);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: null });
  });

  it.each([
    ['left out', undefined],
    ['null', null],
    ['of a call that never was', { tool_call_id: 'call-9', evaluation: 'GAINED' }],
    ['of another shape', 'GAINED'],
  ])('run with a previous_observation %s', async (_how, previous_observation) => {
    const calls = THREE.map(({ name, input }) =>
      rawCall(name, { ...(input as object), previous_observation }),
    );

    const { outcome, shownAfter, adapterCalls } = await play([round(...calls), conclude()]);

    expect(statusesOf(shownAfter(1))).toEqual([
      'EVIDENCE_FOUND',
      'EVIDENCE_FOUND',
      'EVIDENCE_FOUND',
    ]);
    expect(adapterCalls).toHaveLength(3);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: null });
  });

  it.each([0, 1, 2])(
    'are settled by one evaluation, in whichever call it stands: %i',
    async (at) => {
      const next = ['one', 'two', 'three'].map((filter, index) =>
        askLogs(filter, index === at ? ['call-3', 'NO_GAIN'] : undefined),
      );

      const { outcome, shownAfter, steps } = await play([
        round(...THREE),
        round(...next),
        conclude(),
      ]);

      expect(statusesOf(shownAfter(2))).toEqual([
        'EVIDENCE_FOUND',
        'EVIDENCE_FOUND',
        'EVIDENCE_FOUND',
      ]);
      expect(steps.filter(({ kind }) => kind === 'EVALUATION')).toEqual([
        {
          kind: 'EVALUATION',
          round: 2,
          tool_call_id: 'call-3',
          evaluation: 'NO_GAIN',
          given_by: `call-${4 + at}`,
        },
      ]);
      expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: null });
    },
  );

  it('are mixed with read_skill, which leaves the evaluation owed', async () => {
    const answers = [
      round(readSkill(SKILL), askLogs('timeout'), askMysql('lock_waits')),
      round(readSkill('diagnose-slow-response'), askKnowledge('锁等待', ['call-3', 'GAINED'])),
      conclude(aGroundedDraft('call-2')),
    ];

    const { outcome, shownAfter } = await play(answers);

    expect(shownAfter(1)).toMatchObject([
      { tool_call_id: 'call-1', skill: SKILL },
      { tool_call_id: 'call-2', evidence_status: 'EVIDENCE_FOUND' },
      { tool_call_id: 'call-3', evidence_status: 'EVIDENCE_FOUND' },
    ]);
    expect(shownAfter(2)).toMatchObject([
      { tool_call_id: 'call-4', skill: 'diagnose-slow-response' },
      { tool_call_id: 'call-5', evidence_status: 'EVIDENCE_FOUND' },
    ]);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: null });
  });

  it('that all lack their evaluation are sent back as one repair, and then run', async () => {
    const again = ['one', 'two', 'three'];
    const answers = [
      round(...THREE),
      round(...again.map((filter) => askLogs(filter))),
      round(...again.map((filter) => askLogs(filter, ['call-3', 'GAINED']))),
      conclude(),
    ];

    const { outcome, shownAfter } = await play(answers);

    expect(shownAfter(2).map(({ control }) => control)).toEqual(Array(3).fill('REPAIR_REQUIRED'));
    expect(statusesOf(shownAfter(3))).toEqual([
      'EVIDENCE_FOUND',
      'EVIDENCE_FOUND',
      'EVIDENCE_FOUND',
    ]);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: null });
  });

  it.each<[string, PlayOptions]>([
    ['find evidence', {}],
    ['find nothing', { source: NOTHING }],
    ['fail in part', { source: SECOND_FAILS }],
  ])('that %s are answered in the order of their asking, each once', async (_how, options) => {
    const { requests, shownAfter } = await play([round(...THREE), conclude()], options);

    const [, asked, answered] = requests[1]?.body?.messages ?? [];
    const uses = asked?.content?.map(({ toolUse }) => toolUse?.toolUseId);
    const results = answered?.content?.flatMap(({ toolResult }) => toolResult?.toolUseId ?? []);
    expect(results).toEqual(uses);
    expect(shownAfter(1).map((shown) => shown['tool_call_id'])).toEqual([
      'call-1',
      'call-2',
      'call-3',
    ]);
  });
});

function statusesOf(observations: readonly Readonly<Record<string, unknown>>[]): unknown[] {
  return observations.map((observation) => observation['evidence_status']);
}
