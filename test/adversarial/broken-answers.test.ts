import { describe, expect, it } from 'vitest';
import {
  answerWith,
  type ScriptedAnswer,
  sayText,
  toolUseBlock,
} from '../../functions/cli/stand-in/scripted-brain.ts';
import { aDraft, aGroundedDraft, conclude } from '../support/drafts.ts';
import { anEnding, endingOf } from '../support/ending.ts';
import { askLogs, play, round } from '../support/played.ts';

const DRAFT = JSON.stringify(aGroundedDraft('call-1'));
const cut = (text: string) => sayText(text, { stopReason: 'max_tokens' });
const call = toolUseBlock('query_logs', askLogs('b').input, 'tooluse_B');

describe('last words that are not exactly one draft', () => {
  it.each<{ what: string; answer: ScriptedAnswer; failure: string }>([
    {
      what: 'in a fence',
      answer: sayText(`\`\`\`json\n${DRAFT}\n\`\`\``),
      failure: 'OUTPUT_REFUSED/FENCED',
    },
    {
      what: 'with prose before',
      answer: sayText(`结论如下：\n${DRAFT}`),
      failure: 'OUTPUT_REFUSED/PREFIXED',
    },
    {
      what: 'with prose behind',
      answer: sayText(`${DRAFT}\n以上。`),
      failure: 'OUTPUT_REFUSED/TRAILING',
    },
    { what: 'in two objects', answer: sayText(DRAFT + DRAFT), failure: 'OUTPUT_REFUSED/TRAILING' },
    {
      what: 'in two blocks of an object each',
      answer: answerWith([{ text: DRAFT }, { text: DRAFT }]),
      failure: 'OUTPUT_REFUSED/TRAILING',
    },
    { what: 'empty', answer: sayText(''), failure: 'OUTPUT_REFUSED/EMPTY' },
    { what: 'without any block', answer: answerWith([]), failure: 'OUTPUT_REFUSED/EMPTY' },
    {
      what: 'broken off',
      answer: sayText(DRAFT.slice(0, -1)),
      failure: 'OUTPUT_REFUSED/MALFORMED',
    },
    {
      what: 'cut at max_tokens',
      answer: cut(DRAFT.slice(0, -9)),
      failure: 'OUTPUT_TRUNCATED/TRUNCATED_TEXT',
    },
    {
      what: 'whole, but said to be cut',
      answer: cut(DRAFT),
      failure: 'OUTPUT_TRUNCATED/TRUNCATED_TEXT',
    },
    {
      what: 'too long',
      answer: conclude(aDraft({ recommendations: Array(8).fill('长'.repeat(999)) })),
      failure: 'OUTPUT_REFUSED/OVERSIZED',
    },
    {
      what: 'beside a tool call, and said to be the end',
      answer: answerWith([{ text: DRAFT }, call], { stopReason: 'end_turn' }),
      failure: 'AGENT_FAILED/STOP_REASON_MISMATCH',
    },
    {
      what: 'said to be a tool call',
      answer: sayText(DRAFT, { stopReason: 'tool_use' }),
      failure: 'AGENT_FAILED/STOP_REASON_MISMATCH',
    },
  ])('are refused: $what', async ({ answer, failure }) => {
    const { outcome, requests, adapterCalls } = await play([
      round(askLogs('a')),
      answer,
      conclude(aGroundedDraft('call-1')),
    ]);

    expect(endingOf(outcome)).toEqual(
      anEnding({ status: 'FAILED', failure, rounds: 2, toolCalls: 1, checks: ['call-1'] }),
    );
    expect([requests.length, adapterCalls.length]).toEqual([2, 1]);
  });

  it('may come in several blocks that together are one draft', async () => {
    const blocks = [DRAFT.slice(0, 20), DRAFT.slice(20)].map((text) => ({ text }));

    const { outcome } = await play([round(askLogs('a')), answerWith(blocks)]);

    expect(endingOf(outcome)).toEqual(anEnding({ rounds: 2, toolCalls: 1, checks: ['call-1'] }));
  });
});

describe('a tool call that was cut at max_tokens', () => {
  it('is not executed, nor is a whole one beside it', async () => {
    const whole = toolUseBlock('query_logs', askLogs('a').input, 'tooluse_A');
    const torn = toolUseBlock('query_mysql', { input: { query_name: 'lock' } }, 'tooluse_B');

    const { outcome, requests, adapterCalls, invocations } = await play([
      answerWith([whole, torn], { stopReason: 'max_tokens' }),
      conclude(),
    ]);

    expect(endingOf(outcome)).toEqual(
      anEnding({ status: 'FAILED', failure: 'OUTPUT_TRUNCATED/TRUNCATED_TOOL_USE' }),
    );
    expect([requests.length, adapterCalls, invocations]).toEqual([1, [], []]);
  });
});
