import { z } from 'zod';
import { boundedText } from './bounded-text.ts';
import { InstantSchema, RunIdSchema, ToolCallIdSchema } from './identifiers.ts';
import { ErrorCodeSchema, MAX_OBSERVATION_BYTES } from './observation.ts';
import { ExecutedSchema } from './step.ts';
import { EVIDENCE_TOOL_NAMES } from './tool-inputs.ts';

/** Error codes of the record that no model ever sees: the run ended first, or its process died. */
export const RecordErrorCodeSchema = z.union([ErrorCodeSchema, z.enum(['ABORTED', 'ABANDONED'])]);
export type RecordErrorCode = z.infer<typeof RecordErrorCodeSchema>;

/** Where the raw result of an invocation lies, and how to know it again. */
export const RawReferenceSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().nonnegative(),
  compressed_bytes: z.int().nonnegative(),
  chunks: z.int().nonnegative(),
});
export type RawReference = z.infer<typeof RawReferenceSchema>;

const opened = {
  schema_version: z.literal(1),
  run_id: RunIdSchema,
  tool_call_id: ToolCallIdSchema,
  tool_name: z.enum(EVIDENCE_TOOL_NAMES),
  fence: boundedText(64),
  input: boundedText(MAX_OBSERVATION_BYTES).describe('the business input as JSON, as asked'),
  opened_at: InstantSchema,
};

/** The canonical record of one tool call: OPEN, PROJECTING, then READY or ERROR. */
export const InvocationSchema = z.discriminatedUnion('status', [
  z.strictObject({ ...opened, status: z.literal('OPEN') }),
  z.strictObject({ ...opened, status: z.literal('PROJECTING'), raw: RawReferenceSchema }),
  z.strictObject({
    ...opened,
    status: z.literal('READY'),
    raw: RawReferenceSchema,
    evidence_status: z.enum(['EVIDENCE_FOUND', 'NO_EVIDENCE']),
    observation: boundedText(MAX_OBSERVATION_BYTES).describe('the exact text the model was shown'),
    observation_sha256: z.string().regex(/^[0-9a-f]{64}$/),
    truncated: z.boolean(),
    executed: ExecutedSchema,
    settled_at: InstantSchema,
  }),
  z.strictObject({
    ...opened,
    status: z.literal('ERROR'),
    raw: RawReferenceSchema.nullable(),
    error_code: RecordErrorCodeSchema,
    settled_at: InstantSchema,
  }),
]);
export type Invocation = z.infer<typeof InvocationSchema>;
