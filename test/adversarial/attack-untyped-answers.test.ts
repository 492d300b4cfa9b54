import { describe, expect, it } from 'vitest';
import type { BrainAnswer } from '../../functions/cli/stand-in/brain.ts';
import { DiagnosisOutcomeSchema } from '../../shared/contracts/diagnosis-outcome.ts';
import { StepDetailSchema } from '../../shared/contracts/step.ts';
import { aDraft } from '../support/drafts.ts';
import { play } from '../support/played.ts';

const DRAFT = `[{"text":${JSON.stringify(JSON.stringify(aDraft()))}}]`;

/** An answer as a service writes it that keeps none of its own types. */
function answer({ content = DRAFT, stopReason = '"end_turn"', usage = '{}' }): BrainAnswer {
  const body = `{"output":{"message":{"role":"assistant","content":${content}}},"stopReason":${stopReason},"usage":${usage}}`;
  return { kind: 'raw', status: 200, contentType: 'application/json', body };
}

function usage(inputTokens: string, outputTokens: string, rest = ''): BrainAnswer {
  return answer({ usage: `{"inputTokens":${inputTokens},"outputTokens":${outputTokens}${rest}}` });
}

async function playChecked(given: BrainAnswer) {
  const played = await play([given]);
  const published: unknown = JSON.parse(JSON.stringify(played.outcome));
  expect(DiagnosisOutcomeSchema.safeParse(published).error).toBeUndefined();
  expect(played.steps.map((step) => StepDetailSchema.safeParse(step).error)).toEqual(
    played.steps.map(() => undefined),
  );
  expect(played.steps.filter(({ kind }) => kind === 'ROUND')).toHaveLength(1);
  return played.outcome;
}

describe('an answer that keeps none of its types', () => {
  it.each([
    { what: 'negative counts', given: usage('-5', '-7') },
    { what: 'fractions', given: usage('1.5', '2.25') },
    { what: 'more than all numbers', given: usage('1e400', '1') },
    { what: 'more digits than a number has', given: usage('99999999999999999999999', '1') },
    { what: 'no number as text', given: usage('"NaN"', '"7"') },
    { what: 'tokens given back', given: usage('5', '5', ',"cacheReadInputTokens":-100000') },
  ])('counts as a round without usage where no usage can be: $what', async ({ given }) => {
    const outcome = await playChecked(given);

    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, rounds_without_usage: 1 },
    });
  });

  it.each([
    { what: 'an empty block', given: answer({ content: '[null]' }) },
    { what: 'a number for text', given: answer({ content: '[{"text":5}]' }) },
    { what: 'an object for a list', given: answer({ content: '{"0":{"text":"x"}}' }) },
    { what: 'a text for a list', given: answer({ content: '"x"' }) },
    { what: 'an object for a stop reason', given: answer({ stopReason: '{"a":1}' }) },
    {
      what: 'a number for a tool name',
      given: answer({
        content: '[{"toolUse":{"toolUseId":"a","name":5,"input":{}}}]',
        stopReason: '"tool_use"',
      }),
    },
    {
      what: 'a number for a tool use id',
      given: answer({
        content: '[{"toolUse":{"toolUseId":7,"name":"query_logs","input":{}}}]',
        stopReason: '"tool_use"',
      }),
    },
  ])('is unreadable, and runs nothing: $what', async ({ given }) => {
    const outcome = await playChecked(given);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'MODEL_UNAVAILABLE', detail_code: 'RESPONSE_UNREADABLE' },
      usage: { tool_calls: 0 },
    });
  });

  it('asks for more tools than the step of a round can name, and none of them runs', async () => {
    const calls = Array.from({ length: 513 }, (_, index) => ({
      toolUse: { toolUseId: `id-${index}`, name: 'query_logs', input: {} },
    }));
    const outcome = await playChecked(
      answer({ content: JSON.stringify(calls), stopReason: '"tool_use"' }),
    );

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'AGENT_FAILED', detail_code: 'MALFORMED_TOOL_USE' },
      usage: { tool_calls: 0 },
    });
  });
});
