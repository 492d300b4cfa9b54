import type { ConverseResponse, Message, ToolUseBlock } from '@aws-sdk/client-bedrock-runtime';
import type { ConverseBody } from '../../../functions/cli/stand-in/brain.ts';
import { findFault } from '../../../functions/cli/stand-in/converse-faults.ts';
import { isRecord, tryParseJson } from '../../../functions/cli/stand-in/json-shape.ts';
import { createOfflineModel } from '../../../functions/cli/stand-in/offline-model.ts';

export type Json = Record<string, unknown>;

/** One call the offline model made. */
export interface Asked {
  readonly toolName: string;
  readonly envelope: Json;
}

export interface Play {
  readonly asked: readonly Asked[];
  readonly draft: unknown;
  readonly text: string;
}

export interface Stage {
  readonly query: string;
  readonly catalogue?: string;
  readonly topics?: string;
  readonly queries?: string;
  readonly tools?: readonly string[];
  /** What comes back for the n-th call (from 1), its id aside. */
  readonly reply: (asked: Asked, ordinal: number) => Json;
}

const ALL_TOOLS = ['lookup_knowledge', 'query_logs', 'query_mysql', 'read_skill'];

const CATALOGUE = `# 排查手册目录

- diagnose-payment-timeout: 下单后一直停在支付中、支付回调迟迟不到、支付超时时使用。
- diagnose-redis-timeout: 应用报 Redis 命令超时、缓存命中骤降时使用。`;

const TOPICS = `查询日志。可用的主题：
- payment-service: 支付服务的应用日志（最长回看 1440 分钟）
- order-service: 订单服务的应用日志（最长回看 720 分钟）
- gateway: 入口网关的访问日志（最长回看 60 分钟）`;

const QUERIES = `执行目录里的查询：
- lock_waits: 此刻的行锁等待。无参数。
- payments_by_state: 各状态的支付单数。
  lookback_minutes: integer 1..1440, default 60, 回看分钟数
- payments_of_tenant: 某租户的支付单。
  tenant: string, 租户`;

/** Plays a conversation with the offline model until it answers, every request checked as the server does. */
export async function play(stage: Stage): Promise<Play> {
  const brain = createOfflineModel();
  const messages: Message[] = [
    {
      role: 'user',
      content: [{ text: JSON.stringify({ query: stage.query, previous_turn: null }) }],
    },
  ];
  const asked: Asked[] = [];
  for (let round = 1; round <= 20; round += 1) {
    const request = requestOf(stage, messages);
    const fault = findFault(request);
    if (fault !== null) throw new Error(fault);
    const answer = await brain.answer(request, {
      round,
      modelId: 'offline',
      signal: new AbortController().signal,
    });
    const content = contentOf(answer);
    const use = content.find(({ toolUse }) => toolUse !== undefined)?.toolUse;
    if (use === undefined) {
      const text = content[0]?.text ?? '';
      return { asked, draft: tryParseJson(text), text };
    }
    const call = { toolName: use.name ?? '', envelope: envelopeOf(use) };
    asked.push(call);
    const json = { tool_call_id: `call-${asked.length}`, ...stage.reply(call, asked.length) };
    messages.push(
      { role: 'assistant', content },
      // The SDK's document type is JSON without `unknown`.
      {
        role: 'user',
        content: [{ toolResult: { toolUseId: use.toolUseId, content: [{ json: json as never }] } }],
      },
    );
  }
  throw new Error('the offline model never answered');
}

/** The request of one round on this stage. */
export function requestOf(
  {
    catalogue = CATALOGUE,
    topics = TOPICS,
    queries = QUERIES,
    tools = ALL_TOOLS,
  }: Omit<Stage, 'reply' | 'query'>,
  messages: Message[],
): ConverseBody {
  const descriptions: Record<string, string> = { query_logs: topics, query_mysql: queries };
  return {
    system: [
      { text: `你是 diagnosis_agent。\n\n${catalogue}` },
      { cachePoint: { type: 'default' } },
    ],
    messages,
    inferenceConfig: { maxTokens: 8_192 },
    toolConfig: {
      tools: tools.map((name) => ({
        toolSpec: {
          name,
          description: descriptions[name] ?? '工具',
          inputSchema: { json: { type: 'object' } },
        },
      })),
    },
  };
}

function contentOf(answer: unknown): NonNullable<Message['content']> {
  const response = answer as ConverseResponse; // The offline model gives nothing else.
  return response.output?.message?.content ?? [];
}

function envelopeOf({ input }: ToolUseBlock): Json {
  const json: unknown = JSON.parse(JSON.stringify(input));
  return isRecord(json) ? { ...json } : {};
}
