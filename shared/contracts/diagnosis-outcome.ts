import { z } from 'zod';
import { boundedText } from './bounded-text.ts';
import { LIMIT_RANGES } from './budget.ts';
import { DiagnosisDraftSchema } from './diagnosis-draft.ts';
import { MAX_QUERY_BYTES } from './diagnosis-request.ts';
import { FailureSchema } from './failure.ts';
import { InstantSchema, RunIdSchema, SessionIdSchema, ToolCallIdSchema } from './identifiers.ts';
import { ProgressSnapshotSchema } from './progress-snapshot.ts';
import { StopReasonSchema } from './stop-reason.ts';

const Count = z.int().nonnegative();

const GroundedQuoteSchema = z.strictObject({
  tool_call_id: ToolCallIdSchema,
  path: boundedText(128).describe('where the quote stands in the observation, such as events[3]'),
  start: Count.describe('byte offset of the quote in the string at path'),
});
export type GroundedQuote = z.infer<typeof GroundedQuoteSchema>;

const GroundedItemSchema = z.strictObject({
  index: Count,
  tool_call_ids: z.array(ToolCallIdSchema).max(8),
  quotes: z.array(GroundedQuoteSchema).max(4),
  unmatched_terms: z.array(boundedText(256)).max(64),
});
export type GroundedItem = z.infer<typeof GroundedItemSchema>;

/** How a published draft rests on its evidence. */
export const GroundingSchema = z.strictObject({
  conclusion: z.enum(['QUOTED', 'CITED', 'NONE']),
  items: z.array(GroundedItemSchema).max(12),
});
export type Grounding = z.infer<typeof GroundingSchema>;

/** What a run used; bytes count the accepted user message, the observations and the accepted draft. */
export const UsageSchema = z.strictObject({
  model_calls: Count,
  tool_calls: Count,
  bytes: Count,
  time_ms: Count,
  input_tokens: Count,
  output_tokens: Count,
  cache_read_tokens: Count,
  cache_write_tokens: Count,
  rounds_without_usage: Count,
  limits: z.strictObject({
    model_calls: z.int().min(LIMIT_RANGES.model_calls.floor),
    tool_calls: z.int().min(LIMIT_RANGES.tool_calls.floor),
    tokens: z.int().min(LIMIT_RANGES.tokens.floor),
    bytes: z.int().min(LIMIT_RANGES.bytes.floor),
    time_ms: z.int().min(LIMIT_RANGES.time_ms.floor),
  }),
});
export type Usage = z.infer<typeof UsageSchema>;

export const RunStatusSchema = z.enum(['RUNNING', 'COMPLETED', 'STOPPED', 'FAILED']);

const common = {
  schema_version: z.literal(1),
  run_id: RunIdSchema,
  session_id: SessionIdSchema,
  query: boundedText(MAX_QUERY_BYTES),
  as_of: InstantSchema,
};
const account = {
  progress: ProgressSnapshotSchema.nullable(),
  usage: UsageSchema,
  started_at: InstantSchema,
  finished_at: InstantSchema,
};

/** What a caller receives once a run exists, whatever happened in it. */
export const DiagnosisOutcomeSchema = z.discriminatedUnion('status', [
  z.strictObject({
    ...common,
    status: z.literal('COMPLETED'),
    stop_reason: StopReasonSchema.nullable(),
    failure: z.null(),
    draft: DiagnosisDraftSchema,
    grounding: GroundingSchema,
    ...account,
  }),
  z.strictObject({
    ...common,
    status: z.literal('STOPPED'),
    stop_reason: StopReasonSchema,
    failure: z.null(),
    draft: z.null(),
    grounding: z.null(),
    ...account,
  }),
  z.strictObject({
    ...common,
    status: z.literal('FAILED'),
    stop_reason: StopReasonSchema.nullable(),
    failure: FailureSchema,
    draft: z.null(),
    grounding: z.null(),
    ...account,
  }),
]);
export type DiagnosisOutcome = z.infer<typeof DiagnosisOutcomeSchema>;
