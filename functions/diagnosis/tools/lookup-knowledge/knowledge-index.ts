import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import type { KnowledgeChunk } from './knowledge-result.ts';
import type { MarkdownDocument } from './markdown-document.ts';
import { searchTerms } from './search-terms.ts';

/** What a chunk must share with a question to be evidence; measured in `knowledge-search.test.ts`. */
const MIN_COVERAGE = 0.25;

// A title names what its chunks are about.
const TITLE_BOOST = 2;

interface IndexedChunk {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

/**
 * Ranks chunks by BM25+ (times the number of matched terms, as MiniSearch does), for Chinese and English.
 *
 * A chunk is relevant when the terms it shares with the question carry a quarter of the question's
 * information: each distinct term weighs its inverse document frequency, so that common words
 * and a single shared word among many do not count as a match.
 */
export class KnowledgeIndex {
  readonly #engine = new MiniSearch<IndexedChunk>({
    fields: ['title', 'text'],
    tokenize: searchTerms,
    processTerm: (term) => term,
    searchOptions: { boost: { title: TITLE_BOOST } },
  });
  readonly #chunks: Omit<KnowledgeChunk, 'score'>[] = [];
  readonly #chunksWith = new Map<string, number>();

  get chunkCount(): number {
    return this.#chunks.length;
  }

  /** Relevant chunks, best first. */
  search(query: string): KnowledgeChunk[] {
    const terms = [...new Set(searchTerms(query))];
    const whole = this.#weight(terms);
    return this.#engine.search(query).flatMap(({ id, score, match }) => {
      const chunk = this.#chunks[id];
      const share = this.#weight(Object.keys(match)) / whole;
      return chunk === undefined || share < MIN_COVERAGE ? [] : [{ ...chunk, score }];
    });
  }

  add({ id, title, chunks }: MarkdownDocument): void {
    for (const text of chunks) {
      this.#engine.add({ id: this.#chunks.length, title, text });
      this.#chunks.push({ document_id: id, title, text });
      for (const term of new Set([...searchTerms(title), ...searchTerms(text)])) {
        this.#chunksWith.set(term, (this.#chunksWith.get(term) ?? 0) + 1);
      }
    }
  }

  #weight(terms: readonly string[]): number {
    const count = this.#chunks.length;
    return terms.reduce((sum, term) => {
      const having = this.#chunksWith.get(term) ?? 0;
      return sum + Math.log(1 + (count - having + 0.5) / (having + 0.5));
    }, 0);
  }
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
