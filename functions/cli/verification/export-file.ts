import { type RecordPage, RecordPageSchema } from '../../../shared/contracts/record-page.ts';
import { toPageCursor } from '../../run-record/page-cursor.ts';
import { pageDigest, type WholeRecord } from '../../run-record/record-pages.ts';
import { Doubts } from './doubts.ts';

/** An exported record as far as it can be read, and what speaks against its form. */
export interface ReadExport {
  readonly record: WholeRecord | null;
  readonly doubts: readonly string[];
}

/** The version of pages that this code reads. */
const PAGE_VERSION = 1;

/**
 * Reads the exported pages of one run: one page, or a JSON array of all. A file holds them byte for
 * byte as they were given out, so that no byte of it is free to change; a last line feed is let pass.
 */
export function readExport(bytes: Uint8Array): ReadExport {
  const json = parsedExactly(bytes);
  if (json.kind === 'unreadable') return { record: null, doubts: [json.doubt] };
  const candidates = Array.isArray(json.value) ? json.value : [json.value];
  const pages: RecordPage[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const parsed = RecordPageSchema.safeParse(candidate);
    if (!parsed.success) {
      return {
        record: null,
        doubts: [faultOf(candidate, index + 1, parsed.error.issues[0]?.path)],
      };
    }
    pages.push(candidate as RecordPage); // valid, and in the order of its own keys
  }
  const [first] = pages;
  if (first === undefined || first.head === null) {
    return { record: null, doubts: ['the first page of the record is missing'] };
  }
  const doubts = new Doubts();
  doubts.unless(json.isExact, 'it is not byte for byte what was exported');
  checkChain(pages, candidates, doubts);
  return { record: joined(first.head, pages), doubts: doubts.all };
}

type Json =
  | { readonly kind: 'unreadable'; readonly doubt: string }
  | { readonly kind: 'json'; readonly value: unknown; readonly isExact: boolean };

function parsedExactly(bytes: Uint8Array): Json {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    const exported = JSON.stringify(value);
    return { kind: 'json', value, isExact: text === exported || text === `${exported}\n` };
  } catch {
    return { kind: 'unreadable', doubt: 'it cannot be read as JSON in UTF-8' };
  }
}

function faultOf(candidate: unknown, page: number, path: readonly PropertyKey[] = []): string {
  const { schema_version: version } = Object(candidate) as { schema_version?: unknown }; // anything has or lacks it
  if (typeof version === 'number' && version > PAGE_VERSION) {
    return `page ${page} is of schema version ${version}; this program reads up to ${PAGE_VERSION}`;
  }
  return `page ${page} breaks its contract at ${path.join('.') || 'its root'}`;
}

function checkChain(
  pages: readonly RecordPage[],
  candidates: readonly Readonly<Record<string, unknown>>[],
  doubts: Doubts,
): void {
  let steps = 0;
  let invocations = 0;
  let previous: string | null = null;
  for (const [index, page] of pages.entries()) {
    const name = `page ${index + 1}`;
    steps += page.steps.length;
    invocations += page.invocations.length;
    const isLast = index === pages.length - 1;
    const position = { page: index + 2, steps, invocations, previousSha256: page.sha256 };
    const next = isLast ? null : toPageCursor(page.run_id, position);
    doubts.unless(
      pageDigest(candidates[index] ?? {}) === page.sha256,
      `${name} does not match its digest`,
    );
    doubts.unless(page.page === index + 1, `${name} is numbered ${page.page}`);
    doubts.unless(page.previous_sha256 === previous, `${name} does not follow the page before it`);
    doubts.unless(
      page.next === next,
      isLast ? 'its last page is missing' : `${name} leads elsewhere`,
    );
    doubts.unless(page.head === null || index === 0, `${name} has a head of its own`);
    doubts.unless(page.run_id === pages[0]?.head?.run.run_id, `${name} is of another run`);
    previous = page.sha256;
  }
}

function joined(head: NonNullable<RecordPage['head']>, pages: readonly RecordPage[]): WholeRecord {
  return {
    ...head,
    steps: pages.flatMap(({ steps }) => steps),
    invocations: pages.flatMap(({ invocations }) => invocations),
  };
}
