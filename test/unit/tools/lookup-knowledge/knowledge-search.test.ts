import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readKnowledgeFolder } from '../../../../functions/diagnosis/tools/lookup-knowledge/knowledge-folder.ts';
import {
  indexDocuments,
  KnowledgeIndex,
} from '../../../../functions/diagnosis/tools/lookup-knowledge/knowledge-index.ts';
import { readMarkdown } from '../../../../functions/diagnosis/tools/lookup-knowledge/markdown-document.ts';

interface Question {
  readonly id: string;
  readonly query: string;
  /** Documents that answer it; none when the folder holds nothing on it. */
  readonly expects: readonly string[];
}

const FIXTURES = 'test/fixtures/knowledge';
const questions = readFileSync(`${FIXTURES}/questions.jsonl`, 'utf8')
  .trim()
  .split('\n')
  .map((line): Question => JSON.parse(line));
const answerable = questions.filter(({ expects }) => expects.length > 0);
const unrelated = questions.filter(({ expects }) => expects.length === 0);

const signal = new AbortController().signal;
let index = new KnowledgeIndex();

beforeAll(async () => {
  const content = await readKnowledgeFolder(`${FIXTURES}/documents`, signal);
  const documents = content.kind === 'read' ? content.documents : [];
  index = await indexDocuments(
    documents.map(({ id, text }) => readMarkdown(id, text)),
    signal,
  );
});

describe(`over ${answerable.length} questions on operations in Chinese and English`, () => {
  it('finds the document among the first three, save for four that share hardly a word with it', () => {
    const missed = answerable.filter(
      ({ query, expects }) => !firstThree(query).some((id) => expects.includes(id)),
    );

    expect(missed.map(({ id }) => id)).toEqual(['Q41', 'Q43', 'Q46', 'Q50']);
  });

  it('puts the document first for nine in ten', () => {
    const first = answerable.filter(({ query, expects }) =>
      expects.includes(firstThree(query)[0] ?? ''),
    );

    expect(first.length / answerable.length).toBeGreaterThanOrEqual(0.9);
  });
});

it.each(unrelated)('finds no evidence for the unrelated question $id: $query', ({ query }) => {
  expect(firstThree(query)).toEqual([]);
});

it.each([
  ['Lock wait timeout', 'runbooks/mysql-lock-wait.md'],
  ['ERR-1205', 'runbooks/mysql-lock-wait.md'],
  ['1205', 'runbooks/mysql-lock-wait.md'],
  ['HikariPool-1', 'runbooks/mysql-connection-pool.md'],
  ['hikaripool', 'runbooks/mysql-connection-pool.md'],
  ['innodb_lock_wait_timeout', 'runbooks/mysql-lock-wait.md'],
  ['closeExpiredOrders', 'architecture/order-service.md'],
  ['leakDetectionThreshold', 'runbooks/mysql-connection-pool.md'],
  ['leak detection threshold', 'runbooks/mysql-connection-pool.md'],
  ['recon_diff', 'architecture/settlement-batch.md'],
  ['ＨＩＫＡＲＩ', 'runbooks/mysql-connection-pool.md'],
])('finds the identifier %s', (identifier, document) => {
  expect(firstThree(identifier)).toContain(document);
});

it.each(['', ' ', '？', '的', 'the of and', '__proto__', 'constructor', 'x'.repeat(1_024)])(
  'finds nothing for %j',
  (query) => {
    expect(firstThree(query)).toEqual([]);
  },
);

describe('a small folder', () => {
  it('finds words that all of its documents hold', async () => {
    const small = await indexDocuments(
      [1, 2, 3, 4].map((n) => readMarkdown(`${n}.md`, '# 支付超时\n\n渠道答复慢。')),
      signal,
    );

    expect(small.search('支付超时').map(({ document_id }) => document_id)).toEqual([
      '1.md',
      '2.md',
      '3.md',
      '4.md',
    ]);
  });

  it('finds nothing while it is empty', () => {
    expect(new KnowledgeIndex().search('支付超时')).toEqual([]);
  });
});

it('counts a single word that most documents hold as no match', async () => {
  const documents = Array.from({ length: 60 }, (_, n) =>
    readMarkdown(`${n}.md`, `# Topic${n}x\n\nSee the error.`),
  );
  const common = await indexDocuments(documents, signal);

  expect(common.search('error')).toEqual([]);
  expect(common.search('topic7x error').map(({ document_id }) => document_id)).toEqual(['7.md']);
});

function firstThree(query: string): string[] {
  return [...new Set(index.search(query).map(({ document_id }) => document_id))].slice(0, 3);
}
