import { describe, expect, it } from 'vitest';
import { callTools } from '../../functions/cli/stand-in/scripted-brain.ts';
import { aGroundedDraft, conclude } from '../support/drafts.ts';
import type { FakeSource } from '../support/fake-tools.ts';
import { askKnowledge, askLogs, askMysql, play, rawCall, round } from '../support/played.ts';

describe('Evidence Tools SHALL execute through the Harness boundary', () => {
  it('Framework requests first RAG evidence', async () => {
    const toolUseId = 'tooluse_pQ3-x';
    const asked = callTools([{ ...askKnowledge('支付超时'), toolUseId }]);

    const { outcome, adapterCalls, invocations, requests, shownAfter } = await play(
      [asked, conclude()],
      { request: { run_id: 'run-1' } },
    );

    expect(outcome.status).toBe('COMPLETED');
    expect(adapterCalls.map(({ toolName, input }) => [toolName, input])).toEqual([
      ['lookup_knowledge', { query: '支付超时' }],
    ]);
    expect(invocations).toMatchObject([
      { run_id: 'run-1', tool_call_id: 'call-1', status: 'READY', input: '{"query":"支付超时"}' },
    ]);
    expect(shownAfter(1)).toMatchObject([
      { tool_call_id: 'call-1', evidence_status: 'EVIDENCE_FOUND' },
    ]);
    expect(requests[1]?.body?.messages?.[2]?.content?.[0]?.toolResult?.toolUseId).toBe(toolUseId);
  });

  it.each(['GAINED', 'NO_GAIN'] as const)(
    'Model continues after a non-empty result',
    async (word) => {
      const answers = [
        round(askLogs('timeout')),
        round(askMysql('lock_waits', ['call-1', word])),
        conclude(aGroundedDraft('call-1')),
      ];

      const { outcome, adapterCalls, steps } = await play(answers);

      expect(adapterCalls.map(({ toolName }) => toolName)).toEqual(['query_logs', 'query_mysql']);
      expect(adapterCalls[1]?.input).toEqual({ query_name: 'lock_waits', parameters: {} });
      expect(outcome.progress?.checks.map(({ evaluation }) => evaluation)).toEqual([word, null]);
      const settled = steps.findIndex(({ kind }) => kind === 'EVALUATION');
      expect(steps.slice(settled, settled + 2)).toMatchObject([
        { kind: 'EVALUATION', tool_call_id: 'call-1', evaluation: word, given_by: 'call-2' },
        { kind: 'TOOL_CALL', tool_call_id: 'call-2' },
      ]);
    },
  );

  it('Model omits required progress field', async () => {
    const answers = [
      round(askLogs('timeout')),
      round(askMysql('lock_waits')),
      round(askMysql('lock_waits', ['call-1', 'GAINED'])),
      conclude(),
    ];

    const { outcome, adapterCalls, invocations, shownAfter } = await play(answers);

    expect(shownAfter(2)).toEqual([
      {
        tool_call_id: 'call-2',
        control: 'REPAIR_REQUIRED',
        missing_field: 'previous_observation',
        expected_tool_call_id: 'call-1',
      },
    ]);
    expect(adapterCalls).toHaveLength(2);
    expect(invocations.map(({ tool_call_id }) => tool_call_id)).toEqual(['call-1', 'call-3']);
    expect(outcome.usage.tool_calls).toBe(2);
  });

  it.each<[string, FakeSource, string]>([
    [
      'with a code',
      () => ({ kind: 'failed', code: 'SOURCE_DENIED', executed: null }),
      'SOURCE_DENIED',
    ],
    [
      'by throwing',
      () => Promise.reject(new Error('ECONNREFUSED db-7.internal password=tulip')),
      'SOURCE_FAILED',
    ],
  ])('Tool execution fails', async (_how, source, code) => {
    const answers = [round(askMysql('lock_waits')), conclude()];

    const { adapterCalls, invocations, requests, shownAfter } = await play(answers, { source });

    expect(shownAfter(1)).toEqual([
      { tool_call_id: 'call-1', evidence_status: 'ERROR', error_code: code },
    ]);
    expect(adapterCalls).toHaveLength(1);
    expect(invocations).toMatchObject([
      { tool_call_id: 'call-1', status: 'ERROR', error_code: code },
    ]);
    expect(JSON.stringify(requests)).not.toMatch(/ECONNREFUSED|tulip/);
  });

  it.each(['query_metrics', 'transfer_to_planner', 'query_logs$'])(
    'Unknown Tool is requested',
    async (name) => {
      const answers = [round(rawCall(name, { input: { query: 'cpu' } })), conclude()];

      const { outcome, adapterCalls, invocations, shownAfter } = await play(answers);

      expect(shownAfter(1)).toEqual([
        { tool_call_id: 'call-1', evidence_status: 'ERROR', error_code: 'UNKNOWN_TOOL' },
      ]);
      expect(adapterCalls).toEqual([]);
      expect(invocations).toEqual([]);
      expect(outcome).toMatchObject({ status: 'COMPLETED', usage: { tool_calls: 0 } });
    },
  );
});
