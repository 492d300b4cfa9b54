import type {
  KnowledgeBaseRetrievalResult,
  RetrievalResultLocation,
} from '@aws-sdk/client-bedrock-agent-runtime';
import type { KnowledgeChunk, KnowledgeResult } from './knowledge-result.ts';

/**
 * Reads the hits of one `Retrieve`, leniently: score, location and metadata may be missing. A hit that
 * holds no text (a picture, a recording, a row) is skipped and counted.
 */
export function readHits(hits: readonly KnowledgeBaseRetrievalResult[]): KnowledgeResult {
  const chunks = hits.map(toChunk).filter((chunk) => chunk !== undefined);
  return { chunks, skipped_count: hits.length - chunks.length };
}

function toChunk(
  { content, location, score, metadata, documentId }: KnowledgeBaseRetrievalResult,
  index: number,
): KnowledgeChunk | undefined {
  const text = content?.text;
  // The type came later than the text, so a hit without one is read as text.
  const isText = (content?.type ?? 'TEXT') === 'TEXT';
  if (!isText || text === undefined || text.trim() === '') return undefined;
  const source = placeOf(location) ?? textOf(metadata?.[SOURCE_URI]);
  const id = source ?? documentId ?? `result-${index + 1}`;
  return {
    document_id: id,
    title: titleOf(metadata) ?? lastSegment(id),
    text,
    ...(typeof score === 'number' && Number.isFinite(score) && { score }),
  };
}

/** The key under which the service itself notes where a chunk came from. */
const SOURCE_URI = 'x-amz-bedrock-kb-source-uri';

/** Whatever the kind of location, it has one member with one string: where the document is. */
function placeOf(location: RetrievalResultLocation | undefined): string | undefined {
  if (location === undefined) return undefined;
  const { type: _type, sqlLocation: _query, ...places } = location;
  return Object.values(places)
    .flatMap((place) => Object.values(place ?? {}))
    .map(textOf)
    .find((place) => place !== undefined);
}

/** Keys of metadata that hold a document's title, in the order of trust. */
const TITLES = ['title', 'Title', '_document_title', 'document_title', 'name'];

function titleOf(metadata: KnowledgeBaseRetrievalResult['metadata']): string | undefined {
  return TITLES.map((key) => textOf(metadata?.[key])).find((title) => title !== undefined);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The file's name for a path, the id itself for anything else. */
function lastSegment(id: string): string {
  const [path = ''] = id.split(/[?#]/, 1);
  return path.split('/').findLast((segment) => segment !== '') ?? id;
}
