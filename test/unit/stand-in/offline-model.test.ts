import { describe, expect, it } from 'vitest';
import { createOfflineModel } from '../../../functions/cli/stand-in/offline-model.ts';
import {
  documents,
  failed,
  logs,
  PAYMENT_PLAYBOOK,
  playbook,
  rows,
  stopped,
} from './observations.ts';
import { LOCK_EVENT, LOCK_ROW, QUERY } from './offline-diagnosis.ts';
import { type Asked, type Json, play, requestOf } from './offline-play.ts';

/** Lock waits everywhere, unless a test says otherwise for a tool. */
const lockIncident =
  (changes: Readonly<Record<string, (asked: Asked) => Json>> = {}) =>
  (asked: Asked): Json => {
    const answers: Record<string, (asked: Asked) => Json> = {
      read_skill: () => playbook('diagnose-payment-timeout', PAYMENT_PLAYBOOK),
      query_logs: (call) => logs(call, [LOCK_EVENT]),
      query_mysql: (call) => rows(call, [LOCK_ROW]),
      lookup_knowledge: (call) => documents(call, ['支付渠道超时时先看降级开关，再看行锁等待。']),
      ...changes,
    };
    return answers[asked.toolName]?.(asked) ?? failed('UNKNOWN_TOOL');
  };

describe('collecting', () => {
  it('reads the fitting playbook and works through its steps, one call a round', async () => {
    const { asked } = await play({ query: QUERY, reply: lockIncident() });

    expect(asked).toEqual([
      { toolName: 'read_skill', envelope: { name: 'diagnose-payment-timeout' } },
      {
        toolName: 'query_logs',
        envelope: { input: { topic: 'payment-service', query: 'timeout', lookback_minutes: 90 } },
      },
      {
        toolName: 'query_mysql',
        envelope: {
          previous_observation: { tool_call_id: 'call-2', evaluation: 'GAINED' },
          input: { query_name: 'lock_waits', parameters: {} },
        },
      },
      {
        toolName: 'query_mysql',
        envelope: {
          previous_observation: { tool_call_id: 'call-3', evaluation: 'GAINED' },
          input: { query_name: 'payments_by_state', parameters: {} },
        },
      },
      {
        toolName: 'lookup_knowledge',
        envelope: {
          previous_observation: { tool_call_id: 'call-4', evaluation: 'NO_GAIN' },
          input: { query: '支付渠道 超时 降级' },
        },
      },
    ]);
  });

  it('takes the span of time that the question names, within the limit of the topic', async () => {
    const query = '最近 3 小时网关上支付超时，一直支付中';
    const reply = lockIncident({ query_mysql: (call) => rows(call, []) });
    const { asked } = await play({ query, reply });

    const windows = asked
      .map(({ envelope }) => envelope['input'])
      .filter((input) => JSON.stringify(input ?? {}).includes('lookback'));

    expect(windows).toEqual([
      { topic: 'payment-service', query: 'timeout', lookback_minutes: 180 },
      { query_name: 'payments_by_state', parameters: { lookback_minutes: 180 } },
      { topic: 'gateway', query: 'timeout', lookback_minutes: 60 },
    ]);
  });

  it.each([
    ['no playbook fits', { query: '昨天的报表数字不对' }],
    ['there is no read_skill', { query: QUERY, tools: ['query_logs', 'lookup_knowledge'] }],
  ])('looks at logs and knowledge when %s', async (_case, stage) => {
    const { asked, draft } = await play({ ...stage, reply: lockIncident() });

    expect(asked[0]?.toolName).toBe('query_logs');
    expect(asked.map(({ toolName }) => toolName)).not.toContain('read_skill');
    expect(draft).toMatchObject({ conclusion: null });
  });

  it('goes on without a playbook when the one it asked for is unknown', async () => {
    const unknown = { playbook_error: 'UNKNOWN_SKILL', valid_names: [] };
    const { asked } = await play({
      query: QUERY,
      reply: lockIncident({ read_skill: () => unknown }),
    });

    expect(asked.filter(({ toolName }) => toolName === 'read_skill')).toHaveLength(1);
    expect(asked.length).toBeGreaterThan(1);
  });

  it.each([
    ['an error', failed('SOURCE_UNAVAILABLE')],
    ['a duplicate', { control: 'DUPLICATE_CALL', equivalent_tool_call_id: 'call-1' }],
  ])('goes on to the next step after %s', async (_case, observation) => {
    const { asked } = await play({
      query: QUERY,
      reply: lockIncident({ query_logs: () => observation }),
    });

    expect(asked.slice(1, 4).map(({ envelope }) => envelope)).toEqual([
      { input: { topic: 'payment-service', query: 'timeout', lookback_minutes: 90 } },
      { input: { query_name: 'lock_waits', parameters: {} } },
      {
        previous_observation: { tool_call_id: 'call-3', evaluation: 'GAINED' },
        input: { query_name: 'payments_by_state', parameters: {} },
      },
    ]);
  });

  it('repeats a call that has to be repaired, with the evaluation asked for', async () => {
    const repair = {
      control: 'REPAIR_REQUIRED',
      missing_field: 'previous_observation',
      expected_tool_call_id: 'call-2',
    };
    const incident = lockIncident();
    const { asked } = await play({
      query: QUERY,
      reply: (call, ordinal) => (ordinal === 3 ? repair : incident(call)),
    });

    expect(asked[3]).toEqual(asked[2]);
    expect(asked[3]?.envelope).toMatchObject({
      previous_observation: { tool_call_id: 'call-2', evaluation: 'GAINED' },
    });
  });

  it.each([
    ['alone', stopped],
    ['on evidence', { evidence_status: 'NO_EVIDENCE', ...stopped }],
  ])('answers at once when told to stop, %s', async (_case, observation) => {
    const { asked, draft } = await play({
      query: QUERY,
      reply: lockIncident({ query_mysql: () => observation }),
    });

    expect(asked.map(({ toolName }) => toolName)).toEqual([
      'read_skill',
      'query_logs',
      'query_mysql',
    ]);
    expect(draft).toMatchObject({ conclusion: null });
  });

  it('leaves out a query whose parameters it cannot know', async () => {
    const text = PAYMENT_PLAYBOOK.replace('`lock_waits`，看', '`payments_of_tenant`，看');
    const { asked, text: answer } = await play({
      query: QUERY,
      reply: lockIncident({ read_skill: () => playbook('diagnose-payment-timeout', text) }),
    });

    expect(JSON.stringify(asked)).not.toContain('payments_of_tenant');
    expect(answer).toContain('没有执行 payments_of_tenant');
  });
});

it('gives the same bytes for the same conversation', async () => {
  const [first, second] = await Promise.all([
    play({ query: QUERY, reply: lockIncident() }),
    play({ query: QUERY, reply: lockIncident() }),
  ]);

  expect(second).toEqual(first);
});

it('reports a quarter of the bytes as usage and no cache tokens', async () => {
  const request = requestOf({}, [{ role: 'user', content: [{ text: QUERY }] }]);

  const answer = await createOfflineModel().answer(request, {
    round: 1,
    modelId: 'offline',
    signal: new AbortController().signal,
  });

  const inputTokens = Math.round(Buffer.byteLength(JSON.stringify(request)) / 4);
  expect(answer).toMatchObject({
    usage: { inputTokens, cacheReadInputTokens: 0, cacheWriteInputTokens: 0 },
  });
});
