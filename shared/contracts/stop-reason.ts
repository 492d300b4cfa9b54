import { z } from 'zod';

/** Why a run stopped collecting evidence. */
export const StopReasonSchema = z.enum([
  'INFORMATION_SATURATED',
  'EVIDENCE_UNAVAILABLE',
  'MODEL_CALLS_EXHAUSTED',
  'TOOL_CALLS_EXHAUSTED',
  'TOKENS_EXHAUSTED',
  'BYTES_EXHAUSTED',
  'DEADLINE',
  'CANCELLED',
]);
export type StopReason = z.infer<typeof StopReasonSchema>;
