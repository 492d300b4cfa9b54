import { InstantSchema, RunIdSchema } from '../contracts/identifiers.ts';
import { HarnessError } from '../kernel/errors.ts';
import type { Page, RunStore } from './run-store.ts';
import { inOneForm } from './stored-form.ts';

/** What is asked of a list of runs. */
export type RunQuery = Parameters<RunStore['listRuns']>[0];

/** One line of a list of runs. */
export type RunSummary = Awaited<ReturnType<RunStore['listRuns']>>['items'][number];

/** The last run of a page: the list goes on behind it. */
export type ListPosition = Pick<RunSummary, 'createdAt' | 'runId'>;

/** A page out of up to `limit + 1` runs found: the one too many says that there is a next page. */
export function toPage(found: readonly RunSummary[], limit: number): Page<RunSummary> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? toCursor(last) : null };
}

/**
 * Where a page begins, null for the first.
 *
 * @throws HarnessError `INVALID_REQUEST` when the cursor is none of ours.
 */
export function fromCursor(cursor: string | null): ListPosition | null {
  if (cursor === null) return null;
  const [createdAt = '', runId = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const id = RunIdSchema.safeParse(runId);
  if (id.success && InstantSchema.safeParse(createdAt).success) {
    const position = { createdAt: inOneForm(createdAt), runId: id.data };
    if (toCursor(position) === cursor) return position;
  }
  throw new HarnessError('INVALID_REQUEST', 'The position to list from is not one we gave out.');
}

function toCursor({ createdAt, runId }: ListPosition): string {
  return Buffer.from(`${createdAt} ${runId}`, 'utf8').toString('base64url');
}
