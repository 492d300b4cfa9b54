import type { Invocation } from '../contracts/invocation.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import type { Step } from '../contracts/step.ts';
import { canonicalJson, sha256Hex } from '../kernel/canonical-json.ts';
import { hasCode } from '../kernel/errors.ts';

/** Everything that a record holds once it is settled. */
export interface SealedRecord {
  readonly run: RunRecord;
  /** The stored outcome, byte for byte. */
  readonly outcome: string;
  readonly steps: readonly Step[];
  readonly invocations: readonly Invocation[];
}

/**
 * The digest that a settled run keeps of its whole record: whatever is changed, added or taken out
 * afterwards no longer matches. The request has a hash of its own among the run's members. Left out is
 * the instant of a cancel request, which may come in while the run is being settled.
 */
export function sealOf({ run, outcome, steps, invocations }: SealedRecord): string {
  const { cancel_requested_at: _cancel, seal_sha256: _seal, ...members } = run;
  return sha256Hex(canonicalJson({ run: members, outcome, steps, invocations }));
}

/**
 * The seal of a record, or null where something in it can't be read: such a run is settled all the same,
 * and its missing seal shows.
 */
export function sealOrNull(read: () => SealedRecord): string | null {
  try {
    return sealOf(read());
  } catch (error) {
    if (hasCode(error, 'RECORD_UNAVAILABLE')) return null;
    throw error;
  }
}

/** The run as a settlement leaves it. */
export function asSettled(
  run: RunRecord,
  { status, finishedAt }: { readonly status: RunRecord['status']; readonly finishedAt: string },
): RunRecord {
  return { ...run, status, finished_at: finishedAt };
}
