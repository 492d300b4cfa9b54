import { sha256Hex } from '../kernel/canonical-json.ts';
import { compress } from './compression.ts';
import type { RawResult } from './run-store.ts';

/**
 * Bytes of one raw result before and after compression, and of one stored piece. The first two bound
 * memory and storage of a call; a piece with its keys stays well under the 400 KB of a DynamoDB item.
 */
export const RAW_LIMITS = {
  uncompressedBytes: 32 * 1024 * 1024,
  compressedBytes: 4 * 1024 * 1024,
  chunkBytes: 300 * 1024,
} as const;

export type PackedRaw =
  | { readonly kind: 'packed'; readonly raw: RawResult }
  | { readonly kind: 'too_large' };

/**
 * Compresses an adapter's exact bytes (Zstandard) and cuts them into pieces that fit one item each.
 * Equal bytes give equal pieces. Nothing is shortened: what passes a limit is refused whole.
 */
export function packRaw(bytes: Uint8Array): PackedRaw {
  if (bytes.byteLength > RAW_LIMITS.uncompressedBytes) return { kind: 'too_large' };

  const compressed = compress(bytes);
  if (compressed.byteLength > RAW_LIMITS.compressedBytes) return { kind: 'too_large' };

  const chunks = piecesOf(compressed);
  return {
    kind: 'packed',
    raw: {
      reference: {
        sha256: sha256Hex(bytes),
        bytes: bytes.byteLength,
        compressed_bytes: compressed.byteLength,
        chunks: chunks.length,
      },
      chunks,
    },
  };
}

function piecesOf(compressed: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < compressed.byteLength; start += RAW_LIMITS.chunkBytes) {
    pieces.push(compressed.subarray(start, start + RAW_LIMITS.chunkBytes));
  }
  return pieces;
}
