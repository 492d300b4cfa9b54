import { z } from 'zod';
import { RunIdSchema } from './identifiers.ts';

/** Asks one run to stop. */
export const CancellationRequestSchema = z.strictObject({ run_id: RunIdSchema });

/**
 * What became of the wish. REQUESTED: the run is alive and will see it before its next round, or within
 * seconds in the round at hand. FINISHED: nobody works on it any more, it is settled or its lease is
 * over. UNKNOWN: there is no such run, or it has expired.
 */
export const CancellationAnswerSchema = z.strictObject({
  schema_version: z.literal(1),
  run_id: RunIdSchema,
  answer: z.enum(['REQUESTED', 'FINISHED', 'UNKNOWN']),
});
export type CancellationAnswer = z.infer<typeof CancellationAnswerSchema>;
