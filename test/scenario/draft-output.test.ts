import { describe, expect, it } from 'vitest';
import { sayText } from '../../functions/cli/stand-in/scripted-brain.ts';
import { aDraft, aGroundedDraft, conclude } from '../support/drafts.ts';
import { askLogs, askMysql, play, QUERY, round } from '../support/played.ts';

const NOTHING = () => [];

describe('Diagnosis output SHALL be a bounded DiagnosisDraft', () => {
  it('Supported Draft is returned', async () => {
    const draft = {
      ...aGroundedDraft('call-2'),
      action_plan: ['结束持锁的事务'],
      recommendations: ['为结算批次限流'],
    };
    const answers = [round(askLogs('timeout'), askMysql('lock_waits')), conclude(draft)];

    const { outcome, requests, shownAfter } = await play(answers);

    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      stop_reason: null,
      failure: null,
      draft,
      grounding: { conclusion: 'QUOTED', items: [{ index: 0, tool_call_ids: ['call-2'] }] },
    });
    const accepted = [{ query: QUERY, previous_turn: null }, ...shownAfter(1), draft];
    const bytes = accepted.map((part) => Buffer.byteLength(JSON.stringify(part)));
    expect(outcome.usage.bytes).toBe(bytes.reduce((sum, length) => sum + length, 0));
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['a fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``, 'FENCED'],
    ['a prefix', (json: string) => `诊断如下：${json}`, 'PREFIXED'],
    ['a suffix', (json: string) => `${json}\n以上。`, 'TRAILING'],
  ])('Model returns prose around JSON', async (_what, around, detailCode) => {
    const words = around(JSON.stringify(aGroundedDraft('call-1')));
    const answers = [round(askLogs('timeout')), sayText(words)];

    const { outcome, requests } = await play(answers);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'OUTPUT_REFUSED', detail_code: detailCode, rerunnable: false },
      draft: null,
    });
    expect(requests).toHaveLength(2);
  });
});

describe('Insufficient evidence SHALL terminate without a fabricated conclusion', () => {
  it('Tool finds no evidence', async () => {
    const draft = aDraft({
      analysis: [
        {
          type: 'NEGATIVE_OBSERVATION',
          statement: 'orders 在最近 60 分钟内没有查到 deadlock',
          tool_call_ids: ['call-1'],
        },
      ],
    });
    const answers = [round(askLogs('deadlock')), round(askLogs('DEADLOCK')), conclude(draft)];

    const { outcome, adapterCalls, shownAfter } = await play(answers, { source: NOTHING });

    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      draft,
      grounding: { conclusion: 'NONE' },
    });
    expect(shownAfter(1)).toMatchObject([{ evidence_status: 'NO_EVIDENCE' }]);
    expect(shownAfter(2)).toEqual([
      { tool_call_id: 'call-2', control: 'DUPLICATE_CALL', equivalent_tool_call_id: 'call-1' },
    ]);
    expect(adapterCalls).toHaveLength(1);
  });

  it('refuses a conclusion that nothing found supports', async () => {
    const draft = aDraft({
      conclusion: '没有死锁，数据库健康',
      analysis: [
        { type: 'NEGATIVE_OBSERVATION', statement: '没有查到', tool_call_ids: ['call-1'] },
      ],
    });
    const answers = [round(askLogs('deadlock')), conclude(draft)];

    const { outcome } = await play(answers, { source: NOTHING });

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'EVIDENCE_REJECTED', detail_code: 'CONCLUSION_UNGROUNDED' },
      draft: null,
    });
  });

  it('No bounded Tool query is possible', async () => {
    const limitations = { checked_scope: [], missing_info: ['哪个服务、什么时间、什么报错'] };

    const { outcome, requests } = await play([conclude(aDraft({ limitations }))], {
      request: { query: '系统好像有点问题' },
    });

    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      draft: { conclusion: null, limitations },
      progress: null,
      usage: { model_calls: 1, tool_calls: 0 },
    });
    expect(requests).toHaveLength(1);
  });

  it('Harness requires stop', async () => {
    const answers = [
      round(askLogs('timeout')),
      round(askMysql('lock_waits', ['call-1', 'GAINED'])),
      conclude(aGroundedDraft('call-1')),
    ];

    const { outcome, adapterCalls, shownAfter } = await play(answers, {
      request: { budget: { tool_calls: 1 } },
    });

    expect(shownAfter(2)).toEqual([{ tool_call_id: 'call-2', control: 'STOP_REQUIRED' }]);
    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      stop_reason: 'TOOL_CALLS_EXHAUSTED',
      draft: aGroundedDraft('call-1'),
    });
    expect(adapterCalls).toHaveLength(1);
  });
});
