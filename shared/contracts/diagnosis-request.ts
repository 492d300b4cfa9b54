import { z } from 'zod';
import { boundedText, nonBlankText } from './bounded-text.ts';
import { BudgetRequestSchema } from './budget.ts';
import { InstantSchema, RunIdSchema, SessionIdSchema } from './identifiers.ts';
import { PreviousTurnSchema } from './previous-turn.ts';

/** UTF-8 bytes of the question. */
export const MAX_QUERY_BYTES = 16_384;

/** Values the caller fixes for SQL parameters that the model may not set, such as a tenant. */
export const BindingsSchema = z
  .record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a parameter name'), boundedText(256))
  .refine((bindings) => Object.keys(bindings).length <= 8, {
    error: 'must have at most 8 entries',
  });
export type Bindings = z.infer<typeof BindingsSchema>;

/** What a caller hands over. Nothing in it is rewritten, cut or clamped. */
export const DiagnosisRequestSchema = z.strictObject({
  query: nonBlankText(MAX_QUERY_BYTES),
  previous_turn: PreviousTurnSchema.nullish(),
  run_id: RunIdSchema.optional(),
  session_id: SessionIdSchema.optional(),
  as_of: InstantSchema.optional(),
  bindings: BindingsSchema.optional(),
  budget: BudgetRequestSchema.optional(),
});
export type DiagnosisRequest = z.infer<typeof DiagnosisRequestSchema>;

/** UTF-8 bytes of the one user message: the query and the previous turn, escaped. */
export const MAX_USER_MESSAGE_BYTES = 45_056;
