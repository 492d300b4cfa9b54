import { z } from 'zod';
import { utf8Length } from '../kernel/utf8.ts';
import { nonBlankText } from './bounded-text.ts';
import { InstantSchema, RunIdSchema } from './identifiers.ts';

/** Bytes of a previous turn as the JSON that is sent: its query, its conclusion and 12 gaps fit once escaped. */
export const MAX_PREVIOUS_TURN_BYTES = 26_624;

/** The frozen summary of the turn before; all that a follow-up knows of it. */
export const PreviousTurnSchema = z
  .strictObject({
    run_id: RunIdSchema,
    as_of: InstantSchema,
    query: nonBlankText(16_384),
    conclusion: nonBlankText(2_000).nullable(),
    missing_info: z.array(nonBlankText(512)).max(12),
  })
  .refine((turn) => utf8Length(JSON.stringify(turn)) <= MAX_PREVIOUS_TURN_BYTES, {
    error: `must have at most ${MAX_PREVIOUS_TURN_BYTES} UTF-8 bytes as JSON`,
  });
export type PreviousTurn = z.infer<typeof PreviousTurnSchema>;
