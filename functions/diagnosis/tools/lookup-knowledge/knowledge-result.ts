import { utf8Bytes } from '../../../../shared/kernel/utf8.ts';

/** A part of a document that matched. */
export interface KnowledgeChunk {
  /** Names the document within its source. */
  readonly document_id: string;
  readonly title: string;
  /** The whole chunk. */
  readonly text: string;
  /** Higher is better; comparable within one result only. */
  readonly score?: number;
}

/** The raw result of `lookup_knowledge`, the same whatever the source. */
export interface KnowledgeResult {
  /** Best first; may hold several chunks of one document. */
  readonly chunks: readonly KnowledgeChunk[];
  /** Documents or hits that could not be read as text. */
  readonly skipped_count: number;
}

/** The bytes an adapter keeps. */
export function encodeKnowledgeResult(result: KnowledgeResult): Uint8Array {
  return utf8Bytes(JSON.stringify(result));
}

/** Reads what {@link encodeKnowledgeResult} wrote, leniently on unknown keys; undefined when it is not that. */
export function decodeKnowledgeResult(raw: Uint8Array): KnowledgeResult | undefined {
  const read = parseJson(raw);
  if (!isObject(read)) return undefined;
  const { chunks, skipped_count } = read;
  if (!Array.isArray(chunks) || !chunks.every(isChunk) || !isCount(skipped_count)) return undefined;
  return { chunks, skipped_count };
}

function parseJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    return undefined; // Bytes that are no JSON are a malformed result, which the caller says.
  }
}

function isObject(value: unknown): value is Record<'chunks' | 'skipped_count', unknown> {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isChunk(value: unknown): value is KnowledgeChunk {
  if (typeof value !== 'object' || value === null) return false;
  if (!('document_id' in value && 'title' in value && 'text' in value)) return false;
  const { document_id, title, text } = value;
  if (![document_id, title, text].every((member) => typeof member === 'string')) return false;
  return !('score' in value) || typeof value.score === 'number';
}
