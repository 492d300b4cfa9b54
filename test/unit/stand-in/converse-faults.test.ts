import { describe, expect, it } from 'vitest';
import { findFault } from '../../../functions/cli/stand-in/converse-faults.ts';
import { aRequest } from './conversation.ts';

const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const use = (toolUseId: string, changes = {}) => ({
  toolUse: { toolUseId, name: 'query_logs', input: {}, ...changes },
});
const result = (toolUseId: string, changes = {}) => ({
  toolResult: { toolUseId, content: [{ json: {} }], status: 'success', ...changes },
});
const question = user({ text: 'why' });
const cachePoint = { cachePoint: { type: 'default' } };

/** A request with these messages. */
const talk = (...messages: unknown[]) => ({ ...aRequest(), messages });
/** A request with one tool call and this answer to it. */
const answered = (...content: unknown[]) => talk(question, assistant(use('a')), user(...content));
const withTools = (...tools: unknown[]) => ({ ...aRequest(), toolConfig: { tools } });
const tool = (name: unknown, json: unknown = { type: 'object' }) => ({
  toolSpec: { name, inputSchema: { json } },
});

it.each([
  ['a first request', aRequest()],
  ['a request without tools', { ...aRequest(), toolConfig: undefined }],
  ['one result', answered(result('a'))],
  [
    'text and a cache point behind the results',
    answered(result('a'), { text: 'go on' }, cachePoint),
  ],
  ['a failed result', answered(result('a', { status: 'error', content: [{ text: 'no' }] }))],
  [
    'two results in another order',
    talk(question, assistant(use('a'), use('b')), user(result('b'), result('a'))),
  ],
  [
    'reasoning before a tool use',
    talk(
      question,
      assistant(
        { reasoningContent: { reasoningText: { text: 'hm', signature: 's' } } },
        { reasoningContent: { redactedContent: 'AQL/' } },
        use('a'),
      ),
      user(result('a')),
    ),
  ],
  [
    'a long cache point',
    { ...aRequest(), system: [{ text: 's' }, { cachePoint: { type: 'default', ttl: '1h' } }] },
  ],
  [
    'a tool choice',
    { ...aRequest(), toolConfig: { ...aRequest().toolConfig, toolChoice: { auto: {} } } },
  ],
])('accepts %s', (_name, body) => {
  expect(findFault(body)).toBeNull();
});

describe('refuses', () => {
  it.each([
    ['no object', [], 'the body is not a JSON object'],
    ['no messages', talk(), 'messages: must hold at least one message'],
    ['an assistant first', talk(assistant({ text: 'hi' })), 'messages.0.role'],
    ['the same role twice', talk(question, question), 'messages.1.role'],
    ['an assistant last', talk(question, assistant({ text: 'x' })), 'messages: must end'],
    ['empty content', talk(user()), 'messages.0.content: must not be empty'],
    ['blank text', talk(user({ text: '\n ' })), 'messages.0.content.0.text'],
    [
      'two members in a block',
      talk(user({ text: 'a', ...cachePoint })),
      'messages.0.content.0: must have exactly',
    ],
    ['an unknown block', talk(user({ video: {} })), 'messages.0.content.0.video'],
    ['a tool use by the user', talk(user(use('a'))), 'messages.0.content.0.toolUse: belongs'],
    [
      'reasoning by the user',
      talk(user({ reasoningContent: {} })),
      'messages.0.content.0.reasoningContent: belongs',
    ],
    [
      'a result by the assistant',
      talk(question, assistant(result('a')), question),
      'messages.1.content.0.toolResult: belongs',
    ],
    ['a result out of nowhere', talk(user(result('a'))), 'messages.0: the number of toolResult'],
    [
      'a missing result',
      talk(question, assistant(use('a'), use('b')), user(result('a'))),
      'messages.2: expected a toolResult for b',
    ],
    ['no result at all', answered({ text: 'well' }), 'messages.2: expected a toolResult for a'],
    [
      'a result too many',
      answered(result('a'), result('b')),
      'messages.2: the number of toolResult',
    ],
    ['a result for another id', answered(result('b')), 'messages.2: expected a toolResult for a'],
    [
      'the same result twice',
      talk(question, assistant(use('a'), use('b')), user(result('a'), result('a'))),
      'messages.2: expected a toolResult for b',
    ],
    [
      'text before the results',
      answered({ text: 'so' }, result('a')),
      'messages.2: toolResult blocks must come first',
    ],
    [
      'an id used twice in a turn',
      talk(question, assistant(use('a'), use('a')), user(result('a'), result('a'))),
      'messages.1: toolUseId a',
    ],
    [
      'an id used again later',
      talk(
        question,
        assistant(use('a')),
        user(result('a')),
        assistant(use('a')),
        user(result('a')),
      ),
      'messages.3: toolUseId a',
    ],
    [
      'a tool name with other characters',
      talk(question, assistant(use('a', { name: 'a$b' })), user(result('a'))),
      'messages.1.content.0.toolUse.name',
    ],
    [
      'a malformed id',
      talk(question, assistant(use('a b')), user(result('a b'))),
      'messages.1.content.0.toolUse.toolUseId',
    ],
    [
      'a tool input that is text',
      talk(question, assistant(use('a', { input: 'x' })), user(result('a'))),
      'messages.1.content.0.toolUse.input',
    ],
    [
      'a result that is a list',
      answered(result('a', { content: [{ json: [] }] })),
      'messages.2.content.0.toolResult.content.0.json',
    ],
    [
      'an unknown part of a result',
      answered(result('a', { content: [{ html: '' }] })),
      'messages.2.content.0.toolResult.content.0: must be text or json',
    ],
    [
      'blank text in a result',
      answered(result('a', { content: [{ text: '' }] })),
      'messages.2.content.0.toolResult.content.0.text',
    ],
    [
      'a failed result without content',
      answered(result('a', { status: 'error', content: [] })),
      'messages.2.content.0.toolResult.content',
    ],
    [
      'a result without content',
      answered(result('a', { content: undefined })),
      'messages.2.content.0.toolResult.content',
    ],
    [
      'an unknown result status',
      answered(result('a', { status: 'ok' })),
      'messages.2.content.0.toolResult.status',
    ],
    [
      'tool blocks without toolConfig',
      { ...answered(result('a')), toolConfig: undefined },
      'toolConfig: must be defined',
    ],
    [
      'redacted reasoning that is not base64',
      talk(question, assistant({ reasoningContent: { redactedContent: '*' } }), question),
      'messages.1.content.0.reasoningContent.redactedContent',
    ],
    [
      'reasoning without text',
      talk(question, assistant({ reasoningContent: { reasoningText: {} } }), question),
      'messages.1.content.0.reasoningContent.reasoningText',
    ],
    ['no maxTokens', { ...aRequest(), inferenceConfig: {} }, 'inferenceConfig.maxTokens'],
    [
      'a broken maxTokens',
      { ...aRequest(), inferenceConfig: { maxTokens: 0.5 } },
      'inferenceConfig.maxTokens',
    ],
    [
      'a temperature above 1',
      { ...aRequest(), inferenceConfig: { maxTokens: 1, temperature: 2 } },
      'inferenceConfig.temperature',
    ],
    ['system text that is blank', { ...aRequest(), system: [{ text: '' }] }, 'system.0.text'],
    ['a system that is text', { ...aRequest(), system: 'x' }, 'system: must be a list'],
    ['an unknown system block', { ...aRequest(), system: [{ image: {} }] }, 'system.0: must be'],
    [
      'an unknown cache point',
      { ...aRequest(), system: [{ cachePoint: { type: 'x' } }] },
      'system.0.cachePoint.type',
    ],
    [
      'an unknown cache lifetime',
      { ...aRequest(), system: [{ cachePoint: { type: 'default', ttl: '2h' } }] },
      'system.0.cachePoint.ttl',
    ],
    [
      'five cache points',
      talk(user({ text: 'x' }, cachePoint, cachePoint, cachePoint, cachePoint)),
      'a request may hold 4 cache points',
    ],
    ['an empty tool list', withTools(), 'toolConfig.tools: must'],
    ['a tool name too long', withTools(tool('x'.repeat(65))), 'toolConfig.tools.0.toolSpec.name'],
    [
      'a tool given twice',
      withTools(tool('a'), tool('a')),
      'toolConfig.tools.1.toolSpec.name: is given twice',
    ],
    [
      'a schema that is text',
      withTools(tool('a', '{}')),
      'toolConfig.tools.0.toolSpec.inputSchema.json',
    ],
    [
      'a schema of another type',
      withTools(tool('a', { type: 'array' })),
      'toolConfig.tools.0.toolSpec.inputSchema.json',
    ],
    [
      'a blank tool description',
      withTools({ toolSpec: { ...tool('a').toolSpec, description: '' } }),
      'toolConfig.tools.0.toolSpec.description',
    ],
    ['a tool without a spec', withTools({}), 'toolConfig.tools.0.toolSpec: must be an object'],
    [
      'the tool choice none',
      { ...aRequest(), toolConfig: { ...aRequest().toolConfig, toolChoice: { none: {} } } },
      'toolConfig.toolChoice',
    ],
  ])('%s', (_name, body, fault) => {
    expect(findFault(body)?.slice(0, fault.length)).toBe(fault);
  });
});
