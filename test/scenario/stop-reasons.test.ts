import type { ConverseResponse } from '@aws-sdk/client-bedrock-runtime';
import { describe, expect, it } from 'vitest';
import {
  answerWith,
  type ScriptedAnswer,
  sayText,
  toolUseBlock,
} from '../../functions/cli/stand-in/scripted-brain.ts';
import { conclude } from '../support/drafts.ts';
import { askLogs, play, round } from '../support/played.ts';

const USE = toolUseBlock('query_logs', askLogs('timeout').input, 'tooluse_1');
const WORDS = JSON.stringify({ conclusion: '网络' });

/** What each way of ending a turn comes to: stop reason, what the answer holds, code, detail, again? */
const ENDINGS: readonly [string, ConverseResponse, string, string, boolean][] = [
  ['max_tokens in a text', stopped('max_tokens'), 'OUTPUT_TRUNCATED', 'TRUNCATED_TEXT', false],
  [
    'max_tokens in a tool call',
    answerWith([USE], { stopReason: 'max_tokens' }),
    'OUTPUT_TRUNCATED',
    'TRUNCATED_TOOL_USE',
    false,
  ],
  ['stop_sequence', stopped('stop_sequence'), 'AGENT_FAILED', 'STOP_SEQUENCE', false],
  [
    'guardrail_intervened',
    stopped('guardrail_intervened'),
    'MODEL_REFUSED',
    'GUARDRAIL_INTERVENED',
    false,
  ],
  ['content_filtered', stopped('content_filtered'), 'MODEL_REFUSED', 'CONTENT_FILTERED', false],
  [
    'malformed_model_output',
    stopped('malformed_model_output'),
    'AGENT_FAILED',
    'MALFORMED_MODEL_OUTPUT',
    true,
  ],
  [
    'malformed_tool_use',
    answerWith([USE], { stopReason: 'malformed_tool_use' }),
    'AGENT_FAILED',
    'MALFORMED_TOOL_USE',
    true,
  ],
  [
    'model_context_window_exceeded',
    stopped('model_context_window_exceeded'),
    'CONTEXT_OVERFLOW',
    'CONTEXT_WINDOW_EXCEEDED',
    false,
  ],
  [
    'a reason of next year',
    stopped('paused_to_think'),
    'AGENT_FAILED',
    'UNKNOWN_STOP_REASON',
    true,
  ],
  ['no reason at all', withoutReason(), 'AGENT_FAILED', 'UNKNOWN_STOP_REASON', true],
  [
    'tool_use without a tool call',
    stopped('tool_use'),
    'AGENT_FAILED',
    'STOP_REASON_MISMATCH',
    true,
  ],
  [
    'end_turn with a tool call',
    answerWith([USE], { stopReason: 'end_turn' }),
    'AGENT_FAILED',
    'STOP_REASON_MISMATCH',
    true,
  ],
];

describe('a turn that ends in', () => {
  it.each(ENDINGS)(
    '%s fails the run with its own code',
    async (_how, answer, code, detail, again) => {
      const { outcome, requests, adapterCalls, invocations } = await play([answer, conclude()]);

      expect(outcome).toMatchObject({
        status: 'FAILED',
        stop_reason: null,
        failure: { code, detail_code: detail, rerunnable: again },
        draft: null,
        progress: null,
      });
      expect(requests).toHaveLength(1);
      expect(adapterCalls).toEqual([]);
      expect(invocations).toEqual([]);
      expect(JSON.stringify(outcome)).not.toContain('网络');
    },
  );

  it('max_tokens keeps what was checked before', async () => {
    const answers = [round(askLogs('timeout')), stopped('max_tokens')];

    const { outcome, requests } = await play(answers);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'OUTPUT_TRUNCATED' },
      progress: { checks: [{ tool_call_id: 'call-1', evidence_status: 'EVIDENCE_FOUND' }] },
      usage: { model_calls: 2, input_tokens: 200 },
    });
    expect(requests).toHaveLength(2);
  });

  it.each<[string, ScriptedAnswer, string]>([
    ['the same id twice', answerWith([USE, USE]), 'DUPLICATE_TOOL_CALL_ID'],
    [
      'an id that Bedrock would not take back',
      answerWith([toolUseBlock('query_logs', USE.toolUse.input, 'id with blanks')]),
      'MALFORMED_TOOL_CALL_ID',
    ],
    [
      'a picture',
      answerWith([{ image: { format: 'png', source: { bytes: new Uint8Array([1]) } } }]),
      'UNSUPPORTED_CONTENT',
    ],
  ])('%s runs nothing of that round', async (_how, answer, detail) => {
    const { outcome, requests, adapterCalls } = await play([answer, conclude()]);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'AGENT_FAILED', detail_code: detail },
    });
    expect(requests).toHaveLength(1);
    expect(adapterCalls).toEqual([]);
  });

  it('an id of an earlier round runs nothing of its round', async () => {
    const { outcome, adapterCalls } = await play([answerWith([USE]), answerWith([USE])]);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'AGENT_FAILED', detail_code: 'DUPLICATE_TOOL_CALL_ID', rerunnable: true },
      progress: { checks: [{ tool_call_id: 'call-1' }] },
    });
    expect(adapterCalls).toHaveLength(1);
  });
});

/** A text with any stop reason, of which the service may invent new ones. */
function stopped(stopReason: string): ConverseResponse {
  return sayText(WORDS, { stopReason: stopReason as 'end_turn' }); // unknown values pass the SDK
}

function withoutReason(): ConverseResponse {
  const { stopReason: _none, ...answer } = sayText(WORDS);
  return answer as ConverseResponse; // what a service might leave out
}
