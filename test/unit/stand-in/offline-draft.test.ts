import { describe, expect, it } from 'vitest';
import type { DiagnosisDraft } from '../../../shared/contracts/diagnosis-draft.ts';
import { PAYMENT_PLAYBOOK } from './observations.ts';
import { diagnose, LOCK_EVENT, LOCK_ROW, QUERY, SLOW_EVENT } from './offline-diagnosis.ts';

const reasons = ({ limitations }: DiagnosisDraft) => limitations.missing_info.join('\n');

describe('a cause whose signals were all shown', () => {
  it('is concluded, with quotes that the guard accepts', async () => {
    const { draft, verdict } = await diagnose({ events: [LOCK_EVENT], lockRows: [LOCK_ROW] });

    expect(draft.conclusion).toBe(`行锁等待。依据：${LOCK_EVENT}；${LOCK_ROW}`);
    expect(draft.analysis.slice(0, 3)).toEqual([
      {
        type: 'OBSERVATION',
        statement: `日志 payment-service 匹配 1 条，其中有：${LOCK_EVENT}`,
        tool_call_ids: ['call-2'],
        quotes: [{ tool_call_id: 'call-2', text: LOCK_EVENT }],
      },
      {
        type: 'OBSERVATION',
        statement: `数据库返回 1 行，其中有：${LOCK_ROW}`,
        tool_call_ids: ['call-3'],
        quotes: [{ tool_call_id: 'call-3', text: LOCK_ROW }],
      },
      {
        type: 'NEGATIVE_OBSERVATION',
        statement: expect.stringContaining('没有找到记录：数据库 query_name="payments_by_state"'),
        tool_call_ids: ['call-4'],
      },
    ]);
    expect(draft.action_plan).toEqual(['结束 blocking_pid 指向的会话。']);
    expect(draft.recommendations).toEqual([
      '处置后观察十五分钟。',
      expect.stringContaining('没有语言模型'),
    ]);
    expect(verdict).toMatchObject({ kind: 'accepted', grounding: { conclusion: 'QUOTED' } });
  });

  it('names no term that its evidence lacks', async () => {
    const { verdict } = await diagnose({ events: [LOCK_EVENT], lockRows: [LOCK_ROW] });

    const items = verdict.kind === 'accepted' ? verdict.grounding.items : [];
    expect(items.flatMap(({ unmatched_terms }) => unmatched_terms)).toEqual([]);
  });

  it('may be told by either of two wordings', async () => {
    const { draft } = await diagnose({
      events: ['2026-11-30T08:09:00Z WARN channel A: read  timed out after 3000 ms'],
      stateRows: ['state=PAYING payments=311'],
    });

    expect(draft.conclusion).toMatch(/^渠道响应慢。/);
  });
});

describe('no conclusion', () => {
  it('is drawn from one source when the cause stands in two', async () => {
    const { draft, verdict } = await diagnose({ events: [LOCK_EVENT] });

    expect(draft.conclusion).toBeNull();
    expect(reasons(draft)).toContain('“行锁等待”还缺：查询 lock_waits 结果中的 blocking_pid=。');
    expect(verdict).toMatchObject({ kind: 'accepted', grounding: { conclusion: 'NONE' } });
  });

  it('is drawn when the rows of another query hold the signal', async () => {
    const { draft } = await diagnose({ events: [LOCK_EVENT], stateRows: [LOCK_ROW] });

    expect(draft.conclusion).toBeNull();
  });

  it('is drawn from the knowledge base', async () => {
    const { draft } = await diagnose({ excerpts: [LOCK_EVENT, LOCK_ROW], lockRows: [LOCK_ROW] });

    expect(draft.conclusion).toBeNull();
  });

  it('is drawn from words of the question', async () => {
    const { draft } = await diagnose({
      query: `${QUERY} Lock wait timeout exceeded blocking_pid=17`,
      lockRows: [LOCK_ROW],
    });

    expect(draft.conclusion).toBeNull();
  });

  it('is drawn when a signal against the cause was shown', async () => {
    const { draft } = await diagnose({
      events: [SLOW_EVENT, LOCK_EVENT],
      stateRows: ['state=PAYING payments=311'],
    });

    expect(draft.conclusion).toBeNull();
    expect(reasons(draft)).toContain(
      '“渠道响应慢”与已出现的信号不符：Lock wait timeout exceeded。',
    );
  });

  it('is drawn when the signals of two causes were shown', async () => {
    const skill = PAYMENT_PLAYBOOK.replace(/；\n {2}日志里没有 .*。/u, '。');
    const { draft } = await diagnose({
      skill,
      events: [SLOW_EVENT, LOCK_EVENT],
      stateRows: ['state=PAYING payments=311'],
      lockRows: [LOCK_ROW],
    });

    expect(draft.conclusion).toBeNull();
    expect(reasons(draft)).toContain('以下原因的信号都出现了，无法区分：渠道响应慢、行锁等待。');
  });

  it('is drawn from nothing, and what was checked is said', async () => {
    const { draft, verdict } = await diagnose({});

    expect(draft).toMatchObject({
      conclusion: null,
      action_plan: [],
      recommendations: [
        '先补齐所列的缺失信息，再作判断。',
        expect.stringContaining('没有语言模型'),
      ],
    });
    expect(draft.analysis.every(({ type }) => type === 'NEGATIVE_OBSERVATION')).toBe(true);
    expect(draft.limitations.checked_scope[0]).toBe(
      '日志 topic="payment-service" query="timeout" lookback_minutes=90 2026-11-30T07:15:00Z 至 2026-11-30T08:15:00Z',
    );
    expect(verdict).toMatchObject({ kind: 'accepted' });
  });
});

it.each([
  ['a Chinese question', QUERY, '没有语言模型参与'],
  ['an English question', 'payment timeout, please look', 'no language model took part'],
])('says to %s that no language model wrote it', async (_case, query, note) => {
  const { draft } = await diagnose({ query, events: [LOCK_EVENT] });

  expect(draft.recommendations.at(-1)).toContain(note);
});

it('speaks English to an English question', async () => {
  const { draft, verdict } = await diagnose({
    query: 'payment timeout, please look',
    events: [LOCK_EVENT],
    lockRows: [LOCK_ROW],
    excerpts: ['Row locks held by a batch delay payments.'],
  });

  expect(draft.conclusion).toBe(`行锁等待. Because of: ${LOCK_EVENT}; ${LOCK_ROW}`);
  expect(draft.analysis.map(({ statement }) => statement)).toEqual([
    `Logs of payment-service: 1 matches, among them: ${LOCK_EVENT}`,
    `The database returned 1 rows, among them: ${LOCK_ROW}`,
    'Nothing found: rows query_name="payments_by_state" parameters={} 2026-11-30T07:15:00Z to 2026-11-30T08:15:00Z. This holds for that scope only.',
    'The knowledge base has background, no proof of this incident: Row locks held by a batch delay payments.',
  ]);
  expect(verdict).toMatchObject({ kind: 'accepted' });
});

it.each([
  [
    QUERY,
    [
      '查询失败（SOURCE_FAILED）：数据库 query_name="lock_waits" parameters={}',
      '收集停止前没有查到：知识库 query="支付渠道 超时 降级"',
    ],
  ],
  [
    'payment timeout, please look',
    [
      'Failed (SOURCE_FAILED): rows query_name="lock_waits" parameters={}',
      'Not reached before collection stopped: knowledge query="支付渠道 超时 降级"',
    ],
  ],
])('names what failed and what was not reached: %s', async (query, gaps) => {
  const { draft } = await diagnose({ query, lockRows: 'failed', stateRows: 'stopped' });

  expect(draft.limitations.missing_info).toEqual(expect.arrayContaining(gaps));
});
