import { HarnessError } from '../kernel/errors.ts';

/** The store could not answer: whether the write happened is not known. The cause is for our logs only. */
export function storeFailed(doing: string, cause: unknown): HarnessError<'STORE_FAILED'> {
  return new HarnessError('STORE_FAILED', `The record could not be kept or read: ${doing}.`, {
    cause,
  });
}

/** What is stored can't be read by this code: damaged, foreign, or of a newer version. */
export function recordUnavailable(
  reason: string,
  cause?: unknown,
): HarnessError<'RECORD_UNAVAILABLE'> {
  return new HarnessError('RECORD_UNAVAILABLE', `The record is unavailable: ${reason}.`, { cause });
}

/** @throws HarnessError `STORE_FAILED` when the time for this access is over. */
export function refuseAborted(doing: string, signal: AbortSignal): void {
  if (signal.aborted) throw storeFailed(`${doing} was given up`, signal.reason);
}
