import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import type { DiagnosisRequest } from '../../shared/contracts/diagnosis-request.ts';
import type { Invocation } from '../../shared/contracts/invocation.ts';
import type { RecordPage } from '../../shared/contracts/record-page.ts';
import type { RunRecord } from '../../shared/contracts/run-record.ts';
import type { Step } from '../../shared/contracts/step.ts';
import { sha256Hex } from '../../shared/kernel/canonical-json.ts';
import { utf8Length } from '../../shared/kernel/utf8.ts';
import { FIRST_PAGE, type PagePosition, toPageCursor } from './page-cursor.ts';

/** All that a reader is told of one run. */
export interface WholeRecord {
  readonly run: RunRecord;
  readonly request: DiagnosisRequest;
  readonly outcome: DiagnosisOutcome | null;
  readonly steps: readonly Step[];
  readonly invocations: readonly Invocation[];
}

/**
 * UTF-8 bytes that the steps and invocations of one page take as JSON. A Lambda answers with 6 MB at
 * most (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html); a head stays below 2.
 */
const MAX_PAGE_BYTES = 3 * 1024 * 1024;

/** All pages of a record in order. */
export function recordPages(record: WholeRecord, maxBytes?: number): readonly RecordPage[] {
  const pages: RecordPage[] = [];
  let from: PagePosition | null = FIRST_PAGE;
  while (from !== null) {
    const page = recordPage(record, from, maxBytes);
    pages.push(page);
    from = positionAfter(record, page, from);
  }
  return pages;
}

/** The page that begins at a position. However large, one step or one invocation fits a page. */
export function recordPage(
  record: WholeRecord,
  from: PagePosition,
  maxBytes: number = MAX_PAGE_BYTES,
): RecordPage {
  const { run, request, outcome } = record;
  const room = new PageRoom(maxBytes);
  const steps = room.take(record.steps.slice(from.steps));
  const invocations = room.take(record.invocations.slice(from.invocations));
  const page = {
    schema_version: 1,
    kind: 'RUN_RECORD',
    run_id: run.run_id,
    page: from.page,
    previous_sha256: from.previousSha256,
    head: from.page === FIRST_PAGE.page ? { run, request, outcome } : null,
    steps,
    invocations,
  } as const;
  const unlinked = { ...page, next: null, sha256: pageDigest(page) };
  const after = positionAfter(record, unlinked, from);
  const next = after === null ? null : toPageCursor(run.run_id, after);
  return { ...page, next, sha256: unlinked.sha256 };
}

/** The digest of a page: of its JSON without `next`, which names the digest, and without the digest. */
export function pageDigest(page: Readonly<Record<string, unknown>>): string {
  const { next: _next, sha256: _sha256, ...content } = page;
  return sha256Hex(JSON.stringify(content));
}

/** Where the page after this one begins, or null when it is the last. */
export function positionAfter(
  { steps, invocations }: Pick<WholeRecord, 'steps' | 'invocations'>,
  page: Pick<RecordPage, 'steps' | 'invocations' | 'sha256'>,
  from: PagePosition,
): PagePosition | null {
  const after = {
    page: from.page + 1,
    steps: from.steps + page.steps.length,
    invocations: from.invocations + page.invocations.length,
    previousSha256: page.sha256,
  };
  const isLast = after.steps >= steps.length && after.invocations >= invocations.length;
  return isLast ? null : after;
}

/** Bytes left on one page; what comes after something that did not fit, does not fit either. */
class PageRoom {
  #bytesLeft: number;
  #isEmpty = true;
  #isFull = false;

  constructor(maxBytes: number) {
    this.#bytesLeft = maxBytes;
  }

  take<Item>(items: readonly Item[]): Item[] {
    const taken: Item[] = [];
    for (const item of items) {
      const bytes = utf8Length(JSON.stringify(item)) + 1; // and a comma
      this.#isFull ||= bytes > this.#bytesLeft && !this.#isEmpty;
      if (this.#isFull) break;
      this.#bytesLeft -= bytes;
      this.#isEmpty = false;
      taken.push(item);
    }
    return taken;
  }
}
