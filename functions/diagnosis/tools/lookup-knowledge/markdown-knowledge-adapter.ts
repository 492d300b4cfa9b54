import { basename, resolve } from 'node:path';
import type { LookupKnowledgeInput } from '../../../../shared/contracts/tool-inputs.ts';
import { cutUtf8 } from '../../../../shared/kernel/utf8.ts';
import type { AdapterResult, CallContext, ToolAdapter } from '../../evidence/tool-adapter.ts';
import { readKnowledgeFolder } from './knowledge-folder.ts';
import { indexDocuments, type KnowledgeIndex } from './knowledge-index.ts';
import { encodeKnowledgeResult, type KnowledgeChunk } from './knowledge-result.ts';
import { readMarkdown } from './markdown-document.ts';

/** Where the documents lie. */
export interface MarkdownFolderOptions {
  readonly folder: string;
  /** True when the documents are sample data that we ship. */
  readonly shippedSample: boolean;
}

// More than the five documents an observation shows, so that the projector can tell what it left out.
const MAX_CHUNKS = 20;
const MAX_CHUNKS_PER_DOCUMENT = 3;

interface ReadyFolder {
  readonly index: KnowledgeIndex;
  readonly skippedCount: number;
}

/** Searches a folder of Markdown documents; reads it at the first call and keeps the index. */
export class MarkdownKnowledgeAdapter implements ToolAdapter<LookupKnowledgeInput> {
  readonly #options: MarkdownFolderOptions;
  #ready: ReadyFolder | undefined;

  constructor(options: MarkdownFolderOptions) {
    this.#options = options;
  }

  async call({ query }: LookupKnowledgeInput, { signal }: CallContext): Promise<AdapterResult> {
    signal.throwIfAborted();
    const ready = await this.#open(signal);
    if (typeof ready === 'string') return { kind: 'failed', code: ready, executed: null };
    const chunks = spread(ready.index.search(query));
    return {
      kind: 'result',
      raw: encodeKnowledgeResult({ chunks, skipped_count: ready.skippedCount }),
      sourceKind: this.#options.shippedSample ? 'MOCK' : 'MARKDOWN',
      window: null,
      executed: {
        // Not the query itself: its marks are resolved here, and a step keeps them in place.
        statement: `BM25+ over ${ready.index.documentCount} documents, ${ready.index.chunkCount} chunks`,
        window: null,
        sources: [cutUtf8(basename(resolve(this.#options.folder)), 256)],
      },
    };
  }

  async #open(signal: AbortSignal): Promise<ReadyFolder | 'SOURCE_UNAVAILABLE' | 'SCAN_LIMIT'> {
    if (this.#ready !== undefined) return this.#ready;
    const content = await readKnowledgeFolder(this.#options.folder, signal);
    if (content.kind === 'unreadable') return 'SOURCE_UNAVAILABLE';
    if (content.kind === 'too_large') return 'SCAN_LIMIT';
    const documents = content.documents.map(({ id, text }) => readMarkdown(id, text));
    this.#ready = {
      index: await indexDocuments(documents, signal),
      skippedCount: content.skippedCount,
    };
    return this.#ready;
  }
}

/** The best chunks, so picked that one long document does not push out the others. */
function spread(ranked: readonly KnowledgeChunk[]): KnowledgeChunk[] {
  const taken = new Map<string, number>();
  const chunks: KnowledgeChunk[] = [];
  for (const chunk of ranked) {
    if (chunks.length === MAX_CHUNKS) break;
    const ofDocument = taken.get(chunk.document_id) ?? 0;
    if (ofDocument === MAX_CHUNKS_PER_DOCUMENT) continue;
    taken.set(chunk.document_id, ofDocument + 1);
    chunks.push(chunk);
  }
  return chunks;
}
