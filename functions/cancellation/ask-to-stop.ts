import {
  type CancellationAnswer,
  CancellationRequestSchema,
} from '../../shared/contracts/cancellation.ts';
import { type Clock, toInstant } from '../../shared/kernel/clock.ts';
import { HarnessError, hasCode } from '../../shared/kernel/errors.ts';
import type { RunRecordAccess } from '../../shared/store/dynamodb-run-record.ts';
import type { CancelResult } from '../../shared/store/run-store.ts';

/** What asking a run to stop works with. */
export interface CancellationParts {
  readonly record: Pick<RunRecordAccess, 'requestCancel'>;
  readonly clock: Clock;
}

const ANSWERS = {
  requested: 'REQUESTED',
  finished: 'FINISHED',
  unknown: 'UNKNOWN',
} as const satisfies Record<CancelResult['kind'], CancellationAnswer['answer']>;

/**
 * Asks a run to stop and says whether there was one to stop. Asked again, it changes nothing and
 * answers the same as long as the run lives.
 *
 * @throws HarnessError `INVALID_REQUEST`, or `RECORD_UNAVAILABLE` when the record does not answer
 */
export async function askToStop(
  { record, clock }: CancellationParts,
  event: unknown,
  signal: AbortSignal,
): Promise<CancellationAnswer> {
  const parsed = CancellationRequestSchema.safeParse(event);
  if (!parsed.success) {
    throw new HarnessError('INVALID_REQUEST', 'invalid request: it takes exactly one run_id');
  }
  const { run_id } = parsed.data;
  try {
    const { kind } = await record.requestCancel(run_id, toInstant(clock.now()), signal);
    return { schema_version: 1, run_id, answer: ANSWERS[kind] };
  } catch (error) {
    if (!hasCode(error, 'STORE_FAILED')) throw error;
    throw new HarnessError('RECORD_UNAVAILABLE', 'the record of runs does not answer', {
      cause: error,
    });
  }
}
