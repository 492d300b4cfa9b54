import { z } from 'zod';
import { nonBlankText } from './bounded-text.ts';
import { LogTopicSchema } from './configuration.ts';
import { BindingsSchema, MAX_QUERY_BYTES } from './diagnosis-request.ts';
import { ConfiguredNameSchema, InstantSchema } from './identifiers.ts';
import { TimeZoneSchema } from './time-zone.ts';

/**
 * `incident.json` of an incident capsule: the question, its instant and the topics of `logs/`. The
 * evidence lies beside it in `logs/`, `mysql/` and `knowledge/`.
 */
export const IncidentSchema = z.strictObject({
  schema_version: z.literal(1),
  name: ConfiguredNameSchema,
  title: nonBlankText(256),
  query: nonBlankText(MAX_QUERY_BYTES),
  as_of: InstantSchema,
  time_zone: TimeZoneSchema,
  shipped_sample: z.boolean().default(false),
  topics: z.array(LogTopicSchema).max(32),
  bindings: BindingsSchema.optional(),
});
export type Incident = z.infer<typeof IncidentSchema>;
