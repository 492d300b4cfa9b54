import { describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../functions/cli/stand-in/converse-request.ts';
import { type ScriptedAnswer, sayText } from '../../functions/cli/stand-in/scripted-brain.ts';
import { LimitsSchema } from '../../shared/contracts/budget.ts';
import { startBench } from '../support/diagnosis-bench.ts';
import { aGroundedDraft, conclude } from '../support/drafts.ts';
import { askLogs, askMysql, play, QUERY, rawCall, round } from '../support/played.ts';

const NO_ANSWERS = {
  answer: () => Promise.reject(new Error('nothing may be asked')),
};

describe('Diagnosis execution SHALL use one framework ReactAgent', () => {
  it('Diagnosis needs Tool evidence', async () => {
    const answers = [
      round(askLogs('timeout'), askMysql('lock_waits')),
      round(askLogs('lock', ['call-2', 'GAINED'])),
      conclude(aGroundedDraft('call-1')),
    ];

    const { outcome, requests, adapterCalls } = await play(answers);

    expect(outcome).toMatchObject({ status: 'COMPLETED', draft: aGroundedDraft('call-1') });
    expect(adapterCalls.map(({ toolName }) => toolName)).toEqual([
      'query_logs',
      'query_mysql',
      'query_logs',
    ]);
    const [first, second, third] = requests.map(conversation);
    expect(second?.slice(0, 1)).toEqual(first);
    expect(third?.slice(0, 3)).toEqual(second);
    expect(new Set(requests.map(({ body }) => JSON.stringify(body?.system))).size).toBe(1);
  });

  it.each<[string, ScriptedAnswer]>([
    ['throws', { kind: 'error', status: 500, type: 'InternalServerException', message: 'no' }],
    ['returns invalid structured output', sayText('根因是锁等待。')],
  ])('Agent execution fails', async (_how, answer) => {
    const { outcome, requests } = await play([answer]);

    expect(outcome).toMatchObject({ status: 'FAILED', draft: null, grounding: null });
    expect(requests).toHaveLength(1);
  });
});

describe('Diagnosis input SHALL contain only current Query and optional PreviousTurn', () => {
  it('Follow-up diagnosis has a safe previous turn', async () => {
    const previous_turn = {
      run_id: 'run-before',
      as_of: '2026-11-03T05:00:00Z',
      query: '下单为什么慢？',
      conclusion: null,
      missing_info: ['数据库锁的情况'],
    };

    const { requests } = await play([conclude()], { request: { previous_turn } });

    const [message, ...others] = requests[0]?.body?.messages ?? [];
    expect(others).toEqual([]);
    expect(message).toEqual({
      role: 'user',
      content: [
        { text: JSON.stringify({ query: QUERY, previous_turn }) },
        { cachePoint: { type: 'default' } },
      ],
    });
  });

  it('Query exceeds configured context budget', async () => {
    await using bench = await startBench({ brain: NO_ANSWERS });
    const query = '超时'.repeat(2_731); // 6 bytes each, so two more than 16,384

    const diagnosis = bench.run({ query, run_id: 'too-long' });

    await expect(diagnosis).rejects.toMatchObject({ name: 'InvalidRequestError' });
    expect(bench.server.requests).toEqual([]);
    const signal = AbortSignal.timeout(1_000);
    const runs = { sessionId: null, limit: 10, from: null };
    const { items } = await bench.store.listRuns(runs, '2026-01-01T00:00:00Z', signal);
    expect(items).toEqual([]);
  });

  it('sends a query of exactly the limit as it was written', async () => {
    const query = ` ${'a'.repeat(16_382)}\n`;

    const { requests } = await play([conclude()], { request: { query } });

    expect(requests[0]?.body?.messages?.[0]?.content?.[0]).toEqual({
      text: JSON.stringify({ query, previous_turn: null }),
    });
  });
});

describe('a long conversation', () => {
  it('keeps its first message and every turn since', async () => {
    const answers = Array.from({ length: 24 }, (_none, at) =>
      at % 2 === 0
        ? round(askLogs(`filter ${at}`, at === 0 ? undefined : [`call-${at - 1}`, 'GAINED']))
        : round(rawCall('query_metrics', {})),
    );

    const { outcome, requests } = await play([...answers, conclude()], {
      configuration: { limits: { ...LIMITS, model_calls: 30 } },
    });

    const last = requests[24];
    expect(outcome).toMatchObject({ status: 'COMPLETED', usage: { model_calls: 25 } });
    expect(last?.body?.messages).toHaveLength(49);
    expect(last && conversation(last)?.[0]).toEqual(requests[0] && conversation(requests[0])?.[0]);
  });
});

describe('Every model round SHALL be controlled by RunContext', () => {
  it('ReAct performs two model rounds', async () => {
    const usage = { cacheReadInputTokens: 7, cacheWriteInputTokens: 11 };
    const answers = [round(askLogs('timeout')), sayText(DRAFT, { usage })];

    const { outcome, requests } = await play(answers);

    expect(requests).toHaveLength(2);
    expect(outcome.usage).toMatchObject({
      model_calls: 2,
      tool_calls: 1,
      input_tokens: 200,
      output_tokens: 40,
      cache_read_tokens: 7,
      cache_write_tokens: 11,
      rounds_without_usage: 0,
    });
  });

  it('Model-call budget is exhausted', async () => {
    const answers = [round(askLogs('timeout')), conclude()];

    const { outcome, requests, adapterCalls, invocations } = await play(answers, {
      request: { budget: { model_calls: 1 } },
    });

    expect(outcome).toMatchObject({
      status: 'STOPPED',
      stop_reason: 'MODEL_CALLS_EXHAUSTED',
      draft: null,
      progress: null,
    });
    expect(requests).toHaveLength(1);
    expect(adapterCalls).toEqual([]);
    expect(invocations).toEqual([]);
  });
});

const DRAFT = JSON.stringify(aGroundedDraft('call-1'));
const LIMITS = LimitsSchema.parse({});

/** The messages without the cache point, which moves. */
function conversation({ body }: RecordedRequest) {
  return body?.messages?.map(({ role, content }) => ({
    role,
    content: content?.filter(({ cachePoint }) => cachePoint === undefined),
  }));
}
