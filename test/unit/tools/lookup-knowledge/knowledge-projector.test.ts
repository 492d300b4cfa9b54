import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '../../../../shared/kernel/utf8.ts';
import { createRedactor } from '../../../../shared/redaction/redactor.ts';
import { aChunk, bodyOf, evidenceIn, evidenceOf, project } from './a-projection.ts';

describe('what is shown', () => {
  it('is one entry per document with its exact text, best first', () => {
    const projection = project([
      aChunk({ document_id: 'a.md', title: '甲', text: '连接池满。', score: 9.12345 }),
      aChunk({ document_id: 'b.md', title: '乙', text: '锁等待。', score: 3 }),
    ]);

    expect(projection).toEqual({
      kind: 'projected',
      evidenceStatus: 'EVIDENCE_FOUND',
      notes: [],
      truncated: false,
      body: {
        evidence: [
          { document_id: 'a.md', title: '甲', excerpt: '连接池满。', score: 9.123 },
          { document_id: 'b.md', title: '乙', excerpt: '锁等待。', score: 3 },
        ],
        skipped_count: 0,
      },
      facts: ['甲', '乙'],
    });
  });

  it('is nothing, and no evidence, when nothing matched', () => {
    expect(project([], { skipped: 2 })).toEqual({
      kind: 'projected',
      evidenceStatus: 'NO_EVIDENCE',
      notes: [],
      truncated: false,
      body: { evidence: [], skipped_count: 2 },
      facts: [],
    });
  });

  it('leaves out a score that the source did not give', () => {
    const { score: _score, ...unscored } = aChunk();

    expect(evidenceOf([unscored])).toEqual([
      { document_id: 'a.md', title: '标题', excerpt: '正文。' },
    ]);
  });

  it('counts hits without text as skipped', () => {
    expect(project([aChunk({ text: ' \n' })], { skipped: 1 })).toMatchObject({
      evidenceStatus: 'NO_EVIDENCE',
      truncated: false,
      body: { evidence: [], skipped_count: 2 },
    });
  });

  it('says that bytes were replaced where the text shows it', () => {
    expect(project([aChunk({ text: '坏\uFFFD字节。' })])).toMatchObject({
      notes: ['BYTES_REPLACED'],
    });
  });

  it('mends a lone surrogate', () => {
    expect(evidenceOf([aChunk({ text: 'a\uD800b' })])).toMatchObject([{ excerpt: 'a\uFFFDb' }]);
  });
});

describe('the number of documents', () => {
  it.each([
    [undefined, 3, 3, false],
    [undefined, 4, 3, true],
    [1, 1, 1, false],
    [1, 2, 1, true],
    [5, 5, 5, false],
    [5, 6, 5, true],
  ])('with max_results %s of %i is %i, truncated: %s', (asked, matched, shown, truncated) => {
    const chunks = Array.from({ length: matched }, (_, n) => aChunk({ document_id: `${n}.md` }));

    const projection = project(chunks, asked === undefined ? {} : { max_results: asked });

    expect(projection).toMatchObject({ truncated, body: { evidence: { length: shown } } });
  });

  it('is truncated when a second chunk of a shown document matched', () => {
    const projection = project([aChunk({ text: '其一。' }), aChunk({ text: '其二。' })]);

    expect(projection).toMatchObject({
      truncated: true,
      body: { evidence: [{ excerpt: '其一。' }] },
    });
  });
});

describe('an excerpt', () => {
  it.each([
    [400, false],
    [401, true],
  ])('of a chunk of %i characters of three bytes is cut: %s', (length, truncated) => {
    const projection = project([aChunk({ text: '长'.repeat(length) })]);

    expect(projection).toMatchObject({
      truncated,
      body: { evidence: [{ excerpt: '长'.repeat(400) }] },
    });
  });

  it('is the passage that matches the question', () => {
    const text = `${'无关的一句话。'.repeat(100)}HikariPool-1 连接不可用。${'另一句话。'.repeat(100)}`;

    const [entry] = evidenceOf([aChunk({ text })], { query: 'HikariPool-1' });

    expect(entry?.excerpt).toContain('HikariPool-1 连接不可用。');
  });

  it('is a contiguous part of the redacted document', () => {
    const document = readFileSync('test/fixtures/knowledge/documents/oncall-handbook.md', 'utf8');

    const [entry] = evidenceOf([aChunk({ text: document })], { query: 'postmortem 复盘' });

    expect(createRedactor().redact(document)).toContain(entry?.excerpt);
  });
});

describe('long names', () => {
  it.each([
    [256, false],
    [257, true],
  ])('of %i bytes are cut: %s', (bytes, truncated) => {
    const name = 'n'.repeat(bytes);

    const projection = project([aChunk({ title: name })]);

    expect(projection).toMatchObject({
      truncated,
      body: { evidence: [{ title: name.slice(0, 256) }] },
    });
  });
});

describe('the byte budget', () => {
  const chunks = Array.from({ length: 5 }, (_, n) =>
    aChunk({ document_id: `${n}.md`, text: '内容很长的一句话。'.repeat(200) }),
  );

  it.each([9_000, 6_000, 4_000, 2_500, 1_500, 600, 300])('of %i bytes holds', (maxBodyBytes) => {
    const projection = project(chunks, { max_results: 5, maxBodyBytes });

    expect(utf8Length(JSON.stringify(bodyOf(projection)))).toBeLessThanOrEqual(maxBodyBytes);
    expect(evidenceIn(projection).length).toBeGreaterThan(0);
  });

  it('shortens excerpts before it drops documents', () => {
    expect(evidenceOf(chunks, { max_results: 5, maxBodyBytes: 3_000 })).toHaveLength(5);
  });

  it('drops the last documents first', () => {
    const shown = evidenceOf(chunks, { max_results: 5, maxBodyBytes: 700 });

    expect(shown.map(({ document_id }) => document_id)).toEqual(['0.md', '1.md']);
  });

  it('lets a body of exactly its size through whole, and cuts at one byte less', () => {
    const whole = project([aChunk({ text: '字'.repeat(300) })]);
    const size = utf8Length(JSON.stringify(bodyOf(whole)));

    const exact = project([aChunk({ text: '字'.repeat(300) })], { maxBodyBytes: size });
    const less = project([aChunk({ text: '字'.repeat(300) })], { maxBodyBytes: size - 1 });

    expect(exact).toEqual(whole);
    expect(less).toMatchObject({ truncated: true });
  });

  it('too small for anything shows nothing and still says that something was found', () => {
    expect(project(chunks, { maxBodyBytes: 40 })).toMatchObject({
      evidenceStatus: 'EVIDENCE_FOUND',
      truncated: true,
      body: { evidence: [] },
      facts: [],
    });
  });
});

describe('facts', () => {
  it('are at most three titles', () => {
    const chunks = Array.from({ length: 5 }, (_, n) =>
      aChunk({ document_id: `${n}.md`, title: `标题 ${n}` }),
    );

    expect(project(chunks, { max_results: 5 })).toMatchObject({
      facts: ['标题 0', '标题 1', '标题 2'],
    });
  });

  it('are the opening of the excerpt where there is no title', () => {
    const text = `第一句。${'第二句'.repeat(100)}`;

    expect(project([aChunk({ title: ' ', text })])).toMatchObject({ facts: ['第一句。'] });
  });

  it('are none of a document of which nothing can be seen', () => {
    expect(project([aChunk({ title: '', text: '\u001B[0m' })])).toMatchObject({ facts: [] });
  });
});
