import { type RunId, RunIdSchema } from '../../shared/contracts/identifiers.ts';
import { Sha256Schema } from '../../shared/contracts/run-record.ts';
import { HarnessError } from '../../shared/kernel/errors.ts';

/** Where a page begins: how many steps and invocations stand on the pages before it. */
export interface PagePosition {
  readonly page: number;
  readonly steps: number;
  readonly invocations: number;
  /** Digest of the page before, null for the first. */
  readonly previousSha256: string | null;
}

/** Where a record begins. */
export const FIRST_PAGE: PagePosition = {
  page: 1,
  steps: 0,
  invocations: 0,
  previousSha256: null,
};

/** A position as callers carry it: opaque, and of use for this run only. */
export function toPageCursor(runId: RunId, position: PagePosition): string {
  const { page, steps, invocations, previousSha256 } = position;
  const words = [runId, page, steps, invocations, previousSha256 ?? ''];
  return Buffer.from(words.join(' '), 'utf8').toString('base64url');
}

/** @throws HarnessError `INVALID_REQUEST` when the cursor is none that we gave out for this run */
export function fromPageCursor(runId: RunId, cursor: string): PagePosition {
  const words = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const [id, page, steps, invocations, digest] = words;
  const previousSha256 = Sha256Schema.safeParse(digest);
  if (RunIdSchema.safeParse(id).success && previousSha256.success) {
    const position = {
      page: Number(page),
      steps: Number(steps),
      invocations: Number(invocations),
      previousSha256: previousSha256.data,
    };
    const counts = [position.page - 1, position.steps, position.invocations];
    const areCounts = counts.every((count) => Number.isSafeInteger(count) && count >= 0);
    if (areCounts && toPageCursor(runId, position) === cursor) return position;
  }
  throw new HarnessError('INVALID_REQUEST', 'invalid request: cursor: is none given out for it');
}
