import { utf8Length } from '../../../shared/kernel/utf8.ts';
import type { QuotableString } from './quotable-strings.ts';

/** UTF-8 bytes, white space not counted, below which a quote says nothing. */
const MIN_QUOTE_BYTES = 12;

/** Where a quote stands: the string's path, and the byte of that string it begins at. */
export interface QuoteMatch {
  readonly path: string;
  readonly start: number;
}

/**
 * A text as quotes are compared: after NFC, without white space. Only white space is taken out;
 * zero-width characters, case and punctuation count.
 */
export function comparableText(text: string): string {
  return segments(text).map(comparableSegment).join('');
}

/** True when a quote has too few bytes to prove anything. */
export function isTooShort(quote: string): boolean {
  return utf8Length(comparableText(quote)) < MIN_QUOTE_BYTES;
}

/** The first place at which one string holds the whole quote, or null. Never joins two strings. */
export function findQuote(quote: string, strings: readonly QuotableString[]): QuoteMatch | null {
  const wanted = comparableText(quote);
  for (const { path, text } of strings) {
    const index = comparableText(text).indexOf(wanted);
    if (index >= 0) return { path, start: byteOffset(text, index) };
  }
  return null;
}

/** The byte of `text` that position `index` of its comparable form comes from. */
function byteOffset(text: string, index: number): number {
  let bytes = 0;
  let position = 0;
  for (const segment of segments(text)) {
    position += comparableSegment(segment).length;
    if (position > index) break;
    bytes += utf8Length(segment);
  }
  return bytes;
}

/**
 * Pieces that NFC changes independently of each other: a character with the marks and the Hangul
 * vowels and finals that may combine with it.
 */
function segments(text: string): readonly string[] {
  return text.match(SEGMENT) ?? [];
}

const SEGMENT =
  /[^\p{M}\u1160-\u11ff\ud7b0-\ud7ff][\p{M}\u1160-\u11ff\ud7b0-\ud7ff]*|[\p{M}\u1160-\u11ff\ud7b0-\ud7ff]+/gu;

function comparableSegment(segment: string): string {
  return segment.normalize('NFC').replace(/\p{White_Space}+/gu, '');
}
