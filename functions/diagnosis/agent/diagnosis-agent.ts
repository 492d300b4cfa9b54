import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import {
  Agent,
  CachePointBlock,
  ExecuteToolStage,
  InvokeModelStage,
  JsonBlock,
  NullConversationManager,
  TextBlock,
  ToolResultBlock,
} from '@strands-agents/sdk';
import type { RunRecorder } from '../audit/run-recorder.ts';
import type { ToolBoundary } from '../evidence/tool-boundary.ts';
import type { RunContext } from '../run/run-context.ts';
import type { Toolset } from './asked-call.ts';
import { ConverseModel, type ConverseSettings } from './converse-model.ts';
import { ModelFailedError } from './model-failure.ts';
import { interceptModel } from './model-interceptor.ts';
import type { PlaybookReader } from './playbooks.ts';
import { createToolCatalog } from './tool-catalog.ts';
import { ToolInterceptor } from './tool-interceptor.ts';

/** What one run's agent is built from. */
export interface AgentParts {
  readonly run: RunContext;
  readonly recorder: RunRecorder;
  readonly boundary: ToolBoundary;
  readonly toolset: Toolset;
  readonly playbooks: PlaybookReader;
  readonly client: BedrockRuntimeClient;
  readonly settings: ConverseSettings;
  /** The system prompt: its stable block, and the block that differs by run. */
  readonly prompt: { readonly stable: string; readonly instant: string };
}

/**
 * Builds the one agent of a run, invokes it once and returns its last words, unparsed. The agent
 * retries nothing, runs one tool call at a time and keeps its whole history.
 *
 * @throws RunStoppedError, StoreFailedError, ModelFailedError; anything else is an accident
 */
export async function runDiagnosisAgent(parts: AgentParts, userMessage: string): Promise<string> {
  const { run } = parts;
  const result = await createAgent(parts).invoke(userMessage, {
    cancelSignal: run.signal,
    // A backstop behind the gate, which refuses the first round past the limit.
    limits: { turns: run.budget.limits.model_calls + 1 },
  });
  run.assertAlive();
  if (result.stopReason !== 'endTurn')
    throw new ModelFailedError('AGENT_FAILED', 'FRAMEWORK_ERROR');
  return result.lastMessage.content
    .map((block) => (block.type === 'textBlock' ? block.text : ''))
    .join('');
}

function createAgent(parts: AgentParts): Agent {
  const { run, recorder, toolset, client, settings, prompt } = parts;
  const model = new ConverseModel(client, settings);
  const tools = new ToolInterceptor(parts);
  const agent = new Agent({
    name: 'diagnosis_agent',
    id: 'diagnosis_agent',
    model,
    tools: createToolCatalog(toolset),
    systemPrompt: [
      new TextBlock(prompt.stable),
      new CachePointBlock({ cacheType: 'default' }),
      new TextBlock(prompt.instant),
    ],
    printer: false,
    retryStrategy: null,
    conversationManager: new NullConversationManager(),
    toolExecutor: 'sequential',
  });
  agent.addMiddleware(InvokeModelStage, interceptModel({ run, recorder, model, tools }));
  // biome-ignore lint/correctness/useYield: the framework's stage is a generator; an answer has no events
  agent.addMiddleware(ExecuteToolStage, async function* ({ toolUse }) {
    const { json } = await tools.answer(toolUse.toolUseId);
    return { result: toResultBlock(toolUse.toolUseId, json) };
  });
  return agent;
}

/** Status says only that the call was answered; what came of it is in the observation. */
function toResultBlock(
  toolUseId: string,
  json: Readonly<Record<string, unknown>>,
): ToolResultBlock {
  // Observations are plain JSON by construction; the framework's JSON type is merely narrower.
  return new ToolResultBlock({
    toolUseId,
    status: 'success',
    content: [new JsonBlock({ json: json as never })],
  });
}
