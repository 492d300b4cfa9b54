import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparableText,
  findQuote,
  isTooShort,
} from '../../../functions/diagnosis/draft/quote-match.ts';

const NFD = 'cafe\u0301';
const NFC = 'caf\u00e9';

describe('finding a quote', () => {
  it.each([
    ['in Chinese', '支付网关超时', '支付网关超时了', 0],
    ['behind Chinese', '连接池耗尽', '支付：连接池耗尽', 9],
    ['with other white space', 'a\tb\u3000c', 'x a b\nc', 2],
    ['with white space where the source has none', '连接 池', '连接池', 0],
    ['with no white space where the source has some', '连接池', '支付 连 接\u00a0池', 7],
    ['composed, in a decomposed source', NFC, `ab ${NFD}`, 3],
    ['decomposed, in a composed source', NFD, `ab ${NFC}`, 3],
    ['behind decomposed characters', 'beans', `${NFD} beans`, 7],
    ['in jamo, in a source of syllables', '\u1112\u1161\u11ab', 'x 한국', 2],
    ['in syllables, behind and in jamo', '국', '\u1112\u1161\u11ab\u1100\u116e\u11a8', 9],
    ['behind astral characters', 'ok', '👨‍👩 𠮷 ok', 17],
    ['that begins with a mark of its own', '\u0301a', 'x\u0301a', 0],
    ['of marks alone', '\u0301', '\u0301\u0302', 0],
  ])('finds one %s', (_how, quote, text, start) => {
    expect(findQuote(quote, [{ path: 'events[0]', text }])).toEqual({ path: 'events[0]', start });
  });

  it('names the first string that holds the quote, and its first place there', () => {
    const strings = [
      { path: 'events[0]', text: 'nothing' },
      { path: 'events[1]', text: 'pool exhausted, pool exhausted' },
      { path: 'events[2]', text: 'pool exhausted' },
    ];

    expect(findQuote('pool exhausted', strings)).toEqual({ path: 'events[1]', start: 0 });
  });

  it.each([
    ['joined from two strings', 'pool exhausted', ['pool', 'exhausted']],
    ['in other letter case', 'Pool Exhausted', ['pool exhausted']],
    ['with a zero-width space in it', 'pool\u200b exhausted', ['pool exhausted']],
    ['without the zero-width space of the source', 'pool exhausted', ['pool\u200b exhausted']],
    ['in full-width letters', 'ｐｏｏｌ', ['pool']],
    ['with another quotation mark', '“pool”', ['"pool"']],
    ['with half a composed character', 'cafe', [NFC]],
    ['in no string at all', 'pool', []],
  ])('finds none %s', (_how, quote, texts) => {
    const strings = texts.map((text, index) => ({ path: `events[${index}]`, text }));

    expect(findQuote(quote, strings)).toBeNull();
  });
});

it.each([
  ['four Chinese characters', '连接池满', false],
  ['three Chinese characters', '连接池', true],
  ['twelve bytes', 'abcdefghijkl', false],
  ['twelve bytes with a blank among them', 'abcdefghijk ', true],
  ['blanks alone', ' \u3000\n'.repeat(20), true],
  ['zero-width characters, which count', '\u200b\u200b\u200b\u200b', false],
])('measures a quote without its white space: %s', (_what, quote, tooShort) => {
  expect(isTooShort(quote)).toBe(tooShort);
});

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      'e',
      '\u0301',
      '\u0323',
      ' ',
      '\u3000',
      '\u00e9',
      '\u1112',
      '\u1161',
      '\u11ab',
      '支',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

it('compares as NFC without white space', () => {
  fc.assert(
    fc.property(text, (any) => {
      expect(comparableText(any)).toBe(any.normalize('NFC').replace(/\p{White_Space}/gu, ''));
    }),
    { seed: 7, numRuns: 2_000 },
  );
});

it('names a byte from which the source spells the quote', () => {
  fc.assert(
    fc.property(text, text, text, (before, quote, after) => {
      const source = before + quote + after;
      const match = findQuote(quote, [{ path: 'rows[0]', text: source }]);
      const bytes = Buffer.from(source).subarray(match?.start ?? Number.NaN);

      const spelled = comparableText(bytes.toString());
      expect(match === null || spelled.includes(comparableText(quote))).toBe(true);
    }),
    { seed: 7, numRuns: 1_000 },
  );
});
