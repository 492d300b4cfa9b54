import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  FOLDER_LIMITS,
  readKnowledgeFolder,
} from '../../../../functions/diagnosis/tools/lookup-knowledge/knowledge-folder.ts';
import { aFolder } from './a-folder.ts';

const running = new AbortController().signal;

it('reads Markdown of all levels in the order of its paths', async () => {
  const folder = aFolder({ 'b.md': 'two', 'a/z.md': 'one', 'c.MD': 'three', 'd.txt': 'no' });

  const content = await readKnowledgeFolder(folder, running);

  expect(content).toEqual({
    kind: 'read',
    documents: [
      { id: 'a/z.md', text: 'one' },
      { id: 'b.md', text: 'two' },
      { id: 'c.MD', text: 'three' },
    ],
    skippedCount: 0,
  });
});

it('refuses links that leave the folder and reads a linked file inside it once', async () => {
  const outside = aFolder({ 'secret.md': 'secret', 'sub/more.md': 'more' });
  const folder = aFolder({ 'a.md': 'inside' });
  symlinkSync(join(outside, 'secret.md'), join(folder, 'leak.md'));
  symlinkSync(join(outside, 'sub'), join(folder, 'leak'));
  symlinkSync(join(folder, 'a.md'), join(folder, 'same.md'));
  symlinkSync(folder, join(folder, 'circle'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.md'));

  const content = await readKnowledgeFolder(folder, running);

  expect(content).toEqual({
    kind: 'read',
    documents: [{ id: 'a.md', text: 'inside' }],
    skippedCount: 3, // both leaks and the dangling link; the circle leads to what is read already
  });
});

it('does not take a neighbour whose name begins like the folder for its inside', async () => {
  const parent = aFolder({ 'kb/a.md': 'inside', 'kb-private/b.md': 'outside' });
  symlinkSync(join(parent, 'kb-private/b.md'), join(parent, 'kb/b.md'));

  const content = await readKnowledgeFolder(join(parent, 'kb'), running);

  expect(content).toEqual({
    kind: 'read',
    documents: [{ id: 'a.md', text: 'inside' }],
    skippedCount: 1,
  });
});

it.each([
  ['binary', new Uint8Array([0x89, 0x50, 0, 0x47])],
  ['no UTF-8', new Uint8Array([0xd6, 0xa7, 0xb8, 0xb6])],
  ['one byte too large', 'x'.repeat(FOLDER_LIMITS.documentBytes + 1)],
])('counts a document that is %s as skipped', async (_why, bytes) => {
  const folder = aFolder({ 'a.md': bytes });

  const content = await readKnowledgeFolder(folder, running);

  expect(content).toEqual({ kind: 'read', documents: [], skippedCount: 1 });
});

it('reads a document of exactly the largest size', async () => {
  const text = 'x'.repeat(FOLDER_LIMITS.documentBytes);

  const content = await readKnowledgeFolder(aFolder({ 'a.md': text }), running);

  expect(content).toEqual({ kind: 'read', documents: [{ id: 'a.md', text }], skippedCount: 0 });
});

it('replaces a torn byte and drops a byte order mark', async () => {
  const torn = Buffer.concat([
    Buffer.from('\uFEFF'),
    Buffer.from('x'.repeat(200)),
    Buffer.from([0xe6]),
  ]);

  const content = await readKnowledgeFolder(aFolder({ 'a.md': torn }), running);

  expect(content).toEqual({
    kind: 'read',
    documents: [{ id: 'a.md', text: `${'x'.repeat(200)}\uFFFD` }],
    skippedCount: 0,
  });
});

it('looks into a folder named like a document', async () => {
  const folder = aFolder({ 'a.md/b.md': 'inner' });

  const content = await readKnowledgeFolder(folder, running);

  expect(content).toEqual({
    kind: 'read',
    documents: [{ id: 'a.md/b.md', text: 'inner' }],
    skippedCount: 0,
  });
});

it.each([
  [FOLDER_LIMITS.documents, 'read'],
  [FOLDER_LIMITS.documents + 1, 'too_large'],
])('of %i documents is %s', async (count, kind) => {
  const folder = aFolder({});
  mkdirSync(join(folder, 'many'));
  for (let n = 0; n < count; n += 1) writeFileSync(join(folder, 'many', `${n}.md`), 'x');

  const content = await readKnowledgeFolder(folder, running);

  expect(content.kind).toBe(kind);
});

it('is too large when its documents together are', async () => {
  const each = 'x'.repeat(FOLDER_LIMITS.documentBytes);
  const count = FOLDER_LIMITS.totalBytes / FOLDER_LIMITS.documentBytes + 1;
  const folder = aFolder(
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.md`, each])),
  );

  const content = await readKnowledgeFolder(folder, running);

  expect(content).toEqual({ kind: 'too_large' });
});

it.each(['missing', 'a.md'])('is unreadable when it is %s', async (name) => {
  const folder = aFolder({ 'a.md': 'a file' });

  const content = await readKnowledgeFolder(join(folder, name), running);

  expect(content).toEqual({ kind: 'unreadable' });
});

it('throws the reason of an aborted signal', async () => {
  const reason = new Error('cancelled');

  const reading = readKnowledgeFolder(aFolder({ 'a.md': 'x' }), AbortSignal.abort(reason));

  await expect(reading).rejects.toBe(reason);
});
