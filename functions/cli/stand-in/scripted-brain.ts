import type {
  ContentBlock,
  ConverseResponse,
  StopReason,
  TokenUsage,
  ToolUseBlock,
} from '@aws-sdk/client-bedrock-runtime';
import {
  type Brain,
  type BrainAnswer,
  type BrainContext,
  type ConverseBody,
  mintToolUseId,
} from './brain.ts';

/** One answer, or how to find it from the request. */
export type ScriptedAnswer =
  | BrainAnswer
  | ((request: ConverseBody, context: BrainContext) => BrainAnswer | Promise<BrainAnswer>);

/** Plays the given answers in order of arrival; a request past the last one gets a 500 that says so. */
export function scriptedBrain(...answers: readonly ScriptedAnswer[]): Brain {
  let asked = 0;
  return {
    async answer(request, context) {
      const next = answers[asked];
      asked += 1;
      if (next === undefined) return ranOut(answers.length, asked);
      return typeof next === 'function' ? next(request, context) : next;
    },
  };
}

/** A tool call to be scripted; without an id it gets a provider-like one. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: ToolUseBlock['input'];
  readonly toolUseId?: string;
}

export interface AnswerOptions {
  /** Blocks before the text or the tool calls, such as reasoning. */
  readonly before?: readonly ContentBlock[];
  readonly stopReason?: StopReason;
  readonly usage?: Partial<TokenUsage>;
}

/** Asks for tools, in parallel if there are several calls. */
export function callTools(
  calls: readonly ScriptedCall[],
  options: AnswerOptions = {},
): (request: ConverseBody) => ConverseResponse {
  return (request) => {
    const uses = calls.map(({ name, input, toolUseId }, index) =>
      toolUseBlock(name, input, toolUseId ?? mintToolUseId(request, index)),
    );
    return answerWith(uses, options);
  };
}

/** Ends the turn with a text, such as a draft. */
export function sayText(text: string, options: AnswerOptions = {}): ConverseResponse {
  return answerWith([{ text }], options);
}

/** A response of these blocks; the stop reason is `tool_use` if one of them uses a tool. */
export function answerWith(
  blocks: readonly ContentBlock[],
  { before = [], stopReason, usage = {} }: AnswerOptions = {},
): ConverseResponse {
  const content = [...before, ...blocks];
  const usesTool = content.some(({ toolUse }) => toolUse !== undefined);
  return {
    output: { message: { role: 'assistant', content } },
    stopReason: stopReason ?? (usesTool ? 'tool_use' : 'end_turn'),
    usage: tokenUsage(usage),
    metrics: { latencyMs: 1 },
  };
}

export function toolUseBlock(
  name: string,
  input: ToolUseBlock['input'],
  toolUseId: string,
): ContentBlock.ToolUseMember {
  return { toolUse: { toolUseId, name, input } };
}

export function reasoningBlock(text: string, signature: string): ContentBlock {
  return { reasoningContent: { reasoningText: { text, signature } } };
}

export function redactedReasoningBlock(bytes: Uint8Array): ContentBlock {
  return { reasoningContent: { redactedContent: bytes } };
}

/** Usage whose total counts the cache tokens too, as the service's does. */
export function tokenUsage({
  inputTokens = 100,
  outputTokens = 20,
  cacheReadInputTokens = 0,
  cacheWriteInputTokens = 0,
}: Partial<TokenUsage> = {}): TokenUsage {
  return {
    inputTokens,
    outputTokens,
    cacheReadInputTokens,
    cacheWriteInputTokens,
    totalTokens: inputTokens + outputTokens + cacheReadInputTokens + cacheWriteInputTokens,
  };
}

function ranOut(length: number, asked: number): BrainAnswer {
  const message = `the script holds ${length} answers and this is request ${asked}`;
  return { kind: 'error', status: 500, type: 'InternalServerException', message };
}
