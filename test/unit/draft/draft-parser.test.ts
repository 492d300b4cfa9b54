import { describe, expect, it } from 'vitest';
import { MAX_DRAFT_DEPTH, parseDraft } from '../../../functions/diagnosis/draft/draft-parser.ts';
import { MAX_DRAFT_BYTES } from '../../../shared/contracts/diagnosis-draft.ts';
import { utf8Bytes, utf8Length } from '../../../shared/kernel/utf8.ts';
import { aDraft, anItem, corpus } from './draft-builders.ts';

interface DraftRow {
  readonly id: string;
  readonly why: string;
  readonly text: string;
  readonly verdict: 'accept' | 'reject';
  readonly bytes_b64: string | null;
}

const text = JSON.stringify(aDraft({}));

describe('every row of the draft corpus', () => {
  it.each(corpus<DraftRow>('draft_json'))('$id $verdict: $why', (row) => {
    const lastWords = row.bytes_b64 === null ? row.text : Buffer.from(row.bytes_b64, 'base64');

    const parsed = parseDraft(lastWords);

    expect(parsed.kind).toBe(row.verdict === 'accept' ? 'draft' : 'refused');
  });
});

it('gives the draft as it stands in the text', () => {
  const draft = aDraft({
    conclusion: '``` { "a": 1 } ``` C:\\log\\a.txt 👨‍👩‍👧‍👦 \u{20bb7} e\u0301 \u200b __proto__',
    analysis: [anItem({ tool_call_ids: ['CALL-1 ', 'call-1'] }), anItem({ quotes: null })],
  });

  const parsed = parseDraft(JSON.stringify(draft));

  expect(parsed).toEqual({ kind: 'draft', draft });
});

it('reads bytes like text', () => {
  const parsed = parseDraft(utf8Bytes(text));

  expect(parsed).toEqual({ kind: 'draft', draft: aDraft({}) });
});

it.each([
  ['a blank', ` ${text}`],
  ['a line end behind', `${text}\r\n`],
  ['tabs and line ends', `\t\r\n${text}\n\n`],
])('lets JSON white space stand around the object: %s', (_name, padded) => {
  expect(parseDraft(padded)).toEqual({ kind: 'draft', draft: aDraft({}) });
});

it('lets a draft of exactly the limit through and refuses one byte more', () => {
  const padding = ' '.repeat(MAX_DRAFT_BYTES - utf8Length(text));

  expect(parseDraft(text + padding).kind).toBe('draft');
  expect(parseDraft(`${text + padding} `)).toEqual({ kind: 'refused', code: 'OVERSIZED' });
  expect(parseDraft(utf8Bytes(`${text + padding} `))).toEqual({
    kind: 'refused',
    code: 'OVERSIZED',
  });
});

it.each([
  ['EMPTY', 'nothing', ''],
  ['EMPTY', 'white space', ' \n\t\u3000\u00a0'],
  ['OVERSIZED', 'Chinese text under the limit in characters alone', '超'.repeat(6_000)],
  ['OVERSIZED', 'an endless string', 'x'.repeat(1_000_000)],
  ['BYTE_ORDER_MARK', 'a mark before the object', `\ufeff${text}`],
  ['BYTE_ORDER_MARK', 'a mark alone', '\ufeff'],
  ['FENCED', 'a fence', `\`\`\`json\n${text}\n\`\`\``],
  ['FENCED', 'a tilde fence behind a line end', `\n~~~\n${text}\n~~~`],
  ['PREFIXED', 'a sentence before', `结论如下：${text}`],
  ['PREFIXED', 'a no-break space before', `\u00a0${text}`],
  ['PREFIXED', 'a mark behind a line end', `\n\ufeff${text}`],
  ['TRAILING', 'a sentence behind', `${text} 以上。`],
  ['TRAILING', 'a second draft', text + text],
  ['TRAILING', 'a closing fence', `${text}\n\`\`\``],
  ['TRAILING', 'a brace too many', `${text}}`],
  ['MALFORMED', 'prose', '证据不足，无法判断。'],
  ['MALFORMED', 'a cut text', text.slice(0, -1)],
  ['MALFORMED', 'a cut string', text.slice(0, 30)],
  ['MALFORMED', 'a string that only escapes', `{"${'\\"'.repeat(8_000)}`],
  ['MALFORMED', 'a bracket that closes another', '{"conclusion":null]'],
  ['MALFORMED', 'a closing bracket alone', '{]}'],
  ['MALFORMED', 'a bomb that opens only', '['.repeat(MAX_DRAFT_BYTES)],
  ['MALFORMED', 'a bomb of open objects', '{"a":'.repeat(3_000)],
  ['TOO_DEEP', 'a bomb that closes', `${'['.repeat(8_192)}${']'.repeat(8_192)}`],
  ['TOO_DEEP', 'a level more than the schema', '[[[[[[]]]]]]'],
  ['SCHEMA', 'as many levels as the schema', '[[[[[]]]]]'],
  ['SCHEMA', 'null', 'null'],
  ['SCHEMA', 'the draft as a string', JSON.stringify(text)],
  ['SCHEMA', 'a huge number', text.replace('"切换备用网关"', `1e${'9'.repeat(400)}`)],
  ['SCHEMA', 'a constructor key', text.replace('{', '{"constructor":{"prototype":{}},')],
  ['SCHEMA', 'a prototype key', text.replace('{', '{"prototype":null,')],
  ['SCHEMA', 'a blank string', text.replace('切换备用网关', ' \\u3000 ')],
  ['FORBIDDEN_KEY', '__proto__', text.replace('{', '{"__proto__":{},')],
  ['FORBIDDEN_KEY', '__proto__ with nothing in it', text.replace('{', '{"__proto__":null,')],
  ['FORBIDDEN_KEY', '__proto__ in escapes', text.replace('{', '{"\\u005f_proto__":null,')],
  ['FORBIDDEN_KEY', '__proto__ in an item', text.replace('[{', '[{"__proto__":null,')],
  ['DUPLICATE_KEY', 'a key twice', text.replace('{', '{"conclusion":null,')],
  ['DUPLICATE_KEY', 'a key twice, once in escapes', text.replace('{', '{"\\u0063onclusion":null,')],
  [
    'DUPLICATE_KEY',
    'a key twice with the same value',
    text.replace('{"type"', '{"type":"OBSERVATION","type"'),
  ],
  [
    'DUPLICATE_KEY',
    'a key of a quote twice',
    text.replace('{"tool_call_id"', '{"tool_call_id":"call-2","tool_call_id"'),
  ],
  ['LONE_SURROGATE', 'half a pair', text.replace('切换', '\ud83d')],
  ['LONE_SURROGATE', 'half a pair in escapes', text.replace('切换', '\\ud83d')],
  ['LONE_SURROGATE', 'a pair the wrong way round', text.replace('切换', '\\ude00\\ud83d')],
  ['LONE_SURROGATE', 'half a pair in a key', text.replace('{', '{"\\ud83d":null,')],
])('answers %s to %s', (code, _what, lastWords) => {
  expect(parseDraft(lastWords)).toEqual({ kind: 'refused', code });
});

it.each([
  ['half a mark', [0xef, 0xbb]],
  ['an overlong slash', [0x7b, 0xc0, 0xaf, 0x7d]],
  ['half a character', [0x7b, 0xe8, 0xb6]],
  ['a surrogate in UTF-8', [0x7b, 0xed, 0xa0, 0x80, 0x7d]],
])('answers NOT_UTF8 to bytes that are not: %s', (_what, bytes) => {
  expect(parseDraft(Uint8Array.from(bytes))).toEqual({ kind: 'refused', code: 'NOT_UTF8' });
});

it('keeps the byte order mark of bytes in sight', () => {
  expect(parseDraft(utf8Bytes(`\ufeff${text}`))).toEqual({
    kind: 'refused',
    code: 'BYTE_ORDER_MARK',
  });
});

it('counts the same key in two objects once for each', () => {
  const draft = aDraft({ analysis: [anItem({}), anItem({})] });

  expect(parseDraft(JSON.stringify(draft))).toEqual({ kind: 'draft', draft });
});

it('allows as many levels as a draft with a quote has', () => {
  expect(depth(aDraft({}))).toBe(MAX_DRAFT_DEPTH);
});

function depth(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depth))
    : 0;
}
