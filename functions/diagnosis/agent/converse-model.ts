import {
  type BedrockRuntimeClient,
  type ContentBlock,
  ConverseCommand,
} from '@aws-sdk/client-bedrock-runtime';
import {
  type BaseModelConfig,
  type Message,
  Model,
  type ModelStreamEvent,
  type StreamOptions,
} from '@strands-agents/sdk';
import type { TokenUsage } from '../../../shared/contracts/step.ts';
import { toConverseMessages, toConverseTools, toSystemBlocks } from './converse-messages.ts';
import {
  type ModelAnswer,
  type RequestedCall,
  readAnswer,
  readStopReason,
  readUsage,
} from './model-answer.ts';
import { toModelFailure } from './model-failure.ts';
import { ToolCallIds } from './tool-call-ids.ts';

/** How the model is asked. */
export interface ConverseSettings {
  readonly modelId: string;
  /** Tokens of one answer at most; always sent, since the service reserves its maximum otherwise. */
  readonly maxTokens: number;
  readonly promptCache: boolean;
}

/** What the service said of one round, kept also when the round then failed. */
export interface RoundReport {
  readonly stopReason: string | null;
  readonly usage: TokenUsage | null;
  readonly requestId: string | null;
  readonly calls: readonly RequestedCall[];
}

/**
 * The framework's model provider over our own Bedrock client: one `Converse` request per round, no
 * retry, no stream. Fails closed on every stop reason but a clean end and clean tool calls. Gives
 * tool calls their own ids. One instance serves one run.
 */
export class ConverseModel extends Model<BaseModelConfig> {
  readonly #client: BedrockRuntimeClient;
  readonly #settings: ConverseSettings;
  readonly #ids = new ToolCallIds();
  readonly #assistantTurns: (readonly ContentBlock[])[] = [];
  #report: RoundReport | null = null;

  constructor(client: BedrockRuntimeClient, settings: ConverseSettings) {
    super();
    this.#client = client;
    this.#settings = settings;
  }

  override getConfig(): BaseModelConfig {
    return { modelId: this.#settings.modelId, maxTokens: this.#settings.maxTokens };
  }

  /** @throws TypeError always: what a run asks the model with is settled when it begins */
  override updateConfig(): void {
    throw new TypeError('the model of a run is not changed while it runs');
  }

  /** What the service said in the round that has just ended; null when it never answered. */
  takeReport(): RoundReport | null {
    const report = this.#report;
    this.#report = null;
    return report;
  }

  /** @throws ModelFailedError for every way in which a round can fail, as the framework's cause */
  override async *stream(
    messages: Message[],
    options: StreamOptions = {},
  ): AsyncIterable<ModelStreamEvent> {
    const response = await this.#converse(messages, options);
    this.#report = {
      stopReason: readStopReason(response),
      usage: readUsage(response),
      requestId: response.$metadata.requestId ?? null,
      calls: [],
    };
    const answer = readAnswer(response, this.#ids);
    this.#report = { ...this.#report, calls: callsOf(answer) };
    this.#assistantTurns.push(answer.content);
    yield* toStreamEvents(answer);
  }

  async #converse(
    messages: readonly Message[],
    { systemPrompt, toolSpecs, cancelSignal }: StreamOptions,
  ) {
    const { modelId, maxTokens, promptCache } = this.#settings;
    const command = new ConverseCommand({
      modelId,
      inferenceConfig: { maxTokens },
      system: toSystemBlocks(systemPrompt, promptCache),
      messages: toConverseMessages(messages, {
        assistantTurns: this.#assistantTurns,
        ids: this.#ids,
        promptCache,
      }),
      toolConfig: { tools: toConverseTools(toolSpecs ?? []) },
    });
    try {
      return await this.#client.send(command, cancelSignal ? { abortSignal: cancelSignal } : {});
    } catch (error) {
      throw toModelFailure(error);
    }
  }
}

function callsOf(answer: ModelAnswer): readonly RequestedCall[] {
  return answer.parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
}

function* toStreamEvents({ parts, stopReason }: ModelAnswer): Generator<ModelStreamEvent> {
  yield { type: 'modelMessageStartEvent', role: 'assistant' };
  for (const part of parts) {
    if (part.kind === 'text') yield* textEvents(part.text);
    else yield* callEvents(part.call);
  }
  yield { type: 'modelMessageStopEvent', stopReason };
}

function* textEvents(text: string): Generator<ModelStreamEvent> {
  yield { type: 'modelContentBlockStartEvent' };
  yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text } };
  yield { type: 'modelContentBlockStopEvent' };
}

function* callEvents({ toolCallId, name, input }: RequestedCall): Generator<ModelStreamEvent> {
  yield {
    type: 'modelContentBlockStartEvent',
    start: { type: 'toolUseStart', name, toolUseId: toolCallId },
  };
  const json = JSON.stringify(input ?? {});
  yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: json } };
  yield { type: 'modelContentBlockStopEvent' };
}
