import { describe, expect, it } from 'vitest';
import { readMarkdown } from '../../../../functions/diagnosis/tools/lookup-knowledge/markdown-document.ts';

const LONG = '一句话。'.repeat(100); // 1,200 bytes: nothing joins it

describe('the title', () => {
  it.each([
    ['the front matter', '---\ntitle: "锁: 等待"\ntags: [a]\n---\n# 标题\n', '锁: 等待'],
    ['the first heading', 'Intro.\n\n## Lock wait ##\n\n# Later\n', 'Lock wait'],
    ['the file name', 'No heading at all.\n', 'lock-wait'],
    ['the heading when front matter names none', '---\nowner: sre\n---\n# 标题\n', '标题'],
    ['the heading when front matter is no YAML', '---\ntitle: [\n---\n# 标题\n', '标题'],
    ['the heading when the title is no text', '---\ntitle: {a: 1}\n---\n# 标题\n', '标题'],
    ['the heading when front matter never ends', '---\n# 标题\n', '标题'],
    ['one line of many', '---\ntitle: |\n  a\n  b\n---\n# 标题\n', 'a b'],
    ['the heading behind Windows line ends', '---\r\nowner: x\r\n---\r\n# 标题\r\n', '标题'],
  ])('comes from %s', (_source, text, title) => {
    expect(readMarkdown('runbooks/lock-wait.md', text).title).toBe(title);
  });

  it('does not come from a comment inside a code fence', () => {
    expect(readMarkdown('a.md', '```sh\n# not a heading\n```\n# Real\n').title).toBe('Real');
  });
});

describe('the chunks', () => {
  it('begin at headings', () => {
    const text = `# A\n${LONG}\n## B\n${LONG}\n`;

    expect(readMarkdown('a.md', text).chunks).toEqual([`# A\n${LONG}`, `## B\n${LONG}`]);
  });

  it('join short neighbours up to the size of an excerpt', () => {
    const text = '# A\n\none\n\n## B\n\ntwo\n';

    expect(readMarkdown('a.md', text).chunks).toEqual(['# A\n\none\n\n## B\n\ntwo']);
  });

  it('leave the front matter out', () => {
    expect(readMarkdown('a.md', '---\nowner: sre\n---\nText.\n').chunks).toEqual(['Text.']);
  });

  it('cut a long section at blank lines, its heading staying with what follows', () => {
    const paragraph = '字'.repeat(1_000); // 3,000 bytes: two of them pass 4,096

    const { chunks } = readMarkdown('a.md', `# A\n\n${paragraph}\n\n${paragraph}\n`);

    expect(chunks).toEqual([`# A\n\n${paragraph}`, paragraph]);
  });

  it.each([
    ['a code fence', '```\n', '\n```'],
    ['a PEM block', '-----BEGIN PRIVATE KEY-----\n', '\n-----END PRIVATE KEY-----'],
  ])('are never cut inside %s', (_name, opening, closing) => {
    const block = `${opening}${LONG}\n\n# inside\n\n${LONG}\n\n${LONG}\n\n${LONG}${closing}`;

    expect(readMarkdown('a.md', `# A\n${block}\n`).chunks).toEqual([`# A\n${block}`]);
  });

  it('keep a huge single line in one piece', () => {
    const line = 'x'.repeat(200_000);

    expect(readMarkdown('a.md', line).chunks).toEqual([line]);
  });

  it.each(['', '\n\n', '---\ntitle: x\n---\n'])('of %j are none', (text) => {
    expect(readMarkdown('a.md', text).chunks).toEqual([]);
  });

  it('are contiguous parts of the document that together hold all its words', () => {
    const text = `# A\r\n\r\n${LONG}\r\n\r\ntail\r\n## B\r\n\r\n\r\n${LONG}\r\nend`;

    const { chunks } = readMarkdown('a.md', text);

    expect(chunks.every((chunk) => text.includes(chunk))).toBe(true);
    expect(chunks.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });
});
