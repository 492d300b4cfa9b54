import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConverseBody } from '../../../functions/cli/stand-in/brain.ts';
import { createByHandBrain } from '../../../functions/cli/stand-in/by-hand-brain.ts';
import { findFault } from '../../../functions/cli/stand-in/converse-faults.ts';
import { aRequest } from './conversation.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'by-hand-'));
});

afterEach(() => rm(folder, { recursive: true }));

const context = (signal = new AbortController().signal) => ({ round: 1, modelId: 'm', signal });
const file = (name: string) => join(folder, name);
const exists = async (name: string) => (await readdir(folder)).includes(name);

async function answerAtomically(name: string, answer: unknown): Promise<void> {
  await writeFile(file('draft.tmp'), JSON.stringify(answer));
  await rename(file('draft.tmp'), file(name));
}

/** The request, its first answer, and a result for the call it makes. */
function secondRequest(): ConverseBody {
  const first = aRequest();
  return aRequest({
    messages: [
      ...(first.messages ?? []),
      {
        role: 'assistant',
        content: [
          { toolUse: { toolUseId: 'tooluse_a', name: 'query_logs', input: { query: 'x' } } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'tooluse_a', content: [{ json: { events: ['a ``` b'] } }] } },
        ],
      },
    ],
  });
}

it('writes the request to the letter and one to read', async () => {
  const answer = createByHandBrain({ folder, pollMs: 1 }).answer(aRequest(), context());
  await answerAtomically('round-001.answer.json', { text: 'done' });
  await answer;

  const json = await readFile(file('round-001.request.json'), 'utf8');
  const markdown = await readFile(file('round-001.request.md'), 'utf8');
  expect(JSON.parse(json)).toEqual(aRequest());
  expect(markdown.match(/^#{1,3} .*$/gm)).toEqual([
    '# Round 1',
    '## System',
    '## Tools',
    '### query_logs',
    '## Question',
    '## How to answer',
  ]);
  expect(markdown).toContain('You diagnose.');
  expect(markdown).toContain(file('round-001.answer.json'));
});

it('shows only what is new in later rounds', async () => {
  const brain = createByHandBrain({ folder, pollMs: 1 });
  await answerAtomically('round-001.answer.json', { text: 'done' });
  await answerAtomically('round-002.answer.json', { text: 'done' });

  await brain.answer(aRequest(), context());
  await brain.answer(secondRequest(), context());

  const markdown = await readFile(file('round-002.request.md'), 'utf8');
  expect(markdown.split('\n## How to answer')[0]).toBe(`# Round 2

## New since the last round

Result of \`query_logs {"query":"x"}\`:

\`\`\`\`json
{
  "events": [
    "a \`\`\` b"
  ]
}
\`\`\`\`
`);
});

describe('takes the answer from', () => {
  it.each([
    ['a text', { text: 'words' }, [{ text: 'words' }], 'end_turn'],
    ['a draft', { draft: { conclusion: null } }, [{ text: '{"conclusion":null}' }], 'end_turn'],
    [
      'tool calls',
      {
        tool_calls: [
          { name: 'query_logs', input: {} },
          { name: 'query_logs', input: { a: 1 } },
        ],
      },
      [
        { toolUse: { toolUseId: expect.any(String), name: 'query_logs', input: {} } },
        { toolUse: { toolUseId: expect.any(String), name: 'query_logs', input: { a: 1 } } },
      ],
      'tool_use',
    ],
    [
      'a whole response',
      { output: { message: { role: 'assistant', content: [{ text: 'x' }] } }, stopReason: 'odd' },
      [{ text: 'x' }],
      'odd',
    ],
  ])('%s', async (_kind, written, content, stopReason) => {
    await answerAtomically('round-001.answer.json', written);

    const answer = await createByHandBrain({ folder, pollMs: 1 }).answer(aRequest(), context());

    const inputTokens = Math.round(Buffer.byteLength(JSON.stringify(aRequest())) / 4);
    expect(answer).toMatchObject({
      output: { message: { role: 'assistant', content } },
      stopReason,
      usage: { inputTokens },
    });
  });
});

it('mints ids that differ in a conversation and are the same in the next', async () => {
  const calls = {
    tool_calls: [
      { name: 'query_logs', input: {} },
      { name: 'query_logs', input: {} },
    ],
  };
  await answerAtomically('round-001.answer.json', calls);
  await answerAtomically('round-002.answer.json', calls);
  await answerAtomically('round-003.answer.json', calls);
  const brain = createByHandBrain({ folder, pollMs: 1 });

  const first = await brain.answer(aRequest(), context());
  const again = await brain.answer(aRequest(), context());
  const second = await brain.answer(secondRequest(), context());

  const ids = [first, second].flatMap((answer) =>
    JSON.stringify(answer).match(/tooluse_[\w-]{22}/g),
  );
  expect(new Set(ids).size).toBe(4);
  expect(again).toEqual(first);
});

describe('reports and waits on after', () => {
  it.each([
    ['half a file', '{"text": "wor', /^not JSON/],
    ['a list', '[]', /^must be a JSON object/],
    ['an unknown key', '{"answer": 1}', /^must have one of/],
    ['two answers', '{"text": "a", "draft": {}}', /^must have exactly one of/],
    ['an empty text', '{"text": ""}', /^text/],
    ['a draft that is text', '{"draft": "{}"}', /^draft/],
    ['no calls', '{"tool_calls": []}', /^tool_calls/],
    ['a call without a name', '{"tool_calls": [{"input": {}}]}', /^tool_calls\[0\]\.name/],
    ['a call without input', '{"tool_calls": [{"name": "a"}]}', /^tool_calls\[0\]\.input/],
    ['a response without content', '{"output": {}}', /^output\.message\.content/],
    ['a response without a reason', '{"output": {"message": {"content": []}}}', /^stopReason/],
    ['an endless file', `{"text": "${'x'.repeat(1_048_576)}"}`, /^not JSON/],
  ])('%s', async (_kind, broken, reason) => {
    await writeFile(file('round-001.answer.json'), broken);

    const answer = createByHandBrain({ folder, pollMs: 1 }).answer(aRequest(), context());
    await expect.poll(() => exists('round-001.error.txt')).toBe(true);
    const error = await readFile(file('round-001.error.txt'), 'utf8');
    await answerAtomically('round-001.answer.json', { text: 'better' });

    await expect(answer).resolves.toMatchObject({ stopReason: 'end_turn' });
    expect(error).toMatch(reason);
    expect(await exists('round-001.error.txt')).toBe(false);
  });
});

it('stops waiting when the caller goes away', async () => {
  const controller = new AbortController();
  const answer = createByHandBrain({ folder, pollMs: 1 }).answer(
    aRequest(),
    context(controller.signal),
  );
  await expect.poll(() => exists('round-001.request.json')).toBe(true);

  controller.abort();

  await expect(answer).resolves.toEqual({ kind: 'hang' });
});

it('goes on counting behind the requests that are there', async () => {
  await writeFile(file('round-007.request.json'), '{}');
  await answerAtomically('round-008.answer.json', { text: 'eight' });

  const answer = await createByHandBrain({ folder, pollMs: 1 }).answer(aRequest(), context());

  expect(answer).toMatchObject({ output: { message: { content: [{ text: 'eight' }] } } });
});

it('makes the folder', async () => {
  const nested = join(folder, 'a', 'b');
  const controller = new AbortController();
  const answer = createByHandBrain({ folder: nested, pollMs: 1 }).answer(
    aRequest(),
    context(controller.signal),
  );

  await expect.poll(async () => (await readdir(join(folder, 'a'))).length).toBe(1);
  await expect.poll(async () => (await readdir(nested)).length).toBe(2);
  controller.abort();

  await answer;
  expect(
    findFault(JSON.parse(await readFile(join(nested, 'round-001.request.json'), 'utf8'))),
  ).toBeNull();
});
