import { z } from 'zod';
import { utf8Length } from '../kernel/utf8.ts';

/** What a model or a caller is told about a limit: bytes are the rule, characters the rule of thumb. */
export function limitSentence(maxBytes: number): string {
  return `at most ${maxBytes} UTF-8 bytes (stay under ${Math.floor(maxBytes / 2)} characters)`;
}

/** Text of at most `maxBytes` UTF-8 bytes, well-formed Unicode, blank allowed. */
export function boundedText(maxBytes: number) {
  return z
    .string()
    .refine((text) => text.isWellFormed(), { error: 'must be well-formed Unicode', abort: true })
    .refine((text) => fits(text, maxBytes), { error: `must have at most ${maxBytes} UTF-8 bytes` })
    .describe(limitSentence(maxBytes));
}

/** Something a reader can see: neither white space nor an invisible format character. */
const VISIBLE = /[^\p{White_Space}\p{Cf}]/u;

/** Text like {@link boundedText} that holds something to be seen. */
export function nonBlankText(maxBytes: number) {
  return boundedText(maxBytes)
    .refine((text) => VISIBLE.test(text), { error: 'must not be blank' })
    .describe(limitSentence(maxBytes));
}

function fits(text: string, maxBytes: number): boolean {
  // A UTF-16 code unit takes at least one byte, so a longer text need not be counted.
  return text.length <= maxBytes && utf8Length(text) <= maxBytes;
}
