import { z } from 'zod';
import { boundedText } from './bounded-text.ts';
import { EvaluationSchema } from './envelope.ts';
import { InstantSchema, RunIdSchema, SessionIdSchema, ToolCallIdSchema } from './identifiers.ts';
import {
  ErrorCodeSchema,
  EvidenceStatusSchema,
  MissingFieldSchema,
  WindowSchema,
} from './observation.ts';
import { StopReasonSchema } from './stop-reason.ts';

/** UTF-8 bytes that a step keeps of what the model asked; longer asks are cut and say so. */
export const MAX_ASKED_BYTES = 4_096;

const Count = z.int().nonnegative();

/** What the model asked, as JSON text, cut to {@link MAX_ASKED_BYTES}. */
export const AskedSchema = z.strictObject({
  json: boundedText(MAX_ASKED_BYTES),
  truncated: z.boolean(),
});
export type Asked = z.infer<typeof AskedSchema>;

/** What really ran: the compiled query and the window, with infrastructure marks left in place. */
export const ExecutedSchema = z.strictObject({
  statement: boundedText(8_192).nullable(),
  window: WindowSchema.nullable(),
  sources: z.array(boundedText(256)).max(64),
});
export type Executed = z.infer<typeof ExecutedSchema>;

/** Tokens of one round as the service reported them. */
export const TokenUsageSchema = z.strictObject({
  input_tokens: Count,
  output_tokens: Count,
  cache_read_tokens: Count,
  cache_write_tokens: Count,
});
export type TokenUsage = z.infer<typeof TokenUsageSchema>;

const RoundSchema = z.strictObject({
  kind: z.literal('ROUND'),
  round: z.int().positive(),
  duration_ms: Count,
  model_stop_reason: boundedText(64).nullable(),
  usage: TokenUsageSchema.nullable(),
  service_request_id: boundedText(128).nullable(),
  tool_calls: z
    .array(
      z.strictObject({
        tool_call_id: ToolCallIdSchema,
        tool_name: boundedText(128),
        provider_id: boundedText(128),
      }),
    )
    .max(512),
  failure: boundedText(64).nullable(),
});

const call = {
  round: z.int().positive(),
  tool_call_id: ToolCallIdSchema,
  tool_name: boundedText(128),
  asked: AskedSchema,
  playbook: boundedText(64).nullable(),
};

const ToolCallSchema = z.strictObject({
  kind: z.literal('TOOL_CALL'),
  ...call,
  evidence_status: EvidenceStatusSchema,
  error_code: z.union([ErrorCodeSchema, z.enum(['ABORTED'])]).nullable(),
  executed: ExecutedSchema.nullable(),
  observation_bytes: Count,
  truncated: z.boolean(),
  duration_ms: Count,
  stop_notice: z.boolean(),
});

const ControlSchema = z.strictObject({
  kind: z.literal('CONTROL'),
  ...call,
  decision: z.enum([
    'REFUSED',
    'REPAIR_REQUIRED',
    'DUPLICATE_CALL',
    'ALREADY_READ',
    'UNKNOWN_SKILL',
    'STOP_REQUIRED',
    'COLLECTION_STOPPED',
  ]),
  error_code: ErrorCodeSchema.nullable(),
  missing_field: MissingFieldSchema.nullable(),
  related_tool_call_id: ToolCallIdSchema.nullable(),
  stop_reason: StopReasonSchema.nullable(),
});

const EvaluationStepSchema = z.strictObject({
  kind: z.literal('EVALUATION'),
  round: z.int().positive(),
  tool_call_id: ToolCallIdSchema.describe('the evidence that was evaluated'),
  evaluation: EvaluationSchema,
  given_by: ToolCallIdSchema,
});

const StopStepSchema = z.strictObject({
  kind: z.literal('STOP'),
  round: z.int().nonnegative(),
  stop_reason: StopReasonSchema,
  ends_run: z.boolean().describe('true when the run ended with it, without a draft'),
});

const PlaybookReadSchema = z.strictObject({
  kind: z.literal('PLAYBOOK_READ'),
  round: z.int().positive(),
  tool_call_id: ToolCallIdSchema,
  skill: boundedText(64),
  before_evidence: z.boolean(),
});

/** What one step says, before it is numbered. */
export const StepDetailSchema = z.discriminatedUnion('kind', [
  RoundSchema,
  ToolCallSchema,
  ControlSchema,
  EvaluationStepSchema,
  StopStepSchema,
  PlaybookReadSchema,
]);
export type StepDetail = z.infer<typeof StepDetailSchema>;

/** One line of a run's audit: numbered from 1, stamped, under the run's own ids. */
export const StepSchema = z.strictObject({
  schema_version: z.literal(1),
  run_id: RunIdSchema,
  session_id: SessionIdSchema,
  sequence: z.int().positive().max(999_999),
  at: InstantSchema,
  detail: StepDetailSchema,
});
export type Step = z.infer<typeof StepSchema>;
