const encoder = new TextEncoder();

/** Length of a text in UTF-8 bytes; every limit of this project counts these. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The UTF-8 bytes of a text. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/**
 * The longest prefix that fits into `maxBytes` UTF-8 bytes, cut between code points. Returns the
 * text itself when it fits.
 */
export function cutUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text;
  const window = text.slice(0, Math.max(0, maxBytes)); // a code unit is at least one byte
  const { read } = encoder.encodeInto(window, new Uint8Array(Math.max(0, maxBytes)));
  const cut = text.slice(0, read);
  return endsInHighSurrogate(cut) ? cut.slice(0, -1) : cut;
}

function endsInHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
