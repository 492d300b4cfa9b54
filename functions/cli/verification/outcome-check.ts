import type { DiagnosisOutcome } from '../../../shared/contracts/diagnosis-outcome.ts';
import { GUARD_CODES, PARSE_CODES } from '../../../shared/contracts/failure.ts';
import { toFailure } from '../../diagnosis/run-ending.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';
import { Doubts } from './doubts.ts';
import { doubtsOfProgress } from './progress-check.ts';
import { inOrder, sameJson, stepsOf } from './record-views.ts';

/** The outcome says of the run what its record says: how and when it ended, why, how far it had come. */
export function doubtsOfOutcome(record: WholeRecord): readonly string[] {
  const { run, outcome } = record;
  if (outcome === null) return ['there is none: the run is not settled'];
  const doubts = new Doubts();
  doubts.unless(outcome.status === run.status, 'it has another status than the run');
  const isStart = Date.parse(outcome.started_at) === Date.parse(run.created_at);
  doubts.unless(isStart, 'it began at another instant than the run');
  const isEnd = inOrder(outcome.started_at, outcome.finished_at, run.finished_at);
  doubts.unless(isEnd && run.finished_at !== null, 'it ended at another instant than the run');
  doubts.unless(
    inOrder(run.created_at, run.lease_expires_at, run.expires_at),
    'the run expires out of order',
  );
  doubts.unless(
    inOrder(run.created_at, run.cancel_requested_at, run.finished_at),
    'the run was cancelled out of its time',
  );
  checkFailure(run.lease_expires_at, outcome, doubts);
  checkStop(record, outcome, doubts);
  return [...doubts.all, ...doubtsOfProgress(record, outcome)];
}

function checkFailure(leaseExpiresAt: string, outcome: DiagnosisOutcome, doubts: Doubts): void {
  const { failure } = outcome;
  const isAbandoned = failure?.code === 'RUN_ABANDONED';
  const leaseIsOver = Date.parse(outcome.finished_at) > Date.parse(leaseExpiresAt);
  doubts.unless(leaseIsOver || !isAbandoned, 'it was given up before its lease was over');
  if (failure === null) return;
  const { code, detail_code: detail } = failure;
  doubts.unless(sameJson(failure, toFailure(code, detail)), 'its failure misjudges a new run');
  const codes = DETAILS_OF.get(code);
  doubts.unless(
    codes === undefined || codes.includes(detail),
    `${code} does not go with ${detail}`,
  );
}

/** Failures whose details come from one list. */
const DETAILS_OF = new Map<string, readonly string[]>([
  ['OUTPUT_REFUSED', PARSE_CODES],
  ['EVIDENCE_REJECTED', GUARD_CODES],
  ['RUN_ABANDONED', ['LEASE_EXPIRED']],
  ['STORE_FAILED', ['RECORD_WRITE_FAILED', 'RECORD_WRITE_LOST']],
]);

/**
 * A run that stopped says so in a step, unless its draft was over the bytes; any other outcome keeps the
 * reason for which collection stopped first.
 */
function checkStop(record: WholeRecord, outcome: DiagnosisOutcome, doubts: Doubts): void {
  const stops = stepsOf(record, 'STOP').map(({ detail }) => detail);
  const ending = stops.find(({ ends_run }) => ends_run);
  const first = stops.find(({ ends_run }) => !ends_run);
  if (outcome.status === 'STOPPED') {
    const reason = ending?.stop_reason ?? 'BYTES_EXHAUSTED';
    const isTold = outcome.stop_reason === reason;
    doubts.unless(isTold, 'it stopped for another reason than its steps say');
    return;
  }
  const isComplete = outcome.status === 'COMPLETED';
  doubts.unless(ending === undefined || !isComplete, 'a step says that the run was stopped');
  const reason = (first ?? ending)?.stop_reason ?? null;
  // A failed run may have failed before the step of its stop was kept.
  const isTold = outcome.stop_reason === reason || (!isComplete && reason === null);
  doubts.unless(isTold, 'it gives another stop reason than its steps');
}
