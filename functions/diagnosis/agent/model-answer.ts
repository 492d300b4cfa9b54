import type { ContentBlock, ConverseCommandOutput } from '@aws-sdk/client-bedrock-runtime';
import type { FailureCode, VendorCode } from '../../../shared/contracts/failure.ts';
import type { ToolCallId } from '../../../shared/contracts/identifiers.ts';
import { ModelResponseSchema } from '../../../shared/contracts/model-response.ts';
import { type TokenUsage, TokenUsageSchema } from '../../../shared/contracts/step.ts';
import { ModelFailedError } from './model-failure.ts';
import type { ToolCallIds } from './tool-call-ids.ts';

/** A tool call as the model asked it, under our id. */
export interface RequestedCall {
  readonly toolCallId: ToolCallId;
  readonly providerId: string;
  /** The name as asked; one that Bedrock would not take back is replaced. */
  readonly name: string;
  readonly input: unknown;
}

/** A whole answer that may be acted on. */
export interface ModelAnswer {
  readonly stopReason: 'endTurn' | 'toolUse';
  /** Text blocks and tool calls in the order of the answer. */
  readonly parts: readonly (
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'call'; readonly call: RequestedCall }
  )[];
  /** The content as it goes back to the service in later rounds. */
  readonly content: readonly ContentBlock[];
}

type Verdict = readonly [FailureCode, VendorCode];

const REFUSED_STOPS: ReadonlyMap<string, Verdict> = new Map<string, Verdict>([
  ['stop_sequence', ['AGENT_FAILED', 'STOP_SEQUENCE']],
  ['guardrail_intervened', ['MODEL_REFUSED', 'GUARDRAIL_INTERVENED']],
  ['content_filtered', ['MODEL_REFUSED', 'CONTENT_FILTERED']],
  ['malformed_model_output', ['AGENT_FAILED', 'MALFORMED_MODEL_OUTPUT']],
  ['malformed_tool_use', ['AGENT_FAILED', 'MALFORMED_TOOL_USE']],
  ['model_context_window_exceeded', ['CONTEXT_OVERFLOW', 'CONTEXT_WINDOW_EXCEEDED']],
]);

/** What Bedrock takes for a tool name; another one would poison every later request. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const UNPRINTABLE_NAME = 'INVALID_TOOL_NAME';

/** Calls of one answer at most: the step of a round names each. */
const MAX_CALLS = 512;

/**
 * Reads an answer, stop reason first. Fails closed on anything but a clean end or clean tool calls.
 *
 * @throws ModelFailedError with the reason as its detail code
 */
export function readAnswer(response: ConverseCommandOutput, ids: ToolCallIds): ModelAnswer {
  if (!ModelResponseSchema.safeParse(response).success) {
    throw new ModelFailedError('MODEL_UNAVAILABLE', 'RESPONSE_UNREADABLE');
  }
  const blocks = response.output?.message?.content ?? [];
  const stopReason = acceptedStopReason(response.stopReason, blocks);
  if (blocks.filter(({ toolUse }) => toolUse !== undefined).length > MAX_CALLS) {
    throw new ModelFailedError('AGENT_FAILED', 'MALFORMED_TOOL_USE');
  }
  const usable = blocks.flatMap((block) => usableBlock(block));
  const parts = usable.flatMap((block) => toPart(block, ids));
  return { stopReason, parts, content: usable.map((block) => replayable(block)) };
}

/** The stop reason as the service gave it; null when it gave no text. */
export function readStopReason({ stopReason }: ConverseCommandOutput): string | null {
  return typeof stopReason === 'string' ? stopReason : null;
}

/**
 * Tokens as the service counted them; null when it did not say, or said what no count can be: a
 * negative or broken number would give tokens back to the budget, or switch it off.
 */
export function readUsage({ usage }: ConverseCommandOutput): TokenUsage | null {
  const counted = TokenUsageSchema.safeParse({
    input_tokens: usage?.inputTokens,
    output_tokens: usage?.outputTokens,
    cache_read_tokens: usage?.cacheReadInputTokens ?? 0,
    cache_write_tokens: usage?.cacheWriteInputTokens ?? 0,
  });
  return counted.success ? counted.data : null;
}

function acceptedStopReason(
  stopReason: string | undefined,
  blocks: readonly ContentBlock[],
): ModelAnswer['stopReason'] {
  const asksForTools = blocks.some((block) => block.toolUse !== undefined);
  if (stopReason === 'max_tokens') {
    throw new ModelFailedError(
      'OUTPUT_TRUNCATED',
      asksForTools ? 'TRUNCATED_TOOL_USE' : 'TRUNCATED_TEXT',
    );
  }
  const refused = REFUSED_STOPS.get(stopReason ?? '');
  if (refused !== undefined) throw new ModelFailedError(...refused);
  if (stopReason !== 'end_turn' && stopReason !== 'tool_use') {
    throw new ModelFailedError('AGENT_FAILED', 'UNKNOWN_STOP_REASON');
  }
  if (asksForTools !== (stopReason === 'tool_use')) {
    throw new ModelFailedError('AGENT_FAILED', 'STOP_REASON_MISMATCH');
  }
  return asksForTools ? 'toolUse' : 'endTurn';
}

/** The block as it may be acted on: blank text dropped, unusable names and numbers replaced. */
function usableBlock(block: ContentBlock): ContentBlock[] {
  if (block.text !== undefined) return block.text.trim() === '' ? [] : [block];
  if (block.reasoningContent !== undefined) return [block];
  if (block.toolUse === undefined)
    throw new ModelFailedError('AGENT_FAILED', 'UNSUPPORTED_CONTENT');
  const { toolUseId, name = '', input } = block.toolUse;
  const replayedName = TOOL_NAME.test(name) ? name : UNPRINTABLE_NAME;
  return [{ toolUse: { toolUseId, name: replayedName, input: plainJson(input) as never } }]; // JSON again
}

/** The block as it may be sent back: the service takes no tool input but a JSON object. */
function replayable(block: ContentBlock): ContentBlock {
  if (block.toolUse === undefined) return block;
  const { input } = block.toolUse;
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? block : { toolUse: { ...block.toolUse, input: {} } };
}

function toPart(block: ContentBlock, ids: ToolCallIds): ModelAnswer['parts'][number][] {
  if (block.text !== undefined) return [{ kind: 'text', text: block.text }];
  if (block.toolUse === undefined) return []; // reasoning stays between the service and itself
  const { toolUseId: providerId = '', name = '', input } = block.toolUse;
  const minted = ids.mint(providerId);
  if (minted.kind === 'refused') throw new ModelFailedError('AGENT_FAILED', minted.code);
  return [{ kind: 'call', call: { toolCallId: minted.toolCallId, providerId, name, input } }];
}

/** JSON as JavaScript has it: numbers that it can't hold exactly become their digits as text. */
function plainJson(value: unknown): unknown {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => plainJson(member));
  if ('type' in value && value.type === 'bigDecimal' && 'string' in value) return value.string;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainJson(member)]));
}
