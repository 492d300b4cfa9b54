import { createHash } from 'node:crypto';
import type { ConverseRequest, ConverseResponse } from '@aws-sdk/client-bedrock-runtime';

/** What stands in the body of a Converse request; the model id is in the path. */
export type ConverseBody = Omit<ConverseRequest, 'modelId'>;

export interface BrainContext {
  /** 1 for the first model call of a conversation; counted from the messages. */
  readonly round: number;
  readonly modelId: string;
  /** Aborts when the caller goes away or the server closes. */
  readonly signal: AbortSignal;
}

/** A Converse response, or one of the ways in which the real service can fail to give one. */
export type BrainAnswer =
  | ConverseResponse
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly type: string;
      readonly message: string;
    }
  /** Accepts the request and never answers. */
  | { readonly kind: 'hang' }
  | {
      readonly kind: 'raw';
      readonly status: number;
      readonly contentType: string;
      readonly body: string;
    }
  /** A few bytes of the answer every so many milliseconds. */
  | { readonly kind: 'trickle'; readonly body: ConverseResponse; readonly everyMs: number }
  /** Resets the connection. */
  | { readonly kind: 'reset' };

/** Plays the model. */
export interface Brain {
  answer(request: ConverseBody, context: BrainContext): Promise<BrainAnswer>;
}

/** The round a request belongs to: one more than the assistant's turns it holds. */
export function roundOf(request: ConverseBody): number {
  const turns = request.messages ?? [];
  return turns.filter(({ role }) => role === 'assistant').length + 1;
}

/** A provider-like id that looks random and is the same whenever the conversation is the same. */
export function mintToolUseId(request: ConverseBody, index: number): string {
  const seed = JSON.stringify([request.messages?.[0] ?? null, roundOf(request), index]);
  return `tooluse_${createHash('sha256').update(seed).digest('base64url').slice(0, 22)}`;
}
