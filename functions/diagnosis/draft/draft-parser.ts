import {
  type DiagnosisDraft,
  DiagnosisDraftSchema,
  MAX_DRAFT_BYTES,
} from '../../../shared/contracts/diagnosis-draft.ts';
import type { ParseCode } from '../../../shared/contracts/failure.ts';
import { utf8Length } from '../../../shared/kernel/utf8.ts';
import { parseStrictJson } from './strict-json.ts';

/** The model's last words as a draft, or why they are none. */
export type ParsedDraft = { readonly kind: 'draft'; readonly draft: DiagnosisDraft } | RefusedWords;

interface RefusedWords {
  readonly kind: 'refused';
  readonly code: ParseCode;
}

/** Levels of the schema: draft, analysis, item, quotes, quote. A test counts them. */
export const MAX_DRAFT_DEPTH = 5;

/**
 * Strict to the byte: one JSON object with nothing around it but JSON white space. Repairs, trims
 * and normalises nothing; never throws. Bytes are counted before anything else is looked at.
 */
export function parseDraft(lastWords: string | Uint8Array): ParsedDraft {
  if (isOversized(lastWords)) return refused('OVERSIZED');
  const text = typeof lastWords === 'string' ? lastWords : decodedOrNull(lastWords);
  if (text === null) return refused('NOT_UTF8');
  if (!text.isWellFormed()) return refused('LONE_SURROGATE');
  if (text.startsWith('\u{feff}')) return refused('BYTE_ORDER_MARK');
  if (text.trim() === '') return refused('EMPTY');

  const json = parseStrictJson(text, MAX_DRAFT_DEPTH);
  if (json.kind === 'refused') return json;

  const checked = DiagnosisDraftSchema.safeParse(json.value);
  return checked.success ? { kind: 'draft', draft: checked.data } : refused('SCHEMA');
}

function isOversized(words: string | Uint8Array): boolean {
  // A UTF-16 code unit takes at least one byte, so an endless string is not counted to its end.
  if (words.length > MAX_DRAFT_BYTES) return true;
  return typeof words === 'string' && utf8Length(words) > MAX_DRAFT_BYTES;
}

function decodedOrNull(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null; // A fatal decoder has no other way to say that bytes are not UTF-8.
  }
}

function refused(code: ParseCode): RefusedWords {
  return { kind: 'refused', code };
}
