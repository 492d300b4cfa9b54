import { readFileSync } from 'node:fs';
import type { ContentBlock, Message } from '@aws-sdk/client-bedrock-runtime';
import { describe, expect, it } from 'vitest';
import {
  callTools,
  reasoningBlock,
  redactedReasoningBlock,
} from '../../functions/cli/stand-in/scripted-brain.ts';
import { answer, assistant, head, provider, use, user } from '../support/converse-blocks.ts';
import { conclude } from '../support/drafts.ts';
import type { FakeSource } from '../support/fake-tools.ts';
import { askKnowledge, askLogs, askMysql, type Played, play, rawCall } from '../support/played.ts';

/** System blocks, tools and inference configuration: the same in every request of the run. */
const FRAME = JSON.parse(readFileSync('test/scenario/converse-frame.json', 'utf8'));
const REQUEST = { as_of: '2026-11-03T05:00:00Z' };
const WINDOW = { from: '2026-11-03T04:00:00.000Z', to: '2026-11-03T05:00:00.000Z' };
const HERE: ContentBlock = { cachePoint: { type: 'default' } };
const QUESTION: ContentBlock = {
  text: '{"query":"12:38 起下单支付大量超时","previous_turn":null}',
};
const LOGS_INPUT = { topic: 'orders', query: 'timeout', lookback_minutes: 60 };
const SOURCE: FakeSource = ({ toolName }) => [`${toolName} says so`];

describe('the exact Converse requests', () => {
  it('of two parallel calls over two rounds, reasoning and provider ids sent back as they came', async () => {
    const thinking = reasoningBlock('先看日志和锁。', 'c2lnbmF0dXJl');
    const hidden = redactedReasoningBlock(new Uint8Array([1, 2, 3]));
    const first = [
      provider('tooluse_A', askLogs('timeout')),
      provider('tooluse_B', askMysql('lock_waits')),
    ];
    const second = [
      provider('tooluse_C', askKnowledge('锁等待', ['call-2', 'GAINED'])),
      provider('tooluse_D', askLogs('lock')),
    ];

    const played = await play(
      [
        callTools(first, { before: [thinking, { text: '先查日志。' }] }),
        callTools(second, { before: [hidden] }),
        conclude(),
      ],
      { request: REQUEST, source: SOURCE },
    );

    const turnOne: Message[] = [
      assistant(thinking, { text: '先查日志。' }, ...first.map(use)),
      user(
        answer('tooluse_A', logsEvidence('call-1', LOGS_INPUT)),
        answer('tooluse_B', {
          ...head('call-2', { query_name: 'lock_waits', parameters: {} }, null),
          columns: ['line'],
          rows: ['query_mysql says so'],
          returned_count: 1,
          live_state: true,
        }),
      ),
    ];
    const turnTwo: Message[] = [
      assistant({ reasoningContent: { redactedContent: 'AQID' as never } }, ...second.map(use)), // base64 on the wire
      user(
        answer('tooluse_C', {
          ...head('call-3', { query: '锁等待' }, null),
          evidence: [
            {
              document_id: 'doc-0',
              title: 'lookup_knowledge says so',
              excerpt: 'lookup_knowledge says so',
            },
          ],
          skipped_count: 0,
        }),
        answer('tooluse_D', logsEvidence('call-4', { ...LOGS_INPUT, query: 'lock' })),
      ),
    ];
    expect(bodiesOf(played)).toEqual([
      request([user(QUESTION)]),
      request([user(QUESTION), ...turnOne]),
      request([user(QUESTION), ...turnOne, ...turnTwo]),
    ]);
  });

  it('of a refused call and of a name that Bedrock would not take back', async () => {
    const calls = [
      provider('tooluse_A', rawCall('query_logs', LOGS_INPUT)),
      provider('tooluse_B', rawCall('query metrics$', { input: {} })),
    ];

    const played = await play([callTools(calls), conclude()], { request: REQUEST });

    expect(bodiesOf(played)[1]).toEqual(
      request([
        user(QUESTION),
        assistant(
          { toolUse: { toolUseId: 'tooluse_A', name: 'query_logs', input: LOGS_INPUT } },
          { toolUse: { toolUseId: 'tooluse_B', name: 'INVALID_TOOL_NAME', input: { input: {} } } },
        ),
        user(
          answer('tooluse_A', {
            tool_call_id: 'call-1',
            evidence_status: 'ERROR',
            error_code: 'INVALID_INPUT',
            fields: ['input'],
          }),
          answer('tooluse_B', {
            tool_call_id: 'call-2',
            evidence_status: 'ERROR',
            error_code: 'UNKNOWN_TOOL',
          }),
        ),
      ]),
    );
  });

  it('of a repair', async () => {
    const [first, second] = [
      provider('tooluse_A', askLogs('timeout')),
      provider('tooluse_B', askMysql('lock_waits')),
    ];

    const played = await play([callTools([first]), callTools([second]), conclude()], {
      request: REQUEST,
      source: SOURCE,
    });

    expect(bodiesOf(played)[2]).toEqual(
      request([
        user(QUESTION),
        assistant(use(first)),
        user(answer('tooluse_A', logsEvidence('call-1', LOGS_INPUT))),
        assistant(use(second)),
        user(
          answer('tooluse_B', {
            tool_call_id: 'call-2',
            control: 'REPAIR_REQUIRED',
            missing_field: 'previous_observation',
            expected_tool_call_id: 'call-1',
          }),
        ),
      ]),
    );
  });

  it('of a turn whose blank text is not sent back', async () => {
    const first = provider('tooluse_A', askLogs('timeout'));

    const played = await play([callTools([first], { before: [{ text: ' \n' }] }), conclude()], {
      request: REQUEST,
      source: SOURCE,
    });

    expect(bodiesOf(played)[1]?.messages?.[1]).toEqual(assistant(use(first)));
  });

  it('of the final round, which still carries the tools', async () => {
    const first = provider('tooluse_A', askLogs('timeout'));

    const played = await play([callTools([first]), conclude()], {
      request: { ...REQUEST, budget: { model_calls: 2 } },
      source: SOURCE,
    });

    expect(bodiesOf(played)).toEqual([
      request([user(QUESTION)]),
      request([
        user(QUESTION),
        assistant(use(first)),
        user(
          answer('tooluse_A', { ...logsEvidence('call-1', LOGS_INPUT), control: 'STOP_REQUIRED' }),
        ),
      ]),
    ]);
    expect(played.outcome).toMatchObject({ status: 'COMPLETED' });
  });

  it('with the tool definitions to the byte, previous_observation first', async () => {
    const played = await play([conclude()], { request: REQUEST });

    const sent = bodiesOf(played)[0]?.toolConfig;
    expect(JSON.stringify(sent)).toBe(JSON.stringify(FRAME.toolConfig));
    expect(JSON.stringify(sent)).toMatch(
      /"query_logs","inputSchema":{"json":{"type":"object","properties":{"previous_observation"/,
    );
  });

  it('without cache points where a model takes none', async () => {
    const played = await play([conclude()], {
      request: REQUEST,
      configuration: {
        model: { model_id: 'scripted', max_tokens: 8_192, prompt_cache: false },
      },
    });

    const [system, , instant] = FRAME.system;
    expect(bodiesOf(played)).toEqual([
      { ...FRAME, system: [system, instant], messages: [user(QUESTION)] },
    ]);
  });

  it('without read_skill where playbooks are switched off', async () => {
    const played = await play([conclude()], {
      request: REQUEST,
      configuration: { playbooks_enabled: false },
    });

    const tools = FRAME.toolConfig.tools.slice(0, 3);
    expect(bodiesOf(played)[0]?.toolConfig).toEqual({ tools });
  });
});

/** A request of the frame, its cache point behind the newest message. */
function request(messages: readonly Message[]) {
  const newest = messages.length - 1;
  return {
    ...FRAME,
    messages: messages.map((message, at) =>
      at === newest ? { ...message, content: [...(message.content ?? []), HERE] } : message,
    ),
  };
}

function bodiesOf({ requests }: Played) {
  return requests.map(({ body }) => body);
}

function logsEvidence(toolCallId: string, input: object): Record<string, unknown> {
  return {
    ...head(toolCallId, input, WINDOW),
    matched_count: 1,
    returned_count: 1,
    patterns: [],
    events: ['query_logs says so'],
    timeline: [],
  };
}
