import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutUtf8, utf8Bytes, utf8Length } from '../../../shared/kernel/utf8.ts';

describe('utf8Length', () => {
  it.each([
    ['abc', 3],
    ['支付', 6],
    ['🚨', 4],
    ['', 0],
  ])('of %j is %i bytes', (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes);
    expect(utf8Bytes(text)).toHaveLength(bytes);
  });
});

describe('cutUtf8', () => {
  it.each([
    ['支付超时', 12, '支付超时'],
    ['支付超时', 11, '支付超'],
    ['支付超时', 9, '支付超'],
    ['支付超时', 2, ''],
    ['a🚨b', 5, 'a🚨'],
    ['a🚨b', 4, 'a'],
    ['abc', 0, ''],
    ['abc', -1, ''],
    ['', 5, ''],
  ])('cuts %j to %i bytes as %j', (text, maxBytes, expected) => {
    expect(cutUtf8(text, maxBytes)).toBe(expected);
  });

  it('gives the longest prefix that fits, never half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, maxBytes) => {
        const cut = cutUtf8(text, maxBytes);
        const next = [...text.slice(cut.length)][0] ?? '';

        expect(text.startsWith(cut)).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
        expect(utf8Length(cut)).toBeLessThanOrEqual(maxBytes);
        expect(cut === text || utf8Length(cut + next) > maxBytes).toBe(true);
      }),
    );
  });
});
