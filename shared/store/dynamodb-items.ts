import type { Invocation } from '../contracts/invocation.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import type { Step } from '../contracts/step.ts';
import { callKey, partitionOf, RECORD_ITEM, runIdOf, stepKey } from '../contracts/table-layout.ts';
import { toInstant } from '../kernel/clock.ts';
import {
  type Candidate,
  inStoredForm,
  readInvocation,
  readJson,
  readRunRecord,
  readStep,
  refuseNewer,
  SCHEMA_VERSION,
} from './stored-form.ts';
import { fromStoredText, toStoredText } from './stored-text.ts';

/** Until when an item of a run is kept (epoch seconds), and which write made it. */
export interface Stamp {
  readonly expiresAt: number;
  readonly writeId: string;
}

/**
 * The run item: under 1 KB, since every round writes it; hashes take half as bytes. Its expiry is
 * the run's own.
 */
export function toRunItem(record: RunRecord, writeId: string): Candidate {
  const {
    run_id,
    finished_at,
    cancel_requested_at,
    expires_at,
    identity,
    seal_sha256,
    ...members
  } = inStoredForm(record);
  return {
    pk: partitionOf(run_id),
    sk: RECORD_ITEM.run,
    ...hashesAsBytes(members),
    identity: hashesAsBytes(identity),
    ...(finished_at !== null && { finished_at }),
    ...(cancel_requested_at !== null && { cancel_requested_at }),
    ...(seal_sha256 !== null && sealAsBytes(seal_sha256)),
    expires_at: Date.parse(expires_at) / 1000,
    write_id: writeId,
  };
}

export function fromRunItem(item: Candidate): RunRecord {
  const { pk, sk: _sk, write_id: _id, identity, ...members } = item;
  return readRunRecord({
    finished_at: null,
    cancel_requested_at: null,
    seal_sha256: null,
    ...hashesAsText(members),
    identity: hashesAsText({ ...Object(identity) }),
    run_id: runIdOf(String(pk)),
    expires_at: instantOf(members['expires_at']),
  });
}

/** The seal as it is stored on the run item. */
export function sealAsBytes(seal: string): Candidate {
  return hashesAsBytes({ seal_sha256: seal });
}

/** A request or an outcome, byte for byte. */
export function toTextItem(
  key: { readonly pk: string; readonly sk: string },
  text: string,
  { expiresAt, writeId }: Stamp,
): Candidate {
  return {
    ...key,
    schema_version: SCHEMA_VERSION,
    text: toStoredText(text),
    expires_at: expiresAt,
    write_id: writeId,
  };
}

export function fromTextItem({ schema_version, text }: Candidate): string {
  refuseNewer('text', schema_version);
  return fromStoredText(text);
}

export function toStepItem(step: Step, fence: string, { expiresAt, writeId }: Stamp): Candidate {
  const { run_id, detail, ...members } = step;
  return {
    pk: partitionOf(run_id),
    sk: stepKey(step.sequence),
    ...members,
    detail: toStoredText(JSON.stringify(detail)),
    fence,
    expires_at: expiresAt,
    write_id: writeId,
  };
}

export function fromStepItem({ pk, detail, ...members }: Candidate): Step {
  const { schema_version, session_id, sequence, at } = members;
  refuseNewer('step', schema_version);
  return readStep({
    schema_version,
    run_id: runIdOf(String(pk)),
    session_id,
    sequence,
    at,
    detail: readJson(fromStoredText(detail)),
  });
}

export function toInvocationItem(
  invocation: Extract<Invocation, { status: 'OPEN' }>,
  { expiresAt, writeId }: Stamp,
): Candidate {
  const { run_id, tool_call_id, input, ...members } = invocation;
  return {
    pk: partitionOf(run_id),
    sk: callKey(tool_call_id),
    ...members,
    input: toStoredText(input),
    expires_at: expiresAt,
    write_id: writeId,
  };
}

export function fromInvocationItem({ pk, sk, ...members }: Candidate): Invocation {
  const { schema_version, input, observation, executed } = members;
  refuseNewer('invocation', schema_version);
  return readInvocation({
    ...members,
    run_id: runIdOf(String(pk)),
    tool_call_id: String(sk).slice(RECORD_ITEM.callPrefix.length),
    input: fromStoredText(input),
    ...(observation !== undefined && { observation: fromStoredText(observation) }),
    ...(executed !== undefined && { executed: readJson(fromStoredText(executed)) }),
  });
}

const IS_HASH = /_sha256$/;

function hashesAsBytes(members: Candidate): Candidate {
  return mapHashes(members, (hash) => Buffer.from(String(hash), 'hex'));
}

function hashesAsText(members: Candidate): Candidate {
  return mapHashes(members, (hash) =>
    hash instanceof Uint8Array ? Buffer.from(hash).toString('hex') : hash,
  );
}

function mapHashes(members: Candidate, change: (hash: unknown) => unknown): Candidate {
  const entries = Object.entries(members).map(([name, value]) => [
    name,
    IS_HASH.test(name) ? change(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function instantOf(epochSeconds: unknown): string | null {
  return typeof epochSeconds === 'number' ? toInstant(epochSeconds * 1000) : null;
}
