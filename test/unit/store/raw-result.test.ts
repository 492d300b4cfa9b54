import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../shared/kernel/canonical-json.ts';
import { packRaw, RAW_LIMITS } from '../../../shared/store/raw-result.ts';

const MB = 1024 * 1024;

describe('packing a raw result', () => {
  it('names the bytes before compression and keeps them whole', () => {
    const bytes = Buffer.from(`{"line":"${'支付超时 '.repeat(400)}"}`);

    const packed = packRaw(bytes);

    const compressed = Buffer.concat(packed.kind === 'packed' ? packed.raw.chunks : []);
    expect(packed).toMatchObject({
      kind: 'packed',
      raw: {
        reference: {
          sha256: sha256Hex(bytes),
          bytes: bytes.byteLength,
          compressed_bytes: compressed.byteLength,
          chunks: 1,
        },
      },
    });
    expect(zstdDecompressSync(compressed).equals(bytes)).toBe(true);
    expect(compressed.byteLength).toBeLessThan(bytes.byteLength);
  });

  it('packs equal bytes equally', () => {
    const [first, second] = [noise(2 * MB), noise(2 * MB)];

    const packed = [packRaw(first), packRaw(second)];

    expect(packed[0]).toEqual(packed[1]);
  });

  it('cuts large results into pieces that fit one item', () => {
    const packed = packRaw(noise(MB));

    const sizes =
      packed.kind === 'packed' ? packed.raw.chunks.map((chunk) => chunk.byteLength) : [];
    expect(sizes.slice(0, 3)).toEqual([
      RAW_LIMITS.chunkBytes,
      RAW_LIMITS.chunkBytes,
      RAW_LIMITS.chunkBytes,
    ]);
    expect(sizes).toHaveLength(4);
    expect(Math.max(...sizes)).toBe(RAW_LIMITS.chunkBytes);
  });

  it('packs a result without a byte', () => {
    const packed = packRaw(new Uint8Array());

    expect(packed).toMatchObject({ kind: 'packed', raw: { reference: { bytes: 0, chunks: 1 } } });
  });

  it.each([
    ['at 32 MB', RAW_LIMITS.uncompressedBytes, 'packed'],
    ['one byte over 32 MB', RAW_LIMITS.uncompressedBytes + 1, 'too_large'],
  ])('%s of one letter: %s bytes are %s', (_what, length, kind) => {
    const packed = packRaw(Buffer.alloc(length, 'x'));

    expect(packed.kind).toBe(kind);
  });

  it('refuses what stays larger than 4 MB', () => {
    const packed = packRaw(noise(5 * MB));

    expect(packed).toEqual({ kind: 'too_large' });
  });
});

/** Bytes that no compression shortens; the same for the same length. */
function noise(length: number): Uint8Array {
  const words = new Uint32Array(length / 4);
  let state = 2_463_534_242;
  for (let index = 0; index < words.length; index += 1) {
    state ^= state << 13; // xorshift, Marsaglia 2003
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return new Uint8Array(words.buffer);
}
