import { z } from 'zod';
import { boundedText } from './bounded-text.ts';
import { InstantSchema, ToolCallIdSchema } from './identifiers.ts';
import {
  LookupKnowledgeInputSchema,
  QueryLogsInputSchema,
  QueryMysqlInputSchema,
} from './tool-inputs.ts';

/** UTF-8 bytes of one observation, whatever the source returned. */
export const MAX_OBSERVATION_BYTES = 12_288;

export const OBSERVATION_CAPS = {
  evidence: 5,
  excerptBytes: 1_200,
  patterns: 20,
  events: 30,
  lineBytes: 1_024,
  timeline: 60,
  columns: 20,
  rows: 50,
  cellBytes: 512,
} as const;

/** Where the evidence comes from; MOCK is shipped sample data. */
export const SourceKindSchema = z.enum([
  'MOCK',
  'FILE',
  'CLOUDWATCH_LOGS',
  'BEDROCK_KNOWLEDGE_BASE',
  'MARKDOWN',
  'MYSQL',
  'SQLITE',
]);
export type SourceKind = z.infer<typeof SourceKindSchema>;

export const ScopeNoteSchema = z.enum([
  'TIME_ZONE_ASSUMED',
  'BYTES_REPLACED',
  'NEWEST_MINUTES_MAY_BE_MISSING',
  'ROWS_CUT_BY_SOURCE',
]);
export type ScopeNote = z.infer<typeof ScopeNoteSchema>;

export const ErrorCodeSchema = z.enum([
  'INVALID_INPUT',
  'UNKNOWN_TOOL',
  'TOPIC_UNKNOWN',
  'QUERY_UNKNOWN',
  'BINDING_MISSING',
  'TOOL_TIMEOUT',
  'SOURCE_UNAVAILABLE',
  'SOURCE_THROTTLED',
  'SOURCE_DENIED',
  'SOURCE_FAILED',
  'SCAN_LIMIT',
  'RAW_TOO_LARGE',
  'RAW_MALFORMED',
]);
export type ErrorCode = z.infer<typeof ErrorCodeSchema>;

export const EvidenceStatusSchema = z.enum(['EVIDENCE_FOUND', 'NO_EVIDENCE', 'ERROR']);

/** The span of time that was looked at; both ends inclusive, UTC. */
export const WindowSchema = z.strictObject({ from: InstantSchema, to: InstantSchema });
export type Window = z.infer<typeof WindowSchema>;

const StopNotice = z.literal('STOP_REQUIRED');
const Count = z.int().nonnegative();

function evidence<Input extends z.ZodType, Body extends z.ZodRawShape>(input: Input, body: Body) {
  return z.strictObject({
    tool_call_id: ToolCallIdSchema,
    evidence_status: z.enum(['EVIDENCE_FOUND', 'NO_EVIDENCE']),
    source_kind: SourceKindSchema,
    scope: z.strictObject({
      request: input,
      window: WindowSchema.nullable(),
      notes: z.array(ScopeNoteSchema).max(4),
    }),
    truncated: z.boolean(),
    ...body,
    control: StopNotice.optional(),
  });
}

export const KnowledgeObservationSchema = evidence(LookupKnowledgeInputSchema, {
  evidence: z
    .array(
      z.strictObject({
        document_id: boundedText(256),
        title: boundedText(256),
        excerpt: boundedText(OBSERVATION_CAPS.excerptBytes),
        score: z.number().optional(),
      }),
    )
    .max(OBSERVATION_CAPS.evidence),
  skipped_count: Count,
});
export type KnowledgeObservation = z.infer<typeof KnowledgeObservationSchema>;

export const LogsObservationSchema = evidence(QueryLogsInputSchema, {
  matched_count: Count,
  returned_count: Count,
  patterns: z
    .array(
      z.strictObject({
        line: boundedText(OBSERVATION_CAPS.lineBytes),
        count: z.int().positive(),
        level: boundedText(16),
        first_seen: InstantSchema.nullable(),
        last_seen: InstantSchema.nullable(),
      }),
    )
    .max(OBSERVATION_CAPS.patterns),
  events: z.array(boundedText(OBSERVATION_CAPS.lineBytes)).max(OBSERVATION_CAPS.events),
  timeline: z
    .array(z.strictObject({ start: InstantSchema, count: Count }))
    .max(OBSERVATION_CAPS.timeline),
});
export type LogsObservation = z.infer<typeof LogsObservationSchema>;

export const MysqlObservationSchema = evidence(QueryMysqlInputSchema, {
  columns: z.array(boundedText(64)).max(OBSERVATION_CAPS.columns),
  // A line of 20 cells of 512 bytes with their names still fits one observation.
  rows: z.array(boundedText(MAX_OBSERVATION_BYTES)).max(OBSERVATION_CAPS.rows),
  returned_count: Count,
  live_state: z.boolean(),
});

export const ErrorObservationSchema = z.strictObject({
  tool_call_id: ToolCallIdSchema,
  evidence_status: z.literal('ERROR'),
  error_code: ErrorCodeSchema,
  fields: z.array(boundedText(128)).max(16).optional(),
  control: StopNotice.optional(),
});
export type ErrorObservation = z.infer<typeof ErrorObservationSchema>;

export const MissingFieldSchema = z.enum([
  'previous_observation',
  'previous_observation.tool_call_id',
  'previous_observation.evaluation',
]);
export type MissingField = z.infer<typeof MissingFieldSchema>;

export const ControlObservationSchema = z.discriminatedUnion('control', [
  z.strictObject({
    tool_call_id: ToolCallIdSchema,
    control: z.literal('REPAIR_REQUIRED'),
    missing_field: MissingFieldSchema,
    expected_tool_call_id: ToolCallIdSchema,
  }),
  z.strictObject({
    tool_call_id: ToolCallIdSchema,
    control: z.literal('DUPLICATE_CALL'),
    equivalent_tool_call_id: ToolCallIdSchema,
  }),
  z.strictObject({ tool_call_id: ToolCallIdSchema, control: z.literal('ALREADY_READ') }),
  z.strictObject({ tool_call_id: ToolCallIdSchema, control: StopNotice }),
]);
export type ControlObservation = z.infer<typeof ControlObservationSchema>;

export const PlaybookObservationSchema = z.union([
  z.strictObject({
    tool_call_id: ToolCallIdSchema,
    skill: boundedText(64),
    instructions: boundedText(MAX_OBSERVATION_BYTES),
    control: StopNotice.optional(),
  }),
  z.strictObject({
    tool_call_id: ToolCallIdSchema,
    playbook_error: z.literal('UNKNOWN_SKILL'),
    valid_names: z.array(boundedText(64)).max(64),
    control: StopNotice.optional(),
  }),
]);
export type PlaybookObservation = z.infer<typeof PlaybookObservationSchema>;
