import { z } from 'zod';
import { nonBlankText } from './bounded-text.ts';
import { CloudWatchLogsSchema, LogGroupSchema } from './cloudwatch-logs-source.ts';
import { BedrockKnowledgeBaseSchema, LogTopicSchema, NoSourceSchema } from './configuration.ts';
import { MysqlEndpointSchema, MysqlServerSchema, MysqlSnapshotSchema } from './mysql-source.ts';

/** A folder that goes into the asset; relative to the file that names it. */
const FolderSchema = nonBlankText(1_024);

function topics<Topic extends typeof LogTopicSchema>(topic: Topic) {
  return z
    .array(topic)
    .min(1)
    .max(32)
    .refine((items) => new Set(items.map(({ name }) => name)).size === items.length, {
      error: 'must not name a topic twice',
    });
}

const TopicOfGroupsSchema = LogTopicSchema.extend({
  // 50 log groups are the most that one query of the service takes.
  log_groups: z.array(LogGroupSchema).min(1, 'must name at least one log group').max(50),
});

/** Where the log topics lie: log groups of this region, or files in the asset. */
export const LogSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('CLOUDWATCH_LOGS'),
    topics: topics(TopicOfGroupsSchema),
    max_scanned_bytes: CloudWatchLogsSchema.shape.max_scanned_bytes,
  }),
  z.strictObject({
    kind: z.literal('FILES'),
    folder: FolderSchema,
    topics: topics(LogTopicSchema),
  }),
]);

const { knowledge_base_id, search_type } = BedrockKnowledgeBaseSchema.shape;

export const KnowledgeSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('BEDROCK_KNOWLEDGE_BASE'), knowledge_base_id, search_type }),
  z.strictObject({ kind: z.literal('MARKDOWN'), folder: FolderSchema }),
  NoSourceSchema,
]);

/** How the function proves who it is, and the resource that its right to do so is for. */
const DeployedLoginSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('RDS_IAM'),
    user: z.string().regex(/^[A-Za-z0-9_]{1,32}$/, 'must be a database user'),
    // The id that stands in the ARN which rds-db:connect is granted on; not the instance's name.
    resource_id: z
      .string()
      .regex(/^(?:db|cluster|prx)-[A-Za-z0-9]{1,64}$/, 'must be db-…, cluster-… or prx-…'),
  }),
  z.strictObject({
    kind: z.literal('SECRETS_MANAGER'),
    secret_arn: z
      .string()
      .regex(
        /^arn:aws[a-z-]{0,12}:secretsmanager:[a-z0-9-]{1,32}:\d{12}:secret:[\w/+=.@-]{1,512}-[A-Za-z0-9]{6}$/,
        'must be the whole ARN of a secret',
      ),
    // The customer key that the secret is under; none for the account's own.
    key_arn: z
      .string()
      .regex(
        /^arn:aws[a-z-]{0,12}:kms:[a-z0-9-]{1,32}:\d{12}:key\/[a-z0-9-]{1,64}$/,
        'must be the ARN of a key',
      )
      .optional(),
  }),
]);

const { host, port, database } = MysqlEndpointSchema.shape;

/** A MySQL server as a stage names it; always by TLS. */
const DeployedEndpointSchema = z.strictObject({ host, port, database, login: DeployedLoginSchema });
export type DeployedEndpoint = z.infer<typeof DeployedEndpointSchema>;

export const MysqlSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('MYSQL'),
    writer: DeployedEndpointSchema,
    reader: DeployedEndpointSchema.optional(),
    application_schemas: MysqlServerSchema.shape.application_schemas,
  }),
  MysqlSnapshotSchema,
  NoSourceSchema,
]);
type MysqlSource = z.infer<typeof MysqlSourceSchema>;

/** The servers of a stage: its writer, then its reader. */
export function endpointsOf(mysql: MysqlSource): readonly DeployedEndpoint[] {
  if (mysql.kind !== 'MYSQL') return [];
  return mysql.reader === undefined ? [mysql.writer] : [mysql.writer, mysql.reader];
}
