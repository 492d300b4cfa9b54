import { z } from 'zod';
import { ToolCallIdSchema } from './identifiers.ts';

/** What the model says of the evidence it was shown last. */
export const EvaluationSchema = z.enum(['GAINED', 'NO_GAIN']);
export type Evaluation = z.infer<typeof EvaluationSchema>;

export const PreviousObservationSchema = z.strictObject({
  tool_call_id: ToolCallIdSchema,
  evaluation: EvaluationSchema,
});

/**
 * The outer shape of an evidence tool call. `previous_observation` is read apart from it: a broken
 * one is asked for again, it does not spoil the call.
 */
export const EnvelopeSchema = z.strictObject({
  previous_observation: z.unknown().optional(),
  input: z.unknown(),
});

/** The JSON Schema of an envelope around one tool's input, `previous_observation` first. */
export function envelopeJsonSchema(input: z.ZodType): Record<string, unknown> {
  const envelope = z.strictObject({
    previous_observation: z
      .strictObject({
        tool_call_id: z
          .string()
          .describe('the tool_call_id of the newest evidence, exactly as shown'),
        evaluation: EvaluationSchema,
      })
      .nullish()
      .describe('your evaluation of the newest EVIDENCE_FOUND observation'),
    input,
  });
  return toJsonSchema(envelope);
}

/** JSON Schema of any contract, without the `$schema` line, as plain JSON. */
export function toJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
