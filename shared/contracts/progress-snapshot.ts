import { z } from 'zod';
import { boundedText } from './bounded-text.ts';
import { EvaluationSchema } from './envelope.ts';
import { ToolCallIdSchema } from './identifiers.ts';
import { ScopeNoteSchema, WindowSchema } from './observation.ts';
import { EVIDENCE_TOOL_NAMES } from './tool-inputs.ts';

/** Verbatim facts of one check: at most 3, each at most 300 UTF-8 bytes. */
export const FACT_CAPS = { facts: 3, factBytes: 300 } as const;

const CheckSchema = z.strictObject({
  tool_call_id: ToolCallIdSchema,
  tool_name: z.enum(EVIDENCE_TOOL_NAMES),
  scope: z.strictObject({
    request: z.record(z.string(), z.unknown()),
    window: WindowSchema.nullable(),
    notes: z.array(ScopeNoteSchema).max(4),
  }),
  evidence_status: z.enum(['EVIDENCE_FOUND', 'NO_EVIDENCE']),
  evaluation: EvaluationSchema.nullable(),
  facts: z.array(boundedText(FACT_CAPS.factBytes)).max(FACT_CAPS.facts),
});

/** One settled check of a run, as it may be published. */
export type Check = z.infer<typeof CheckSchema>;

/** What was checked and found, without a conclusion. */
export const ProgressSnapshotSchema = z.strictObject({ checks: z.array(CheckSchema).max(16) });
export type ProgressSnapshot = z.infer<typeof ProgressSnapshotSchema>;
