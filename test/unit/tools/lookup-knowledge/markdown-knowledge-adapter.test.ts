import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import type {
  AdapterResult,
  CallContext,
} from '../../../../functions/diagnosis/evidence/tool-adapter.ts';
import { FOLDER_LIMITS } from '../../../../functions/diagnosis/tools/lookup-knowledge/knowledge-folder.ts';
import { decodeKnowledgeResult } from '../../../../functions/diagnosis/tools/lookup-knowledge/knowledge-result.ts';
import { MarkdownKnowledgeAdapter } from '../../../../functions/diagnosis/tools/lookup-knowledge/markdown-knowledge-adapter.ts';
import { aFolder } from './a-folder.ts';

const REDIS = '# Redis 超时\n\n`SLOWLOG GET` 里有没有 KEYS 命令。\n';

it('answers with whole ranked chunks, the source kind and what really ran', async () => {
  const folder = aFolder({ 'redis.md': REDIS, 'jvm.md': '# Full GC\n\n先保留堆转储。\n' });

  const result = await anAdapter({ folder }).call({ query: 'redis 超时' }, aContext());

  expect({ ...result, raw: chunksOf(result) }).toEqual({
    kind: 'result',
    raw: [
      {
        document_id: 'redis.md',
        title: 'Redis 超时',
        text: REDIS.trim(),
        score: expect.any(Number),
      },
    ],
    sourceKind: 'MARKDOWN',
    window: null,
    executed: {
      statement: 'BM25+ over 2 documents, 2 chunks',
      window: null,
      sources: [basename(folder)],
    },
  });
});

it('says MOCK of sample data that we ship', async () => {
  const adapter = anAdapter({ folder: aFolder({ 'a.md': REDIS }), shippedSample: true });

  expect(await adapter.call({ query: 'redis' }, aContext())).toMatchObject({ sourceKind: 'MOCK' });
});

it('hands over more documents than are asked for, so that what is left out shows', async () => {
  const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.md`, REDIS]));

  const result = await anAdapter({ folder: aFolder(files) }).call(
    { query: 'redis 超时', max_results: 1 },
    aContext(),
  );

  expect(chunksOf(result).map(({ document_id }) => document_id)).toEqual(['a.md', 'b.md', 'c.md']);
});

it('lets no long document push out the others', async () => {
  const section = `## Redis 超时\n\n${'Redis 超时。'.repeat(90)}\n`;
  const folder = aFolder({ 'long.md': section.repeat(30), 'short.md': REDIS });

  const result = await anAdapter({ folder }).call({ query: 'redis 超时' }, aContext());

  const ids = chunksOf(result).map(({ document_id }) => document_id);
  expect(ids.toSorted()).toEqual(['long.md', 'long.md', 'long.md', 'short.md']);
});

it('counts what it could not read', async () => {
  const folder = aFolder({ 'a.md': REDIS, 'b.md': new Uint8Array([0, 1, 2]) });

  const result = await anAdapter({ folder }).call({ query: 'redis' }, aContext());

  expect(decodeKnowledgeResult(rawOf(result))?.skipped_count).toBe(1);
});

it('reads the folder once', async () => {
  const folder = aFolder({ 'a.md': REDIS });
  const adapter = anAdapter({ folder });
  const first = await adapter.call({ query: 'redis 超时' }, aContext());
  writeFileSync(join(folder, 'b.md'), REDIS);

  const second = await adapter.call({ query: 'redis 超时' }, aContext());

  expect(second).toEqual(first);
});

it('gives the same bytes from another index of the same folder', async () => {
  const folder = aFolder({ 'a.md': REDIS, 'b.md': REDIS, 'c.md': '# Redis\n' });

  const results = await Promise.all(
    [1, 2].map(() => anAdapter({ folder }).call({ query: 'redis 超时' }, aContext())),
  );

  expect(results[0]).toEqual(results[1]);
});

it('is unavailable while the folder is, and tries again', async () => {
  const folder = aFolder({});
  const adapter = anAdapter({ folder: join(folder, 'a.md') });
  const failed = await adapter.call({ query: 'redis' }, aContext());

  const again = await adapter.call({ query: 'redis' }, aContext());

  const unavailable = { kind: 'failed', code: 'SOURCE_UNAVAILABLE', executed: null };
  expect([failed, again]).toEqual([unavailable, unavailable]);
});

it('does not search a part of a folder that is too large', async () => {
  const each = 'x'.repeat(FOLDER_LIMITS.documentBytes);
  const count = FOLDER_LIMITS.totalBytes / FOLDER_LIMITS.documentBytes + 1;
  const files = Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.md`, each]));

  const result = await anAdapter({ folder: aFolder(files) }).call({ query: 'redis' }, aContext());

  expect(result).toEqual({ kind: 'failed', code: 'SCAN_LIMIT', executed: null });
});

it('stops indexing at an abort, throws its reason and works at the next call', async () => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}.md`, REDIS]));
  const adapter = anAdapter({ folder: aFolder(files) });
  const stop = new AbortController();
  const reason = new Error('timeout');
  const aborted = adapter.call({ query: 'redis' }, aContext(stop.signal));
  stop.abort(reason);
  await expect(aborted).rejects.toBe(reason);

  const result = await adapter.call({ query: 'redis' }, aContext());

  expect(result.kind).toBe('result');
});

function anAdapter(options: { folder: string; shippedSample?: boolean }) {
  return new MarkdownKnowledgeAdapter({ shippedSample: false, ...options });
}

function aContext(signal = new AbortController().signal): CallContext {
  return { signal, asOf: 0, bindings: {}, atRunEnd: new AsyncDisposableStack() };
}

function rawOf(result: AdapterResult): Uint8Array {
  return result.kind === 'result' ? result.raw : new Uint8Array();
}

function chunksOf(result: AdapterResult) {
  return decodeKnowledgeResult(rawOf(result))?.chunks ?? [];
}
