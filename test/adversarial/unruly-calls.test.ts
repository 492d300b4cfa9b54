import { describe, expect, it } from 'vitest';
import { callTools } from '../../functions/cli/stand-in/scripted-brain.ts';
import { conclude } from '../support/drafts.ts';
import { anEnding, callIds, endingOf } from '../support/ending.ts';
import { askLogs, play, rawCall, round } from '../support/played.ts';

const times = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const WINDOW = { topic: 'orders', query: 'timeout', lookback_minutes: 60 };

describe('a model that sends what no tool takes', () => {
  it.each([
    {
      what: 'a string as the whole input',
      input: JSON.stringify({ input: WINDOW }),
      fields: ['input'],
    },
    { what: 'a list as the whole input', input: [WINDOW], fields: ['input'] },
    {
      what: 'a string as the business input',
      input: { input: JSON.stringify(WINDOW) },
      fields: ['input'],
    },
    { what: 'a bare business input', input: WINDOW, fields: ['input'] },
    {
      what: 'a number as a string',
      input: { input: { ...WINDOW, lookback_minutes: '60' } },
      fields: ['input.lookback_minutes'],
    },
  ])('gets INVALID_INPUT for $what, and nothing runs', async ({ input, fields }) => {
    const { outcome, requests, adapterCalls, invocations, shownAfter } = await play([
      round(rawCall('query_logs', input)),
      conclude(),
    ]);

    expect(shownAfter(1)).toEqual([
      { tool_call_id: 'call-1', evidence_status: 'ERROR', error_code: 'INVALID_INPUT', fields },
    ]);
    expect(requests.map(({ fault, status }) => [fault, status])).toEqual([
      [null, 200],
      [null, 200],
    ]);
    expect([adapterCalls, invocations]).toEqual([[], []]);
    expect(endingOf(outcome)).toEqual(anEnding({ rounds: 2 }));
  });

  it('has what it really sent kept in the audit', async () => {
    const { steps } = await play([round(rawCall('query_logs', 'timeout, please')), conclude()]);

    expect(steps).toContainEqual(
      expect.objectContaining({
        kind: 'CONTROL',
        decision: 'REFUSED',
        asked: { json: '"timeout, please"', truncated: false },
      }),
    );
  });

  it('gets UNKNOWN_TOOL for a tool it invents, without a record of evidence (field issue 44)', async () => {
    const { outcome, adapterCalls, invocations, shownAfter } = await play([
      round(rawCall('run_sql', { input: { sql: 'DROP TABLE orders' } })),
      conclude(),
    ]);

    expect(shownAfter(1)).toEqual([
      { tool_call_id: 'call-1', evidence_status: 'ERROR', error_code: 'UNKNOWN_TOOL' },
    ]);
    expect([adapterCalls, invocations]).toEqual([[], []]);
    expect(endingOf(outcome)).toEqual(anEnding({ rounds: 2 }));
  });

  it.each(['logs.search$', 'a b', 'q'.repeat(65), '查日志'])(
    'does not see the illegal name %s replayed (field issue 44)',
    async (name) => {
      const { outcome, requests } = await play([round(rawCall(name, {})), conclude()]);

      const replayed = requests[1]?.body?.messages?.[1]?.content?.map(
        ({ toolUse }) => toolUse?.name,
      );
      expect(replayed).toEqual(['INVALID_TOOL_NAME']);
      expect(endingOf(outcome)).toEqual(anEnding({ rounds: 2 }));
    },
  );

  it('that invents tools round after round saturates', async () => {
    const { outcome, requests } = await play(times(6).map(() => round(rawCall('run_sql', {}))));

    expect(endingOf(outcome)).toEqual(
      anEnding({ status: 'STOPPED', stop: 'INFORMATION_SATURATED', rounds: 5 }),
    );
    expect(requests).toHaveLength(5);
  });

  it('gets twenty calls of one round answered, of which the budget runs sixteen', async () => {
    const { outcome, adapterCalls, shownAfter } = await play([
      round(...times(20).map((n) => askLogs(`question-${n}`))),
      conclude(),
    ]);

    const shown = shownAfter(1);
    expect(shown.map(({ tool_call_id: id }) => id)).toEqual(callIds(20));
    expect(shown.slice(16)).toEqual(
      times(4).map((n) => ({ tool_call_id: `call-${16 + n}`, control: 'STOP_REQUIRED' })),
    );
    expect(adapterCalls).toHaveLength(16);
    expect(endingOf(outcome)).toEqual(
      anEnding({ stop: 'TOOL_CALLS_EXHAUSTED', rounds: 2, toolCalls: 16, checks: callIds(16) }),
    );
  });

  it('has the same question of one round run once', async () => {
    const { adapterCalls, shownAfter } = await play([
      round(...times(20).map(() => askLogs('the same'))),
      conclude(),
    ]);

    expect(adapterCalls).toHaveLength(1);
    expect(shownAfter(1).slice(1)).toEqual(
      times(19).map((n) => ({
        tool_call_id: `call-${n + 1}`,
        control: 'DUPLICATE_CALL',
        equivalent_tool_call_id: 'call-1',
      })),
    );
  });

  it.each([
    { what: 'repeats an id', ids: ['same', 'same'], detail: 'DUPLICATE_TOOL_CALL_ID' },
    {
      what: 'sends an id that no service takes',
      ids: ['fine', 'not fine!'],
      detail: 'MALFORMED_TOOL_CALL_ID',
    },
    { what: 'sends an empty id', ids: ['fine', ''], detail: 'MALFORMED_TOOL_CALL_ID' },
  ])('runs nothing of a round when it $what', async ({ ids, detail }) => {
    const calls = ids.map((toolUseId) => ({ ...askLogs(toolUseId), toolUseId }));

    const { outcome, adapterCalls, requests } = await play([callTools(calls)]);

    expect(endingOf(outcome)).toEqual(
      anEnding({ status: 'FAILED', failure: `AGENT_FAILED/${detail}` }),
    );
    expect([adapterCalls.length, requests.length]).toEqual([0, 1]);
  });
});
