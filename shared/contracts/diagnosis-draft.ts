import { z } from 'zod';
import { nonBlankText } from './bounded-text.ts';

/** UTF-8 bytes of the model's last words, counted before anything parses them. */
export const MAX_DRAFT_BYTES = 16_384;

/** A passage of an observation, word for word; white space aside. */
export const QuoteSchema = z.strictObject({
  tool_call_id: nonBlankText(64),
  text: nonBlankText(500),
});
export type Quote = z.infer<typeof QuoteSchema>;

export const AnalysisItemSchema = z.strictObject({
  type: z.enum(['OBSERVATION', 'NEGATIVE_OBSERVATION']),
  statement: nonBlankText(2_000),
  tool_call_ids: z.array(nonBlankText(64)).min(1).max(8),
  quotes: z.array(QuoteSchema).max(4).nullish(),
});
export type AnalysisItem = z.infer<typeof AnalysisItemSchema>;

/** The one JSON object an agent may answer with. Parsed strictly, checked by the guard, never edited. */
export const DiagnosisDraftSchema = z.strictObject({
  conclusion: nonBlankText(2_000).nullable(),
  analysis: z.array(AnalysisItemSchema).max(12),
  action_plan: z.array(nonBlankText(1_000)).max(8),
  recommendations: z.array(nonBlankText(1_000)).max(8),
  limitations: z.strictObject({
    checked_scope: z.array(nonBlankText(512)).max(12),
    missing_info: z.array(nonBlankText(512)).max(12),
  }),
});
export type DiagnosisDraft = z.infer<typeof DiagnosisDraftSchema>;
