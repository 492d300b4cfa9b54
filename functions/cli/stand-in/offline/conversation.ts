import type { ConverseBody } from '../brain.ts';
import { isRecord, listOf, memberOf, textOf, tryParseJson } from '../json-shape.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** One tool call with what came back for it. */
export interface Exchange {
  readonly toolName: string;
  readonly input: JsonObject;
  readonly observation: JsonObject;
}

/** All that the offline model knows: what stands in the Converse body. */
export interface Conversation {
  /** The user's question. */
  readonly query: string;
  readonly systemText: string;
  /** Descriptions of the tools offered, by name. */
  readonly tools: ReadonlyMap<string, string>;
  /** In the order in which they were asked. */
  readonly exchanges: readonly Exchange[];
}

/** Reads a Converse body as one conversation. */
export function readConversation({
  system,
  messages = [],
  toolConfig,
}: ConverseBody): Conversation {
  const blocks = messages.flatMap(({ content }) => content ?? []);
  const observations = new Map(
    blocks.flatMap(({ toolResult }) =>
      toolResult === undefined
        ? []
        : [[toolResult.toolUseId, observationOf(toolResult.content)] as const],
    ),
  );
  return {
    query: queryOf(blocks.find(({ text }) => text !== undefined)?.text ?? ''),
    systemText: (system ?? []).map(({ text }) => text ?? '').join('\n'),
    tools: new Map(
      listOf(toolConfig?.tools)
        .map((tool) => memberOf(tool, 'toolSpec'))
        .map((spec) => [textOf(memberOf(spec, 'name')), textOf(memberOf(spec, 'description'))]),
    ),
    exchanges: blocks.flatMap(({ toolUse }) =>
      toolUse === undefined
        ? []
        : [
            {
              toolName: toolUse.name ?? '',
              input: isRecord(toolUse.input) ? toolUse.input : {},
              observation: observations.get(toolUse.toolUseId) ?? {},
            },
          ],
    ),
  };
}

/** The `query` of the JSON object that the user message holds, else the message itself. */
function queryOf(message: string): string {
  const query = memberOf(tryParseJson(message), 'query');
  return typeof query === 'string' ? query : message;
}

function observationOf(content: unknown): JsonObject {
  const [part] = listOf(content);
  const json = memberOf(part, 'json') ?? tryParseJson(textOf(memberOf(part, 'text')));
  return isRecord(json) ? json : {};
}
