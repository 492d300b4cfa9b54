import { OBSERVATION_CAPS } from '../../../../shared/contracts/observation.ts';
import type { LookupKnowledgeInput } from '../../../../shared/contracts/tool-inputs.ts';
import { utf8Length } from '../../../../shared/kernel/utf8.ts';
import type { RedactedText, Redactor } from '../../../../shared/redaction/redactor.ts';
import type { KnowledgeBody } from '../../evidence/evidence-body.ts';
import type { ResultProjector } from '../../evidence/result-projector.ts';
import { decodeKnowledgeResult, type KnowledgeChunk } from './knowledge-result.ts';
import { bestPassage, openingOf } from './passage.ts';

/** Documents shown when the input names no number; the tool's contract. */
export const DEFAULT_MAX_RESULTS = 3;

const MAX_NAME_BYTES = 256; // `document_id` and `title` of the observation
const MAX_FACTS = 3;
const MAX_FACT_BYTES = 300;

// Shorter excerpts are tried before a document is dropped: a name with a glimpse beats no name.
const EXCERPT_BYTES = [OBSERVATION_CAPS.excerptBytes, 800, 400, 200];

/**
 * Shows each document once, by its best chunk, as an exact excerpt of the redacted text. The text is
 * evidence: nothing in it is interpreted.
 */
export const knowledgeProjector: ResultProjector<LookupKnowledgeInput, KnowledgeBody> = {
  project(raw, { input, redactor, maxBodyBytes }) {
    const result = decodeKnowledgeResult(raw);
    if (result === undefined) return { kind: 'malformed' };
    const readable = result.chunks.filter(({ text }) => text.trim() !== '');
    const skipped = result.skipped_count + result.chunks.length - readable.length;
    const documents = bestOfEach(readable)
      .slice(0, Math.min(input.max_results ?? DEFAULT_MAX_RESULTS, OBSERVATION_CAPS.evidence))
      .map((chunk) => redacted(chunk, redactor));
    const evidence = fitted(documents, input.query, maxBodyBytes, skipped);
    return {
      kind: 'projected',
      evidenceStatus: readable.length === 0 ? 'NO_EVIDENCE' : 'EVIDENCE_FOUND',
      notes: evidence.some(hasReplacement) ? ['BYTES_REPLACED'] : [],
      truncated: evidence.length < readable.length || evidence.some(isCut),
      body: { evidence: evidence.map(({ entry }) => entry), skipped_count: skipped },
      facts: evidence
        .map(({ entry }) => factOf(entry))
        .filter(isNotBlank)
        .slice(0, MAX_FACTS),
    };
  },
};

type Entry = KnowledgeBody['evidence'][number];

interface RedactedChunk {
  readonly documentId: RedactedText;
  readonly title: RedactedText;
  readonly text: RedactedText;
  readonly score: number | undefined;
}

interface Shown {
  readonly entry: Entry;
  readonly source: RedactedChunk;
}

function bestOfEach(chunks: readonly KnowledgeChunk[]): KnowledgeChunk[] {
  const best = new Map<string, KnowledgeChunk>();
  for (const chunk of chunks) {
    if (!best.has(chunk.document_id)) best.set(chunk.document_id, chunk);
  }
  return [...best.values()];
}

function redacted(chunk: KnowledgeChunk, redactor: Redactor): RedactedChunk {
  const { document_id, title, text, score } = chunk;
  return {
    documentId: redactor.redact(document_id.toWellFormed()),
    title: redactor.redact(title.toWellFormed()),
    text: redactor.redact(text.toWellFormed().trim()),
    score,
  };
}

/** The most documents, then the longest excerpts, that the byte budget allows. */
function fitted(
  documents: readonly RedactedChunk[],
  query: string,
  maxBodyBytes: number,
  skipped: number,
): Shown[] {
  for (let count = documents.length; count > 0; count -= 1) {
    for (const excerptBytes of EXCERPT_BYTES) {
      const shown = documents
        .slice(0, count)
        .map((source) => ({ source, entry: toEntry(source, query, excerptBytes) }));
      const body = { evidence: shown.map(({ entry }) => entry), skipped_count: skipped };
      if (utf8Length(JSON.stringify(body)) <= maxBodyBytes) return shown;
    }
  }
  return [];
}

function toEntry(source: RedactedChunk, query: string, excerptBytes: number): Entry {
  const { documentId, title, text, score } = source;
  return {
    document_id: openingOf(documentId, MAX_NAME_BYTES),
    title: openingOf(title, MAX_NAME_BYTES),
    excerpt: bestPassage(text, query, excerptBytes),
    // Three decimals tell ranks apart; more would only be noise to read.
    ...(Number.isFinite(score) ? { score: Number(score?.toFixed(3)) } : {}),
  };
}

function isCut({ entry, source }: Shown): boolean {
  return (
    entry.excerpt !== source.text.trim() ||
    entry.title !== source.title ||
    entry.document_id !== source.documentId
  );
}

/** True where a source byte was no UTF-8 and reads as the replacement character. */
function hasReplacement({ entry }: Shown): boolean {
  return entry.excerpt.includes('\uFFFD') || entry.title.includes('\uFFFD');
}

/** The whole title, else the opening of the excerpt: words that stand in the observation. */
function factOf({ title, excerpt }: Entry): RedactedText {
  return title.trim() === '' ? openingOf(excerpt, MAX_FACT_BYTES) : title;
}

function isNotBlank(text: string): boolean {
  return text.trim() !== '';
}
