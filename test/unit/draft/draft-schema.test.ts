import { expect, it } from 'vitest';
import { draftJsonSchema } from '../../../functions/diagnosis/draft/draft-schema.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly maxItems?: number;
}

const schema = JSON.parse(draftJsonSchema()) as Schema; // JSON Schema, of which these members matter.
const nodes = [...walk('draft', schema)];

it('is one line without the dialect', () => {
  expect(draftJsonSchema()).not.toMatch(/[\n]|\$schema/);
});

it('asks for every field of a draft and allows no other', () => {
  const objects = nodes.filter(({ node }) => node.type === 'object');

  expect(objects.map(({ path, node }) => [path, node.additionalProperties, node.required])).toEqual(
    [
      ['draft', false, ['conclusion', 'analysis', 'action_plan', 'recommendations', 'limitations']],
      ['draft.analysis[]', false, ['type', 'statement', 'tool_call_ids']],
      ['draft.analysis[].quotes[]', false, ['tool_call_id', 'text']],
      ['draft.limitations', false, ['checked_scope', 'missing_info']],
    ],
  );
});

it('states the limit of every string in bytes, and half of it in characters', () => {
  const texts = nodes.filter(({ node }) => node.type === 'string' && node.enum === undefined);

  expect(texts.map(({ path, node }) => [path, statedLimit(node)])).toEqual([
    ['draft.conclusion', [2_000, 1_000]],
    ['draft.analysis[].statement', [2_000, 1_000]],
    ['draft.analysis[].tool_call_ids[]', [64, 32]],
    ['draft.analysis[].quotes[].tool_call_id', [64, 32]],
    ['draft.analysis[].quotes[].text', [500, 250]],
    ['draft.action_plan[]', [1_000, 500]],
    ['draft.recommendations[]', [1_000, 500]],
    ['draft.limitations.checked_scope[]', [512, 256]],
    ['draft.limitations.missing_info[]', [512, 256]],
  ]);
  expect(statedLimit(schema)).toEqual([16_384, 8_192]);
});

it('bounds every list', () => {
  const lists = nodes.filter(({ node }) => node.type === 'array');

  expect(lists.map(({ path, node }) => [path, node.maxItems])).toEqual([
    ['draft.analysis', 12],
    ['draft.analysis[].tool_call_ids', 8],
    ['draft.analysis[].quotes', 4],
    ['draft.action_plan', 8],
    ['draft.recommendations', 8],
    ['draft.limitations.checked_scope', 12],
    ['draft.limitations.missing_info', 12],
  ]);
});

it('says in Chinese what each field means', () => {
  const mute = nodes.filter(
    ({ node }) => node.type === 'string' && !/\p{sc=Han}/u.test(node.description ?? ''),
  );

  expect(mute).toEqual([]);
});

function statedLimit({ description = '' }: Schema): readonly number[] {
  const [, bytes, characters] =
    /at most (\d+) UTF-8 bytes \(stay under (\d+) characters\)/.exec(description) ?? [];
  return [Number(bytes), Number(characters)];
}

function* walk(path: string, node: Schema): Generator<{ path: string; node: Schema }> {
  yield { path, node };
  for (const [name, member] of Object.entries(node.properties ?? {})) {
    yield* walk(`${path}.${name}`, member);
  }
  for (const choice of node.anyOf ?? []) yield* walk(path, choice);
  for (const member of [node.items ?? []].flat()) yield* walk(`${path}[]`, member);
}
