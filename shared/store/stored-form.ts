import { type Invocation, InvocationSchema } from '../contracts/invocation.ts';
import { type RunRecord, RunRecordSchema } from '../contracts/run-record.ts';
import { type Step, StepSchema } from '../contracts/step.ts';
import { toInstant } from '../kernel/clock.ts';
import { recordUnavailable } from './store-failure.ts';

/** The newest version of stored things this code writes and reads. */
export const SCHEMA_VERSION = 1;

/** The part of a contract's schema that a reader needs. */
interface StoredSchema<Stored> {
  safeParse(
    candidate: unknown,
  ): { readonly success: true; readonly data: Stored } | { readonly success: false };
}

/** @throws HarnessError `RECORD_UNAVAILABLE` when a newer version wrote it or it breaks its contract. */
export function readRunRecord(candidate: Candidate): RunRecord {
  return readStored(RunRecordSchema, 'run', candidate);
}

/**
 * An invocation from all its stored members, those that its status doesn't know left aside.
 *
 * @throws HarnessError `RECORD_UNAVAILABLE` when a newer version wrote it or it breaks its contract.
 */
export function readInvocation(stored: Candidate): Invocation {
  const names = membersOf(stored['status']);
  const candidate = Object.fromEntries(names.map((name) => [name, stored[name] ?? null]));
  return readStored<Invocation>(InvocationSchema, 'invocation', candidate);
}

/** @throws HarnessError `RECORD_UNAVAILABLE` when a newer version wrote it or it breaks its contract. */
export function readStep(candidate: Candidate): Step {
  return readStored<Step>(StepSchema, 'step', candidate);
}

/** @throws HarnessError `RECORD_UNAVAILABLE` for versions newer than {@link SCHEMA_VERSION}. */
export function refuseNewer(what: string, version: unknown): void {
  if (typeof version === 'number' && version > SCHEMA_VERSION) {
    throw recordUnavailable(
      `the ${what} was written in schema version ${version}, this code reads up to ${SCHEMA_VERSION}`,
    );
  }
}

/** A member that a store keeps as JSON text. @throws HarnessError `RECORD_UNAVAILABLE` if it is none. */
export function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw recordUnavailable('a stored member is not JSON', error);
  }
}

/**
 * The record as it is stored: instants in their one form, so that they can be compared as text, and
 * the expiry at a whole second, since DynamoDB expires items by the second.
 */
export function inStoredForm(record: RunRecord): RunRecord {
  return {
    ...record,
    created_at: inOneForm(record.created_at),
    lease_expires_at: inOneForm(record.lease_expires_at),
    expires_at: toInstant(Math.ceil(Date.parse(record.expires_at) / 1000) * 1000),
  };
}

/** An RFC 3339 instant in UTC with milliseconds: equal length, so text order is time order. */
export function inOneForm(instant: string): string {
  return toInstant(Date.parse(instant));
}

/** Something read from a store, not yet known to keep its contract. */
export type Candidate = Readonly<Record<string, unknown>>;

const OPENED = [
  'schema_version',
  'run_id',
  'tool_call_id',
  'tool_name',
  'fence',
  'input',
  'opened_at',
  'status',
];
const MEMBERS = new Map<unknown, readonly string[]>([
  ['PROJECTING', [...OPENED, 'raw']],
  [
    'READY',
    [
      ...OPENED,
      'raw',
      'evidence_status',
      'observation',
      'observation_sha256',
      'truncated',
      'executed',
      'settled_at',
    ],
  ],
  ['ERROR', [...OPENED, 'raw', 'error_code', 'settled_at']],
]);

function membersOf(status: unknown): readonly string[] {
  return MEMBERS.get(status) ?? OPENED;
}

function readStored<Stored>(
  schema: StoredSchema<Stored>,
  what: string,
  candidate: Candidate,
): Stored {
  refuseNewer(what, candidate['schema_version']);
  const read = schema.safeParse(candidate);
  if (!read.success) throw recordUnavailable(`the stored ${what} does not keep its contract`);
  return read.data;
}
