import { z } from 'zod';
import { boundedText, nonBlankText } from './bounded-text.ts';
import { ConfiguredNameSchema } from './identifiers.ts';

/** The three evidence tools; frozen. */
export const EVIDENCE_TOOL_NAMES = ['lookup_knowledge', 'query_logs', 'query_mysql'] as const;
export type EvidenceToolName = (typeof EVIDENCE_TOOL_NAMES)[number];

/** The guidance tool beside them: it reads a playbook, gives no evidence and takes no envelope. */
export const PLAYBOOK_TOOL_NAME = 'read_skill';

export const LookupKnowledgeInputSchema = z.strictObject({
  query: nonBlankText(1_024),
  max_results: z.int().min(1).max(5).optional().describe('1 to 5, 3 when left out'),
});
export type LookupKnowledgeInput = z.infer<typeof LookupKnowledgeInputSchema>;

export const QueryLogsInputSchema = z.strictObject({
  topic: ConfiguredNameSchema.describe('one of the configured topics'),
  query: boundedText(512),
  lookback_minutes: z
    .int()
    .min(1)
    .max(10_080)
    .describe('minutes before as_of, within the limit of the topic'),
});
export type QueryLogsInput = z.infer<typeof QueryLogsInputSchema>;

export const QueryMysqlInputSchema = z.strictObject({
  query_name: ConfiguredNameSchema.describe('one of the catalogued queries'),
  parameters: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a parameter name'),
      z.union([boundedText(512), z.number(), z.boolean()]),
    )
    .refine((parameters) => Object.keys(parameters).length <= 16, {
      error: 'must have at most 16 entries',
    }),
});
export type QueryMysqlInput = z.infer<typeof QueryMysqlInputSchema>;

export const ReadSkillInputSchema = z.strictObject({ name: nonBlankText(64) });
