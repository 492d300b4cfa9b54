import { sealOf } from '../../../shared/store/record-seal.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';

/** The record is, byte for byte, the one that was sealed when the run was settled. */
export function doubtsOfSeal({ run, outcome, steps, invocations }: WholeRecord): readonly string[] {
  if (outcome === null) return ['there is none: the run is not settled'];
  if (run.seal_sha256 === null) return ['there is none: part of the record could not be read then'];
  const sealed = { run, outcome: JSON.stringify(outcome), steps, invocations };
  return sealOf(sealed) === run.seal_sha256 ? [] : ['it was changed after the run was settled'];
}
