import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Bounds of one folder: a document is a few pages, a folder what a cold start indexes in seconds (1 MB/s). */
export const FOLDER_LIMITS = {
  documentBytes: 262_144,
  documents: 1_000,
  totalBytes: 8_388_608,
  entries: 20_000,
} as const;

/** A document as it lies in the folder. */
interface FolderDocument {
  /** Path relative to the folder, `/` between its parts. */
  readonly id: string;
  readonly text: string;
}

/** What a folder holds, or why it can't be searched as a whole. */
export type FolderContent =
  | {
      readonly kind: 'read';
      readonly documents: readonly FolderDocument[];
      /** Entries that may hold knowledge and were left out: links out of the folder, too large, no text, unreadable. */
      readonly skippedCount: number;
    }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'too_large' };

/**
 * Reads every `*.md` of a folder and its subfolders, in the order of their paths. Links to files
 * inside the folder are followed, links to folders and links that leave are not.
 *
 * @throws the reason of `signal` once it is aborted.
 */
export async function readKnowledgeFolder(
  folder: string,
  signal: AbortSignal,
): Promise<FolderContent> {
  signal.throwIfAborted();
  const root = await orUndefined(realpath(folder));
  const listed = root === undefined ? undefined : await orUndefined(list(root));
  if (root === undefined || listed === undefined) return { kind: 'unreadable' };
  return new FolderReader(root, signal).read(listed);
}

class FolderReader {
  readonly #root: string;
  readonly #signal: AbortSignal;
  readonly #documents: FolderDocument[] = [];
  readonly #seen = new Set<string>();
  #entries = 0;
  #totalBytes = 0;
  #skipped = 0;

  constructor(root: string, signal: AbortSignal) {
    this.#root = root;
    this.#signal = signal;
  }

  async read(listed: readonly Dirent[]): Promise<FolderContent> {
    await this.#walk('', listed);
    if (this.#isFull()) return { kind: 'too_large' };
    return { kind: 'read', documents: this.#documents, skippedCount: this.#skipped };
  }

  async #walk(prefix: string, entries: readonly Dirent[]): Promise<void> {
    for (const entry of entries) {
      this.#signal.throwIfAborted();
      this.#entries += 1;
      if (this.#isFull()) return;
      const id = `${prefix}${entry.name}`;
      if (entry.isDirectory()) await this.#enter(id);
      else await this.#take(id, entry);
    }
  }

  async #enter(id: string): Promise<void> {
    const entries = await orUndefined(list(join(this.#root, id)));
    if (entries === undefined) this.#skipped += 1;
    else await this.#walk(`${id}/`, entries);
  }

  async #take(id: string, entry: Dirent): Promise<void> {
    if (!id.toLowerCase().endsWith('.md') && !entry.isSymbolicLink()) return;
    const target = await orUndefined(realpath(join(this.#root, id)));
    if (target === undefined || !`${target}${sep}`.startsWith(this.#root + sep)) {
      this.#skipped += 1;
      return;
    }
    if (!id.toLowerCase().endsWith('.md') || this.#seen.has(target)) return;
    this.#seen.add(target);
    await this.#readDocument(id, target);
  }

  async #readDocument(id: string, path: string): Promise<void> {
    // A pipe or device named *.md would block a read: ask first what it is.
    const status = await orUndefined(stat(path));
    if (status === undefined || !status.isFile() || status.size > FOLDER_LIMITS.documentBytes) {
      this.#skipped += 1;
      return;
    }
    const bytes = await orUndefined(readFile(path, { signal: this.#signal }));
    this.#signal.throwIfAborted();
    const text = bytes === undefined ? undefined : decode(bytes);
    if (bytes === undefined || text === undefined) this.#skipped += 1;
    else {
      this.#totalBytes += bytes.byteLength;
      this.#documents.push({ id, text });
    }
  }

  #isFull(): boolean {
    return (
      this.#entries > FOLDER_LIMITS.entries ||
      this.#documents.length > FOLDER_LIMITS.documents ||
      this.#totalBytes > FOLDER_LIMITS.totalBytes
    );
  }
}

/** UTF-8 text; a torn byte is replaced, what has a NUL or more than one bad byte in a hundred is no text. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  const text = new TextDecoder().decode(bytes);
  const replaced = text.split('\uFFFD').length - 1;
  return replaced * 100 > bytes.byteLength ? undefined : text;
}

async function list(path: string): Promise<Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The file system's errors name causes that are no business of a caller: absent is all there is to know. */
async function orUndefined<Value>(pending: Promise<Value>): Promise<Value | undefined> {
  try {
    return await pending;
  } catch {
    return undefined;
  }
}
