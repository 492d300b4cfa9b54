import type { ContentBlock, Message, ToolUseBlock } from '@aws-sdk/client-bedrock-runtime';
import { type ConverseBody, roundOf } from './brain.ts';
import { listOf, memberOf, textOf, tryParseJson } from './json-shape.ts';

/**
 * A request as a person reads it: everything in the first round, later what is new since the round
 * before.
 */
export function describeRequest(request: ConverseBody, answerPath: string): string {
  const { system = [], messages = [], toolConfig } = request;
  const round = roundOf(request);
  const calls = (messages.at(-2)?.content ?? []).flatMap(({ toolUse }) => toolUse ?? []);
  const sections =
    round === 1
      ? [
          section('System', system.map(({ text }) => text ?? '').join('\n\n')),
          section('Tools', listOf(toolConfig?.tools).map(describeTool).join('\n')),
        ]
      : [];
  return [
    `# Round ${round}`,
    ...sections,
    section(round === 1 ? 'Question' : 'New since the last round', describeNews(messages, calls)),
    section('How to answer', howToAnswer(answerPath)),
  ].join('\n\n');
}

function section(heading: string, text: string): string {
  return `## ${heading}\n\n${text.trim()}`;
}

function describeTool(tool: unknown): string {
  const spec = memberOf(tool, 'toolSpec');
  if (spec === undefined) return '';
  const schema = memberOf(memberOf(spec, 'inputSchema'), 'json');
  const name = textOf(memberOf(spec, 'name'));
  return `### ${name}\n\n${textOf(memberOf(spec, 'description'))}\n\n${jsonBlock(schema)}\n`;
}

function describeNews(messages: readonly Message[], calls: readonly ToolUseBlock[]): string {
  const blocks = messages.at(-1)?.content ?? [];
  return blocks.map((block) => describeBlock(block, calls)).join('\n\n');
}

function describeBlock(block: ContentBlock, calls: readonly ToolUseBlock[]): string {
  const { text, toolResult } = block;
  if (text !== undefined) return prettyText(text);
  if (toolResult === undefined) return '';
  const call = calls.find(({ toolUseId }) => toolUseId === toolResult.toolUseId);
  const parts = (toolResult.content ?? []).map((part) =>
    part.json === undefined ? prettyText(part.text ?? '') : jsonBlock(part.json),
  );
  const asked = call === undefined ? '' : ` \`${call.name} ${JSON.stringify(call.input)}\``;
  return [`Result of${asked}:`, ...parts].join('\n\n');
}

function prettyText(text: string): string {
  const json = tryParseJson(text);
  return json === undefined ? text : jsonBlock(json);
}

function jsonBlock(value: unknown): string {
  const json = JSON.stringify(value, null, 2) ?? 'null';
  // A fence longer than any run of backticks inside cannot be closed from inside.
  const longest = Math.max(2, ...(json.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${json}\n${fence}`;
}

function howToAnswer(answerPath: string): string {
  return `Write one JSON object to \`${answerPath}\` (best under another name first, then rename it):

- \`{"tool_calls": [{"name": "query_logs", "input": {…}}]}\` asks for tools; \`input\` follows the tool's schema.
- \`{"draft": {…}}\` ends the diagnosis with a draft; \`{"text": "…"}\` ends it with these very words.
- A whole Converse response (\`output\`, \`stopReason\`, \`usage\`) is passed on as it is.

If the file can't be used, the reason is written beside it as \`.error.txt\`; correct the file and it is read again.`;
}
