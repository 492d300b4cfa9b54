import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineDecoder } from '../../../../functions/diagnosis/tools/query-logs/log-text.ts';

const ESCAPE = String.fromCharCode(27);
const BELL = String.fromCharCode(7);

function decode(bytes: Uint8Array, pieceBytes = bytes.length || 1) {
  const decoder = new LineDecoder();
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    lines.push(...decoder.push(bytes.subarray(at, at + pieceBytes)));
  }
  lines.push(...decoder.finish());
  return { lines, bytesReplaced: decoder.bytesReplaced };
}

it.each([
  ['Unix', 'one\ntwo\n'],
  ['Windows', 'one\r\ntwo\r\n'],
  ['mixed', 'one\r\ntwo\n'],
  ['missing last', 'one\ntwo'],
])('takes %s line endings', (_name, text) => {
  expect(decode(Buffer.from(text)).lines).toEqual(['one', 'two']);
});

it.each([
  ['UTF-8', Buffer.from('\ufeff支付\n超时\n', 'utf8')],
  ['UTF-16 little-endian', Buffer.from('\ufeff支付\n超时\n', 'utf16le')],
  ['UTF-16 big-endian', Buffer.from('\ufeff支付\n超时\n', 'utf16le').swap16()],
])('reads %s by its byte order mark', (_name, bytes) => {
  expect(decode(bytes)).toEqual({ lines: ['支付', '超时'], bytesReplaced: 0 });
});

it.each([1, 2, 3, 5])('reads text that arrives in pieces of %i bytes', (pieceBytes) => {
  const bytes = Buffer.from('支付超时 😀\nUTF-8 \ufffd 原文\n');

  expect(decode(bytes, pieceBytes)).toEqual({
    lines: ['支付超时 😀', 'UTF-8 \ufffd 原文'],
    bytesReplaced: 0,
  });
});

it('replaces torn bytes and counts them', () => {
  const bytes = Buffer.from([0x61, 0xe6, 0x94, 0x0a, 0xff, 0x62, 0x0a]);

  expect(decode(bytes)).toEqual({ lines: ['a\ufffd', '\ufffdb'], bytesReplaced: 2 });
});

it.each([
  ['colours', `${ESCAPE}[31mERROR${ESCAPE}[0;39m lost`, 'ERROR lost'],
  ['cursor moves', `${ESCAPE}[2K${ESCAPE}[1GINFO text`, 'INFO text'],
  ['a window title', `${ESCAPE}]0;root@host${BELL}INFO ready`, 'INFO ready'],
  [
    'a hyperlink',
    `${ESCAPE}]8;;https://x.invalid${ESCAPE}\\board${ESCAPE}]8;;${ESCAPE}\\ open`,
    'board open',
  ],
  ['a change of the character set', `${ESCAPE}[1mINFO${ESCAPE}(B${ESCAPE}[m ready`, 'INFO ready'],
  ['a picture', `${ESCAPE}Pq#0;2;0~-${ESCAPE}\\INFO ready`, 'INFO ready'],
  ['what is left of a torn sequence', `INFO ready${ESCAPE}[31`, 'INFO ready [31'],
])('takes out %s', (_name, line, plain) => {
  expect(decode(Buffer.from(line)).lines).toEqual([plain]);
});

it('gets through sequences that never end', () => {
  const line = `${ESCAPE}]`.repeat(100_000);

  expect(decode(Buffer.from(line)).lines).toEqual([' ]'.repeat(100_000)]);
});

it('hands a line without end on in pieces', () => {
  const lines = decode(Buffer.alloc(3 * 1_048_576, 'x'), 65_536).lines;

  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join('')).toBe('x'.repeat(3 * 1_048_576));
});

it('turns any bytes into well-formed lines', () => {
  const bytes = fc.uint8Array({ maxLength: 400 });

  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 50 }), (some, pieceBytes) => {
      const { lines } = decode(some, pieceBytes);

      expect(lines.every((line) => line.isWellFormed())).toBe(true);
    }),
  );
});
