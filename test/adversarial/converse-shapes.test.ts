import { describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../functions/cli/stand-in/converse-request.ts';
import {
  answerWith,
  reasoningBlock,
  toolUseBlock,
} from '../../functions/cli/stand-in/scripted-brain.ts';
import { THE_REQUEST } from '../support/bench-view.ts';
import { aDraft, conclude } from '../support/drafts.ts';
import { anEnding, endingOf } from '../support/ending.ts';
import {
  askKnowledge,
  askLogs,
  askMysql,
  play,
  rawCall,
  readSkill,
  round,
} from '../support/played.ts';

const NOTHING = { source: () => [] };
const CACHE_POINT = { cachePoint: { type: 'default' } };

describe('the messages sent to Bedrock', () => {
  it('answer two parallel calls over two rounds exactly like this (field issue 42)', async () => {
    const first = answerWith([
      toolUseBlock('query_logs', askLogs('a').input, 'tooluse_A'),
      toolUseBlock('query_mysql', askMysql('b').input, 'tooluse_B'),
    ]);
    const second = answerWith([
      { text: '再查两项。' },
      toolUseBlock('lookup_knowledge', askKnowledge('c').input, 'tooluse_C'),
      toolUseBlock('query_logs', askLogs('d').input, 'tooluse_D'),
    ]);

    const { requests, shownAfter } = await play([first, second, conclude()], NOTHING);

    const [a, b] = shownAfter(1);
    const [c, d] = shownAfter(2);
    const results = (...pairs: readonly (readonly [string, unknown])[]) =>
      pairs.map(([toolUseId, json]) => ({ toolResult: { toolUseId, content: [{ json }] } }));
    expect(requests[2]?.body?.messages).toEqual([
      { role: 'user', content: [{ text: expect.stringContaining('"previous_turn":null') }] },
      { role: 'assistant', content: first.output?.message?.content },
      { role: 'user', content: results(['tooluse_A', a], ['tooluse_B', b]) },
      { role: 'assistant', content: second.output?.message?.content },
      { role: 'user', content: [...results(['tooluse_C', c], ['tooluse_D', d]), CACHE_POINT] },
    ]);
    expect([a, b, c, d].map((one) => one?.['tool_call_id'])).toEqual([
      'call-1',
      'call-2',
      'call-3',
      'call-4',
    ]);
  });

  it.each([
    { what: 'refused', calls: [rawCall('invented', {}), rawCall('query_logs', {})] },
    { what: 'duplicates', calls: [askLogs('a'), askLogs('a')] },
    {
      what: 'a playbook beside evidence',
      calls: [readSkill('diagnose-slow-response'), askLogs('a')],
    },
  ])(
    'answer calls that are $what once each, results first, in their order (field issues 39, 47)',
    async ({ calls }) => {
      const { requests } = await play([round(...calls), conclude()], NOTHING);

      const [, asked, answered] = requests[1]?.body?.messages ?? [];
      const ids = asked?.content?.map(({ toolUse }) => toolUse?.toolUseId);
      expect(
        answered?.content?.map(
          ({ toolResult, cachePoint }) => toolResult?.toolUseId ?? cachePoint?.type,
        ),
      ).toEqual([...(ids ?? []), 'default']);
    },
  );

  it('still answer every call of a round that is stopped half way (field issue 39)', async () => {
    const budget = { tool_calls: 1 };

    const { requests, shownAfter } = await play(
      [round(askLogs('a'), askLogs('b'), readSkill('diagnose-slow-response')), conclude()],
      { request: { budget } },
    );

    expect(requests[1]?.fault).toBeNull();
    expect(shownAfter(1).map(({ tool_call_id: id, control }) => [id, control ?? null])).toEqual([
      ['call-1', null],
      ['call-2', 'STOP_REQUIRED'],
      ['call-3', 'STOP_REQUIRED'],
    ]);
  });

  it('carry the tools in the last round too, where one more request is a controlled stop (field issue 40)', async () => {
    const { outcome, requests } = await play(
      [round(askLogs('a')), round(askLogs('b')), conclude()],
      { request: { budget: { model_calls: 2 } } },
    );

    expect(requests.map(toolNames)).toEqual([ALL_TOOLS, ALL_TOOLS]);
    expect(endingOf(outcome)).toEqual(
      anEnding({
        status: 'STOPPED',
        stop: 'MODEL_CALLS_EXHAUSTED',
        rounds: 2,
        toolCalls: 1,
        checks: ['call-1'],
      }),
    );
  });

  it('never replay a blank block, and carry reasoning back unchanged (field issue 46)', async () => {
    const reasoning = reasoningBlock('先看日志', 'signature-1');
    const answer = answerWith(
      [{ text: ' \n' }, toolUseBlock('query_logs', askLogs('a').input, 'tooluse_A')],
      { before: [reasoning, { text: '' }] },
    );

    const { requests } = await play([answer, conclude()]);

    expect(requests[1]?.fault).toBeNull();
    expect(requests[1]?.body?.messages?.[1]?.content).toMatchObject([
      reasoning,
      { toolUse: { toolUseId: 'tooluse_A' } },
    ]);
  });

  it.each(['', ' ', '\n\t　'])('are not sent for a blank query (field issue 46)', async (query) => {
    const playing = play([conclude()], { request: { ...THE_REQUEST, query } });

    await expect(playing).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('declare each tool with a plain JSON object as its schema (field issue 48)', async () => {
    const { requests } = await play([conclude(aDraft())]);

    const specs = requests[0]?.body?.toolConfig?.tools?.map(({ toolSpec }) => toolSpec) ?? [];
    expect(specs.map((spec) => spec?.inputSchema?.json)).toEqual(
      ALL_TOOLS.map(() => expect.objectContaining({ type: 'object', additionalProperties: false })),
    );
    expect(JSON.stringify(specs)).not.toMatch(/\$schema|\$ref|\$defs/);
  });
});

const ALL_TOOLS = ['lookup_knowledge', 'query_logs', 'query_mysql', 'read_skill'];

function toolNames({ body }: RecordedRequest): readonly unknown[] {
  return body?.toolConfig?.tools?.map(({ toolSpec }) => toolSpec?.name) ?? [];
}
