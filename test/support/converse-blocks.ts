import type { ContentBlock, Message } from '@aws-sdk/client-bedrock-runtime';
import type { Asked } from './played.ts';

/** A scripted call under the id that its provider gives it. */
export function provider(toolUseId: string, asked: Asked) {
  return { ...asked, toolUseId };
}

/** The call as it goes back to the provider. */
export function use({ toolUseId, name, input }: ReturnType<typeof provider>): ContentBlock {
  return { toolUse: { toolUseId, name, input } };
}

/** The one answer to a call. */
export function answer(toolUseId: string, observation: Record<string, unknown>): ContentBlock {
  return { toolResult: { toolUseId, content: [{ json: observation as never }] } }; // plain JSON
}

/** A message of ours. */
export function user(...content: readonly ContentBlock[]): Message {
  return { role: 'user', content: [...content] };
}

/** A turn of the model's. */
export function assistant(...content: readonly ContentBlock[]): Message {
  return { role: 'assistant', content: [...content] };
}

/** The part of an evidence observation that is the same for every tool. */
export function head(tool_call_id: string, input: object, window: object | null) {
  return {
    tool_call_id,
    evidence_status: 'EVIDENCE_FOUND',
    source_kind: 'MOCK',
    scope: { request: input, window, notes: [] },
    truncated: false,
  };
}
