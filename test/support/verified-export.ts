import { readExport } from '../../functions/cli/verification/export-file.ts';
import { type AtHand, verifyRecord } from '../../functions/cli/verification/verify-record.ts';
import { recordPages, type WholeRecord } from '../../functions/run-record/record-pages.ts';
import { utf8Bytes } from '../../shared/kernel/utf8.ts';
import { sealOf } from '../../shared/store/record-seal.ts';

/** The names of the checks that an export does not pass. */
export function doubtedIn(bytes: Uint8Array, things: AtHand): readonly string[] {
  const { record, doubts } = readExport(bytes);
  const form = doubts.length > 0 ? ['form'] : [];
  if (record === null) return form;
  const findings = verifyRecord(record, things).filter(({ kind }) => kind === 'doubtful');
  return [...form, ...findings.map(({ name }) => name)];
}

/** An export with seal and digests in order, as one who changes a record would make them again. */
export function forged(record: WholeRecord): Uint8Array {
  return utf8Bytes(JSON.stringify(recordPages({ ...record, run: resealed(record) })));
}

function resealed({ run, outcome, steps, invocations }: WholeRecord): WholeRecord['run'] {
  const sealed = { run, outcome: JSON.stringify(outcome), steps, invocations };
  return { ...run, seal_sha256: sealOf(sealed) };
}
