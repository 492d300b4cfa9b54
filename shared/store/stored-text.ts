import { zstdDecompressSync } from 'node:zlib';
import { utf8Bytes } from '../kernel/utf8.ts';
import { compress } from './compression.ts';
import { recordUnavailable } from './store-failure.ts';

/** From this many UTF-8 bytes on a text is stored compressed: DynamoDB bills writes by the kilobyte. */
const COMPRESSED_FROM_BYTES = 1_024;

/** No stored text is larger; a damaged one must not fill the memory. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** A text as it is stored: as itself while short, else as Zstandard bytes. */
export function toStoredText(text: string): string | Uint8Array {
  const bytes = utf8Bytes(text);
  return bytes.byteLength < COMPRESSED_FROM_BYTES ? text : compress(bytes);
}

/** The text, byte for byte. @throws HarnessError `RECORD_UNAVAILABLE` when it can't be unpacked. */
export function fromStoredText(stored: unknown): string {
  if (typeof stored === 'string') return stored;
  if (!(stored instanceof Uint8Array)) throw recordUnavailable('a stored text is missing');
  try {
    return zstdDecompressSync(stored, { maxOutputLength: MAX_TEXT_BYTES }).toString('utf8');
  } catch (error) {
    throw recordUnavailable('a stored text is damaged', error);
  }
}
