import { z } from 'zod';
import { boundedText } from './bounded-text.ts';
import { RunStatusSchema } from './diagnosis-outcome.ts';
import { InstantSchema, RunIdSchema, SessionIdSchema } from './identifiers.ts';

/** Lower-case hexadecimal digits. */
export const Sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** What a run ran with; enough to say later which prompt, playbooks and queries were in force. */
export const RunIdentitySchema = z.strictObject({
  model_id: boundedText(256),
  prompt_sha256: Sha256Schema,
  playbooks_sha256: Sha256Schema,
  catalog_sha256: Sha256Schema,
  code_version: boundedText(64),
});
export type RunIdentity = z.infer<typeof RunIdentitySchema>;

/** The run item: small, written at every round; request and outcome lie in items of their own. */
export const RunRecordSchema = z.strictObject({
  schema_version: z.literal(1),
  run_id: RunIdSchema,
  session_id: SessionIdSchema,
  request_sha256: Sha256Schema,
  status: RunStatusSchema,
  fence: boundedText(64),
  rounds: z.int().nonnegative(),
  created_at: InstantSchema,
  lease_expires_at: InstantSchema,
  finished_at: InstantSchema.nullable(),
  cancel_requested_at: InstantSchema.nullable(),
  expires_at: InstantSchema,
  seal_sha256: Sha256Schema.nullable().describe('over the whole record as it was settled'),
  identity: RunIdentitySchema,
});
export type RunRecord = z.infer<typeof RunRecordSchema>;
