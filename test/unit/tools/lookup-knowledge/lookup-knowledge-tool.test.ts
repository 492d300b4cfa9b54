import { expect, it } from 'vitest';
import type {
  AdapterResult,
  ToolAdapter,
} from '../../../../functions/diagnosis/evidence/tool-adapter.ts';
import { createLookupKnowledgeTool } from '../../../../functions/diagnosis/tools/lookup-knowledge/lookup-knowledge-tool.ts';
import { MarkdownKnowledgeAdapter } from '../../../../functions/diagnosis/tools/lookup-knowledge/markdown-knowledge-adapter.ts';
import type { LookupKnowledgeInput } from '../../../../shared/contracts/tool-inputs.ts';
import { createRedactor } from '../../../../shared/redaction/redactor.ts';
import { aFolder } from './a-folder.ts';

it('is lookup_knowledge and says that documents prove nothing about the incident', () => {
  const { name, description } = createLookupKnowledgeTool({ adapter: aSource() });

  expect({ name, warns: description.includes('不能证明') }).toEqual({
    name: 'lookup_knowledge',
    warns: true,
  });
});

it.each([
  ['no object', null, ['input']],
  ['no query', {}, ['input.query']],
  ['a blank query', { query: ' \n' }, ['input.query']],
  ['a query that is no text', { query: 7 }, ['input.query']],
  ['a query one byte too long', { query: 'x'.repeat(1_025) }, ['input.query']],
  ['none of five results', { query: 'x', max_results: 0 }, ['input.max_results']],
  ['six results', { query: 'x', max_results: 6 }, ['input.max_results']],
  ['half a result', { query: 'x', max_results: 1.5 }, ['input.max_results']],
  ['an unknown key', { query: 'x', folder: '/etc' }, ['input']],
  ['two faults', { query: '', max_results: 9 }, ['input.query', 'input.max_results']],
])('refuses %s', (_what, input, fields) => {
  expect(createLookupKnowledgeTool({ adapter: aSource() }).prepare(input)).toEqual({
    kind: 'invalid',
    fields,
  });
});

it.each([
  [{ query: 'Redis  超时' }, { query: ' redis 超时\n' }],
  [{ query: 'redis' }, { query: 'redis', max_results: 3 }],
  [
    { query: 'redis', max_results: 2 },
    { max_results: 2, query: 'ＲＥＤＩＳ' },
  ],
])('takes %j and %j for the same question', (one, other) => {
  expect(keyOf(one)).toBe(keyOf(other));
});

it.each([
  [{ query: 'redis' }, { query: 'redis', max_results: 4 }],
  [{ query: 'redis' }, { query: 'redis 超时' }],
  [{ query: '超时 redis' }, { query: 'redis 超时' }],
])('takes %j and %j for different questions', (one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other));
});

it('searches for what a mark stands for and shows the mark', async () => {
  const redactor = createRedactor();
  const mark = redactor.redact('10.20.30.41');
  const folder = aFolder({ 'hosts.md': '# 主库地址\n\n备机 10.20.30.41 每晚备份。\n' });
  const adapter = new MarkdownKnowledgeAdapter({ folder, shippedSample: false });
  const prepared = createLookupKnowledgeTool({ adapter }).prepare({ query: mark });
  const call = prepared.kind === 'valid' ? prepared.input : undefined;

  const result = await call?.run((text) => text.replace(mark, '10.20.30.41'), aContext());
  const projection = call?.project(rawOf(result), { window: null, redactor, maxBodyBytes: 9_000 });

  expect(projection).toMatchObject({
    evidenceStatus: 'EVIDENCE_FOUND',
    body: { evidence: [{ excerpt: `# 主库地址\n\n备机 ${mark} 每晚备份。` }] },
  });
  expect(JSON.stringify(projection)).not.toContain('10.20.30.41');
});

function keyOf(input: unknown): string | undefined {
  const prepared = createLookupKnowledgeTool({ adapter: aSource() }).prepare(input);
  return prepared.kind === 'valid' ? prepared.input.equivalence.key : undefined;
}

function aContext() {
  return {
    signal: new AbortController().signal,
    asOf: 0,
    bindings: {},
    atRunEnd: new AsyncDisposableStack(),
  };
}

function aSource(): ToolAdapter<LookupKnowledgeInput> {
  return { call: async () => ({ kind: 'failed', code: 'SOURCE_UNAVAILABLE', executed: null }) };
}

function rawOf(result: AdapterResult | undefined): Uint8Array {
  return result?.kind === 'result' ? result.raw : new Uint8Array();
}
