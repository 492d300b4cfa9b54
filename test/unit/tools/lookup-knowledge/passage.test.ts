import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestPassage,
  openingOf,
} from '../../../../functions/diagnosis/tools/lookup-knowledge/passage.ts';
import { utf8Length } from '../../../../shared/kernel/utf8.ts';
import { createRedactor } from '../../../../shared/redaction/redactor.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc
    .array(
      fc.constantFrom(
        '数据库',
        '超时',
        '。',
        '！',
        '.',
        ' ',
        '\n',
        'pool',
        '👩‍👩‍👧‍👦',
        'é',
        '<pod:1>',
        '?',
      ),
      {
        maxLength: 200,
      },
    )
    .map((parts) => parts.join('')),
);

describe('a passage', () => {
  it('is the whole text when that fits', () => {
    const text = redacted('甲'.repeat(400));

    expect(bestPassage(text, '乙', 1_200)).toBe(text);
  });

  it('is cut when the text is one byte longer', () => {
    const passage = bestPassage(redacted(`${'甲'.repeat(400)}a`), '乙', 1_200);

    expect(passage).toBe('甲'.repeat(400));
  });

  it('holds the sentences that match, and whole ones only', () => {
    const text = redacted(
      `${'前言无关。'.repeat(40)}连接池满了要先限流。${'后文无关！'.repeat(40)}`,
    );

    expect(bestPassage(text, '连接池', 60)).toBe('连接池满了要先限流。后文无关！后文无关！');
  });

  it('prefers sentences that together hold more of the question', () => {
    const text = redacted(
      'Pool is fine. Filler one. Filler two. Redis pool is slow. Filler three.',
    );

    expect(bestPassage(text, 'redis pool slow', 22)).toBe('Redis pool is slow.');
  });

  it('is the earliest of equals', () => {
    const text = redacted('First pool. Nothing. Second pool. Nothing.');

    expect(bestPassage(text, 'pool', 12)).toBe('First pool.');
  });

  it('is the beginning when nothing matches', () => {
    expect(bestPassage(redacted('One thing. Two things. Three.'), 'absent', 11)).toBe('One thing.');
  });

  it('does not end a sentence inside a number, a version or a host name', () => {
    expect(bestPassage(redacted('Set 10.5 on db.example now. More text here.'), 'more', 30)).toBe(
      'More text here.',
    );
  });

  it('does not cut a mark or a family in two', () => {
    expect(bestPassage(redacted('aaaaaaaa<pod:12>bbbb'), 'zz', 12)).toBe('aaaaaaaa');
    expect(bestPassage(redacted('aaaaaaaa👩‍👩‍👧‍👦bbbb'), 'zz', 20)).toBe('aaaaaaaa');
  });

  it('cuts endless combining marks at their code points', () => {
    const passage = bestPassage(redacted(`e${'\u0301'.repeat(5_000)}`), 'zz', 101);

    expect(utf8Length(passage)).toBe(101);
  });

  it('finds the match far inside a huge single line', () => {
    const text = redacted(
      `${'lorem ipsum '.repeat(10_000)}HikariPool-1 ${'dolor sit '.repeat(10_000)}`,
    );

    expect(bestPassage(text, 'HikariPool-1', 1_200)).toContain('HikariPool-1');
  });

  it('is a contiguous, well-formed, fitting part of any text', () => {
    fc.assert(
      fc.property(
        anyText,
        anyText,
        fc.integer({ min: 32, max: 300 }),
        (source, query, maxBytes) => {
          const text = redacted(source.toWellFormed());

          const passage = bestPassage(text, query, maxBytes);

          expect(text.includes(passage)).toBe(true);
          expect(utf8Length(passage)).toBeLessThanOrEqual(maxBytes);
          expect(passage.isWellFormed()).toBe(true);
          expect(passage === text.trim()).toBe(utf8Length(text.trim()) <= maxBytes);
          expect(bestPassage(text, query, maxBytes)).toBe(passage);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('an opening', () => {
  it.each([
    ['the whole text that fits', '数据库超时。', 18, '数据库超时。'],
    ['the last whole sentence', '第一句。第二句很长很长', 24, '第一句。'],
    ['what fits of a long sentence', '数据库超时', 10, '数据库'],
  ])('is %s', (_what, text, maxBytes, opening) => {
    expect(openingOf(redacted(text), maxBytes)).toBe(opening);
  });

  it('is a fitting prefix of any text', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 32, max: 300 }), (source, maxBytes) => {
        const text = redacted(source.toWellFormed());

        const opening = openingOf(text, maxBytes);

        expect(text.trimStart().startsWith(opening.trimStart())).toBe(true);
        expect(utf8Length(opening)).toBeLessThanOrEqual(maxBytes);
      }),
    );
  });
});

function redacted(text: string) {
  return createRedactor().redact(text);
}
