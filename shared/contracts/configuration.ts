import { z } from 'zod';
import { boundedText, nonBlankText } from './bounded-text.ts';
import { LimitsSchema } from './budget.ts';
import { type CloudWatchLogs, CloudWatchLogsSchema } from './cloudwatch-logs-source.ts';
import { ConfiguredNameSchema } from './identifiers.ts';
import { MysqlServerSchema, MysqlSnapshotSchema } from './mysql-source.ts';
import { TimeZoneSchema } from './time-zone.ts';

/** The variable that names the diagnosis function its configuration file. */
export const CONFIGURATION_VARIABLE = 'DIAGNOSIS_CONFIGURATION';

/** A log topic the model may ask for by name. */
export const LogTopicSchema = z.strictObject({
  name: ConfiguredNameSchema,
  description: nonBlankText(256),
  // 10,080 minutes are the seven days that an input may ask for at most.
  max_lookback_minutes: z.int().min(1).max(10_080),
});
export type LogTopic = z.infer<typeof LogTopicSchema>;

const FolderSchema = nonBlankText(1_024);

/** Logs from files `<topic>.log`, `.log.1`, `.jsonl` in a folder. */
export const LogFilesSchema = z.strictObject({ kind: z.literal('FILES'), folder: FolderSchema });

/** Knowledge from a folder of Markdown documents. */
export const MarkdownFolderSchema = z.strictObject({
  kind: z.literal('MARKDOWN'),
  folder: FolderSchema,
});

/** Knowledge from a Bedrock Knowledge Base, through its `Retrieve`. */
export const BedrockKnowledgeBaseSchema = z.strictObject({
  kind: z.literal('BEDROCK_KNOWLEDGE_BASE'),
  knowledge_base_id: z.string().regex(/^[0-9A-Za-z]{1,10}$/, 'must be the id of a knowledge base'),
  region: nonBlankText(32).optional(),
  endpoint: z.url().max(512).optional(),
  // Unset, the service picks what the vector store supports.
  search_type: z.enum(['HYBRID', 'SEMANTIC']).optional(),
});
export type BedrockKnowledgeBase = z.infer<typeof BedrockKnowledgeBaseSchema>;

/** A deployment without this source: its tool stays, and every call of it is `SOURCE_UNAVAILABLE`. */
export const NoSourceSchema = z.strictObject({ kind: z.literal('NONE') });

export const SqliteStoreSchema = z.strictObject({
  kind: z.literal('SQLITE'),
  file: FolderSchema,
});
export const DynamoDbStoreSchema = z.strictObject({
  kind: z.literal('DYNAMODB'),
  record_table: nonBlankText(255),
  raw_table: nonBlankText(255),
});

/** Everything a deployment decides; read once per cold start. */
export const ConfigurationSchema = z
  .strictObject({
    schema_version: z.literal(1),
    time_zone: TimeZoneSchema.default('UTC'),
    model: z.strictObject({
      model_id: nonBlankText(256),
      region: nonBlankText(32).optional(),
      endpoint: z.url().max(512).optional(),
      // Unset, the service reserves the model's maximum against the quota.
      max_tokens: z.int().min(1_024).max(32_768).default(8_192),
      prompt_cache: z.boolean().default(true),
    }),
    limits: LimitsSchema.prefault({}),
    tool_timeout_ms: z.int().min(1_000).max(300_000).default(60_000),
    require_quotes: z.boolean().default(true),
    playbooks_enabled: z.boolean().default(true),
    playbooks_folder: FolderSchema,
    shipped_sample: z
      .boolean()
      .default(false)
      .describe('evidence of this deployment is sample data'),
    topics: z
      .array(LogTopicSchema)
      .max(32)
      .refine((topics) => new Set(topics.map(({ name }) => name)).size === topics.length, {
        error: 'must not name a topic twice',
      }),
    logs: z.discriminatedUnion('kind', [LogFilesSchema, CloudWatchLogsSchema]),
    knowledge: z.discriminatedUnion('kind', [
      MarkdownFolderSchema,
      BedrockKnowledgeBaseSchema,
      NoSourceSchema,
    ]),
    mysql: z.discriminatedUnion('kind', [MysqlSnapshotSchema, MysqlServerSchema, NoSourceSchema]),
    queries_folder: FolderSchema.optional(),
    store: z.discriminatedUnion('kind', [SqliteStoreSchema, DynamoDbStoreSchema]),
    retention: z
      .strictObject({
        record_days: z.int().min(1).max(3_650).default(100),
        raw_days: z.int().min(1).max(365).default(7),
      })
      .prefault({}),
    code_version: boundedText(64).default('unversioned'),
  })
  .refine(hasLogGroups, { path: ['logs', 'log_groups'], error: 'must name every topic' });
export type Configuration = z.infer<typeof ConfigurationSchema>;

function hasLogGroups({
  topics,
  logs,
}: {
  readonly topics: readonly LogTopic[];
  readonly logs: z.infer<typeof LogFilesSchema> | CloudWatchLogs;
}): boolean {
  return (
    logs.kind !== 'CLOUDWATCH_LOGS' ||
    topics.every(({ name }) => Object.hasOwn(logs.log_groups, name))
  );
}
