import { z } from 'zod';
import { DiagnosisOutcomeSchema, RunStatusSchema } from './diagnosis-outcome.ts';
import { DiagnosisRequestSchema } from './diagnosis-request.ts';
import { InstantSchema, RunIdSchema, SessionIdSchema } from './identifiers.ts';
import { InvocationSchema } from './invocation.ts';
import { RunRecordSchema, Sha256Schema } from './run-record.ts';
import { StepSchema } from './step.ts';

const CursorSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,1024}$/, 'must be a cursor that we gave out');

/** Runs that a list shows at once. */
const MOST_LISTED_RUNS = 100;

/** One run, page by page, or the runs of a session, newest first. */
export const RecordRequestSchema = z.union([
  z.strictObject({ run_id: RunIdSchema, cursor: CursorSchema.optional() }),
  z.strictObject({
    session_id: SessionIdSchema,
    limit: z.int().min(1).max(MOST_LISTED_RUNS).default(20),
    cursor: CursorSchema.optional(),
  }),
]);

/**
 * One page of a run's record: the head on the first, then steps, then invocations, in order. `sha256`
 * is of the page's own JSON without that member, and the next page names it, so that a page that was
 * changed, left out or moved shows. Never raw results, never what marks stand for.
 */
export const RecordPageSchema = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal('RUN_RECORD'),
  run_id: RunIdSchema,
  page: z.int().positive(),
  previous_sha256: Sha256Schema.nullable(),
  head: z
    .strictObject({
      run: RunRecordSchema,
      request: DiagnosisRequestSchema,
      outcome: DiagnosisOutcomeSchema.nullable(),
    })
    .nullable(),
  steps: z.array(StepSchema).max(100_000),
  invocations: z.array(InvocationSchema).max(1_000),
  next: CursorSchema.nullable(),
  sha256: Sha256Schema,
});
export type RecordPage = z.infer<typeof RecordPageSchema>;

/** Runs of a session, newest first; expired ones are left out. */
const RunListSchema = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal('RUN_LIST'),
  session_id: SessionIdSchema,
  runs: z
    .array(
      z.strictObject({ run_id: RunIdSchema, status: RunStatusSchema, created_at: InstantSchema }),
    )
    .max(MOST_LISTED_RUNS),
  next: CursorSchema.nullable(),
});

/** There is no such run, or it has expired: expiry hides a run from readers. */
const UnknownRunSchema = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal('UNKNOWN_RUN'),
  run_id: RunIdSchema,
});

/** What `functions/run-record` answers. */
export const RecordAnswerSchema = z.discriminatedUnion('kind', [
  RecordPageSchema,
  RunListSchema,
  UnknownRunSchema,
]);
export type RecordAnswer = z.infer<typeof RecordAnswerSchema>;
