import type {
  ContentBlock as ConverseBlock,
  Message as ConverseMessage,
  SystemContentBlock,
  Tool,
} from '@aws-sdk/client-bedrock-runtime';
import type { Message, SystemPrompt, ToolResultBlock, ToolSpec } from '@strands-agents/sdk';
import type { ToolCallIds } from './tool-call-ids.ts';

/** What the conversion of one conversation needs beside the framework's messages. */
export interface Conversation {
  /** The content of each assistant message as the service sent it, in order. */
  readonly assistantTurns: readonly (readonly ConverseBlock[])[];
  readonly ids: ToolCallIds;
  /** Puts a cache point behind the newest message. */
  readonly promptCache: boolean;
}

const CACHE_POINT = { cachePoint: { type: 'default' } } as const;

/**
 * The messages as Converse wants them. Assistant messages are sent back as they came, so that
 * reasoning blocks and provider ids are unchanged; tool results stand in the order of their calls.
 */
export function toConverseMessages(
  messages: readonly Message[],
  { assistantTurns, ids, promptCache }: Conversation,
): ConverseMessage[] {
  let turn = 0;
  const converted = messages.map((message): ConverseMessage => {
    if (message.role === 'assistant') {
      const content = assistantTurns[turn] ?? [];
      turn += 1;
      return { role: 'assistant', content: [...content] };
    }
    return { role: 'user', content: message.content.map((block) => toUserBlock(block, ids)) };
  });
  if (promptCache) converted.at(-1)?.content?.push(CACHE_POINT);
  return converted;
}

/** The system blocks of the framework's prompt. */
export function toSystemBlocks(
  prompt: SystemPrompt | undefined,
  promptCache: boolean,
): SystemContentBlock[] {
  const blocks =
    typeof prompt === 'string' ? [{ type: 'textBlock', text: prompt } as const] : prompt;
  return (blocks ?? []).flatMap((block): SystemContentBlock[] => {
    if (block.type === 'textBlock') return [{ text: block.text }];
    return block.type === 'cachePointBlock' && promptCache ? [CACHE_POINT] : [];
  });
}

/** The tools as Converse wants them. */
export function toConverseTools(specs: readonly ToolSpec[]): Tool[] {
  return specs.map(({ name, description, inputSchema }) => ({
    toolSpec: {
      name,
      description,
      // The framework types a schema more widely than the service's document type.
      inputSchema: { json: (inputSchema ?? { type: 'object' }) as never },
    },
  }));
}

function toUserBlock(block: Message['content'][number], ids: ToolCallIds): ConverseBlock {
  switch (block.type) {
    case 'textBlock':
      return { text: block.text };
    case 'toolResultBlock':
      return {
        toolResult: { toolUseId: ids.providerIdOf(block.toolUseId), content: jsonOf(block) },
      };
    default:
      throw new TypeError(`a user message holds a ${block.type}`);
  }
}

function jsonOf(result: ToolResultBlock): { json: never }[] {
  return result.content.flatMap((content) =>
    // Observations are JSON objects by construction; the service's document type is narrower.
    content.type === 'jsonBlock' ? [{ json: content.json as never }] : [],
  );
}
