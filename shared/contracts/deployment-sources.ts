import { z } from 'zod';
import { nonBlankText } from './bounded-text.ts';
import { LogTopicSchema } from './configuration.ts';
import { ConfiguredNameSchema, InstantSchema } from './identifiers.ts';

/** A folder that goes into the asset; relative to the file that names it. */
const FolderSchema = nonBlankText(1_024);

function namedOnce<Named extends { readonly name: string }>(items: readonly Named[]): boolean {
  return new Set(items.map(({ name }) => name)).size === items.length;
}

const TopicOfGroupsSchema = LogTopicSchema.extend({
  // 50 log groups are the most that one CloudWatch Logs Insights query takes.
  log_groups: z
    .array(
      z.string().regex(/^[\w./#-]{1,512}$/, 'must be the name of a log group, without wildcards'),
    )
    .min(1, 'must name at least one log group')
    .max(50),
});

/** Where the log topics lie: log groups of this account and region, or files in the asset. */
export const LogSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('CLOUDWATCH_LOGS'),
    topics: z
      .array(TopicOfGroupsSchema)
      .min(1)
      .max(32)
      .refine(namedOnce, { error: 'must not name a topic twice' }),
  }),
  z.strictObject({
    kind: z.literal('FILES'),
    folder: FolderSchema,
    topics: z
      .array(LogTopicSchema)
      .min(1)
      .max(32)
      .refine(namedOnce, { error: 'must not name a topic twice' }),
  }),
]);

export const KnowledgeSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('BEDROCK_KNOWLEDGE_BASE'),
    knowledge_base_id: z.string().regex(/^[0-9A-Z]{10}$/, 'must be ten of A-Z 0-9'),
  }),
  z.strictObject({ kind: z.literal('MARKDOWN'), folder: FolderSchema }),
]);

/** A MySQL instance or cluster that takes IAM tokens of one user. */
const MysqlTargetSchema = z.strictObject({
  name: ConfiguredNameSchema,
  role: z.enum(['WRITER', 'READER']),
  host: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,252}$/, 'must be a host name'),
  port: z.int().min(1).max(65_535).default(3_306),
  database: z.string().regex(/^[A-Za-z0-9_]{1,64}$/, 'must be a database name'),
  user: z.string().regex(/^[A-Za-z0-9_]{1,32}$/, 'must be a database user'),
  // The resource id stands in the ARN that rds-db:connect is granted on, not the instance's name.
  resource_id: z
    .string()
    .regex(/^(?:db|cluster|prx)-[A-Za-z0-9]{1,64}$/, 'must be db-…, cluster-… or prx-…'),
});

export const MysqlSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('MYSQL'),
    targets: z
      .array(MysqlTargetSchema)
      .min(1)
      .max(8)
      .refine(namedOnce, { error: 'must not name a target twice' }),
  }),
  z.strictObject({
    kind: z.literal('SNAPSHOT'),
    folder: FolderSchema,
    taken_at: InstantSchema,
  }),
]);
