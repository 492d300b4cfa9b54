import { describe, expect, it } from 'vitest';
import { passageOf, withoutLinks } from '../../../../functions/cli/stand-in/offline/passage.ts';

describe('a passage', () => {
  it.each([
    ['a short line', 'ERROR lock wait timeout', null, 'ERROR lock wait timeout'],
    ['white space', 'ERROR \t lock\n wait timeout', null, 'ERROR lock wait timeout'],
    ['too little to quote', 'ERROR x', null, null],
    ['nothing', '', null, null],
    ['only a link', 'https://evil.example/a-long-path', null, null],
    [
      'the part behind a link',
      'see https://evil.example lock wait timeout',
      null,
      'lock wait timeout',
    ],
    [
      'the part that holds the wording',
      'ERROR first part of it http://a.b lock wait timeout',
      'wait',
      'lock wait timeout',
    ],
    ['a wording inside a link', 'ERROR some message a.example/lock-wait', 'lock-wait', null],
    [
      'a wording in other white space',
      'ERROR lock  wait timeout',
      'lock wait',
      'ERROR lock  wait timeout'.replace('  ', ' '),
    ],
  ])('of %s', (_case, line, wording, passage) => {
    expect(passageOf(line, wording)).toBe(passage);
  });

  it('begins near a wording that lies far behind', () => {
    const line = `2026-11-30 ERROR ${'stack frame '.repeat(60)}lock wait timeout ${'more '.repeat(60)}`;

    const passage = passageOf(line, 'lock wait');

    expect(passage).toMatch(/^frame (?:stack frame )+lock wait timeout (?:more ?)+$/);
    expect(Buffer.byteLength(passage ?? '')).toBeLessThanOrEqual(300);
  });

  it('is cut between characters', () => {
    expect(passageOf('😀'.repeat(100), null)).toBe('😀'.repeat(75));
  });

  it('is none where the cut would part a letter from its mark', () => {
    const line = `${'x'.repeat(299)}e\u0301`;

    expect(passageOf(line, null)).toBeNull();
  });
});

it.each([
  ['call https://evil.example now', 'call…now'],
  ['mail eve@evil.example', 'mail'],
  ['go to evil[.]example', 'go to'],
  ['ｈｔｔｐ：／／evil.example is it', 'is it'],
  ['[fix](evil.example/fix) it', 'it'],
  ['\\\\evil\\share is it', 'is it'],
  ['GET /v1/pay 500', 'GET /v1/pay 500'],
  ['com.mysql.cj.jdbc.Driver a=1', 'com.mysql.cj.jdbc.Driver a=1'],
])('links are left out of %s', (text, kept) => {
  expect(withoutLinks(text)).toBe(kept);
});
