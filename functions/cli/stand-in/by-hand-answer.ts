import type { ContentBlock, ConverseResponse } from '@aws-sdk/client-bedrock-runtime';
import { utf8Length } from '../../../shared/kernel/utf8.ts';
import { type ConverseBody, mintToolUseId } from './brain.ts';
import { isRecord, memberOf, textOf } from './json-shape.ts';
import { answerWith, tokenUsage, toolUseBlock } from './scripted-brain.ts';

export type ByHandAnswer =
  | { readonly kind: 'answer'; readonly answer: ConverseResponse }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Reads an answer file: `{"tool_calls": [{"name", "input"}]}`, `{"text": "…"}`, `{"draft": {…}}` or a
 * whole Converse response. Usage that is not given is a quarter of the bytes.
 */
export function readByHandAnswer(text: string, request: ConverseBody): ByHandAnswer {
  const parsed = parse(text);
  if (typeof parsed === 'string') return refused(`not JSON: ${parsed}`);
  const { value } = parsed;
  if (!isRecord(value)) return refused('must be a JSON object');
  if ('output' in value) return wholeResponse(value, request);

  const [key, ...others] = Object.keys(value);
  if (others.length > 0) return refused('must have exactly one of tool_calls, text, draft, output');
  switch (key) {
    case 'tool_calls':
      return toolCalls(value[key], request);
    case 'text':
      return sentence(value[key], request);
    case 'draft':
      return isRecord(value[key])
        ? sentence(JSON.stringify(value[key]), request)
        : refused('draft: must be a JSON object');
    default:
      return refused('must have one of tool_calls, text, draft, output');
  }
}

function parse(text: string): { readonly value: unknown } | string {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function sentence(text: unknown, request: ConverseBody): ByHandAnswer {
  if (typeof text !== 'string' || text === '') return refused('text: must not be empty');
  return answered([{ text }], request);
}

function toolCalls(calls: unknown, request: ConverseBody): ByHandAnswer {
  if (!Array.isArray(calls) || calls.length === 0)
    return refused('tool_calls: must be a list of calls');
  const blocks: ContentBlock[] = [];
  for (const [index, call] of calls.entries()) {
    const input = memberOf(call, 'input');
    if (textOf(memberOf(call, 'name')) === '')
      return refused(`tool_calls[${index}].name: is missing`);
    if (!isRecord(input)) return refused(`tool_calls[${index}].input: must be a JSON object`);
    // JSON by construction; the SDK's document type does not know `unknown`.
    const json = input as Parameters<typeof toolUseBlock>[1];
    blocks.push(toolUseBlock(textOf(memberOf(call, 'name')), json, mintToolUseId(request, index)));
  }
  return answered(blocks, request);
}

function answered(blocks: readonly ContentBlock[], request: ConverseBody): ByHandAnswer {
  return { kind: 'answer', answer: answerWith(blocks, { usage: usageOf(request, blocks) }) };
}

function wholeResponse(
  value: Readonly<Record<string, unknown>>,
  request: ConverseBody,
): ByHandAnswer {
  const content = memberOf(memberOf(memberOf(value, 'output'), 'message'), 'content');
  if (!Array.isArray(content)) return refused('output.message.content: must be a list');
  if (textOf(memberOf(value, 'stopReason')) === '') return refused('stopReason: is missing');
  const usage = isRecord(memberOf(value, 'usage'))
    ? {}
    : { usage: tokenUsage(usageOf(request, content)) };
  // Whatever else it holds is the player's affair: odd answers are what this is for.
  return {
    kind: 'answer',
    answer: { metrics: { latencyMs: 0 }, ...value, ...usage } as ConverseResponse,
  };
}

function usageOf(
  request: ConverseBody,
  answer: unknown,
): { readonly inputTokens: number; readonly outputTokens: number } {
  const quarter = (value: unknown) => Math.round(utf8Length(JSON.stringify(value)) / 4);
  return { inputTokens: quarter(request), outputTokens: quarter(answer) };
}

function refused(reason: string): ByHandAnswer {
  return { kind: 'refused', reason };
}
