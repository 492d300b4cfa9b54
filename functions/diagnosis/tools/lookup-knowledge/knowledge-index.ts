import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import type { KnowledgeChunk } from './knowledge-result.ts';
import type { MarkdownDocument } from './markdown-document.ts';
import { searchTerms } from './search-terms.ts';

/**
 * When a chunk counts as relevant. A term weighs its inverse document frequency, so that words most
 * documents hold hardly count. The figures come from the questions in `test/fixtures/knowledge`:
 * lower ones let unrelated questions through, higher ones lose paraphrases.
 */
const RELEVANCE = {
  /** Share of the question's weight that a chunk must hold. */
  share: 0.3,
  /** Half of that will do where what is shared weighs as much as 2.5 unseen terms: long log lines. */
  shareOfMuch: 0.15,
  much: 2.5,
  /** What is shared weighs at least as much as one term that a tenth of all documents hold. */
  commonTermShare: 0.1,
  /** Frequencies in a handful of documents say nothing: a small folder is weighed like one of 50. */
  leastDocuments: 50,
} as const;

// A title names what its chunks are about.
const TITLE_BOOST = 2;

interface IndexedChunk {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

/**
 * Ranks chunks by BM25+ (times the number of matched terms, as MiniSearch does), for Chinese and
 * English, and leaves out those that share too little with the question to be evidence.
 */
export class KnowledgeIndex {
  readonly #engine = new MiniSearch<IndexedChunk>({
    fields: ['title', 'text'],
    tokenize: searchTerms,
    processTerm: (term) => term,
    searchOptions: { boost: { title: TITLE_BOOST } },
  });
  readonly #chunks: Omit<KnowledgeChunk, 'score'>[] = [];
  readonly #documentsWith = new Map<string, number>();
  #documentCount = 0;

  get documentCount(): number {
    return this.#documentCount;
  }

  get chunkCount(): number {
    return this.#chunks.length;
  }

  /** Relevant chunks, best first. */
  search(query: string): KnowledgeChunk[] {
    const asked = this.#weightOf(searchTerms(query));
    return this.#engine.search(query).flatMap(({ id, score, match }) => {
      const chunk = this.#chunks[id];
      if (chunk === undefined || !this.#isRelevant(Object.keys(match), asked)) return [];
      return [{ ...chunk, score }];
    });
  }

  add({ id, title, chunks }: MarkdownDocument): void {
    const terms = new Set(searchTerms(title));
    for (const text of chunks) {
      this.#engine.add({ id: this.#chunks.length, title, text });
      this.#chunks.push({ document_id: id, title, text });
      for (const term of searchTerms(text)) terms.add(term);
    }
    for (const term of terms) {
      this.#documentsWith.set(term, (this.#documentsWith.get(term) ?? 0) + 1);
    }
    this.#documentCount += 1;
  }

  #isRelevant(sharedTerms: readonly string[], asked: number): boolean {
    const shared = this.#weightOf(sharedTerms);
    const count = this.#weighedCount();
    if (shared < weight(count * RELEVANCE.commonTermShare, count)) return false;
    const isMuch = shared >= RELEVANCE.much * weight(0, count);
    return shared >= asked * (isMuch ? RELEVANCE.shareOfMuch : RELEVANCE.share);
  }

  #weightOf(terms: readonly string[]): number {
    const count = this.#weighedCount();
    return [...new Set(terms)].reduce(
      (sum, term) => sum + weight(this.#documentsWith.get(term) ?? 0, count),
      0,
    );
  }

  #weighedCount(): number {
    return Math.max(this.#documentCount, RELEVANCE.leastDocuments);
  }
}

/** Inverse document frequency as BM25 has it. */
function weight(having: number, count: number): number {
  return Math.log(1 + (count - having + 0.5) / (having + 0.5));
}

/**
 * Indexes documents one by one.
 *
 * @throws the reason of `signal` once it is aborted.
 */
export async function indexDocuments(
  documents: Iterable<MarkdownDocument>,
  signal: AbortSignal,
): Promise<KnowledgeIndex> {
  const index = new KnowledgeIndex();
  for (const document of documents) {
    index.add(document);
    await setImmediate(); // lets a timer or a cancel abort the signal between two documents
    signal.throwIfAborted();
  }
  return index;
}
