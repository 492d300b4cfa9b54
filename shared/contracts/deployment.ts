import { z } from 'zod';
import { boundedText, nonBlankText } from './bounded-text.ts';
import { LimitsSchema } from './budget.ts';
import { ConfigurationSchema } from './configuration.ts';
import { BEDROCK_REGIONS, ModelChoiceSchema } from './deployment-model.ts';
import { NetworkSchema, neededEndpoints } from './deployment-network.ts';
import { KnowledgeSourceSchema, LogSourceSchema, MysqlSourceSchema } from './deployment-sources.ts';

const { time_zone, tool_timeout_ms, require_quotes, playbooks_enabled, shipped_sample } =
  ConfigurationSchema.shape;

const RoleArnSchema = z
  .string()
  .regex(
    /^arn:aws[a-z-]{0,12}:iam::[0-9]{12}:role\/[\w+=,.@/-]{1,512}$/,
    'must be the ARN of a role',
  );

/** Days that CloudWatch Logs can keep a log group; it takes no others. */
const LOG_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731] as const;

/**
 * One stage of the deployment, as `infra/config/<stage>.json` describes it. The function's own
 * configuration is made from it.
 */
export const DeploymentSchema = z
  .strictObject({
    schema_version: z.literal(1),
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,15}$/, 'must be 1 to 16 of a-z 0-9 -, beginning with a letter'),
    // Set, a deployment into any other account is refused.
    account: z
      .string()
      .regex(/^[0-9]{12}$/, 'must be twelve digits')
      .optional(),
    region: z.enum(BEDROCK_REGIONS, { error: 'must be a region with Amazon Bedrock' }),
    time_zone,
    model: ModelChoiceSchema,
    logs: LogSourceSchema,
    knowledge: KnowledgeSourceSchema,
    mysql: MysqlSourceSchema,
    queries_folder: nonBlankText(1_024).optional(),
    shipped_sample,
    limits: LimitsSchema.prefault({}),
    tool_timeout_ms,
    require_quotes,
    playbooks_enabled,
    retention: z
      .strictObject({
        record_days: z.int().min(1).max(3_650).default(100),
        raw_days: z.int().min(1).max(365).default(7),
        log_days: z.literal(LOG_DAYS).default(30),
      })
      .prefault({}),
    memory_mb: z.int().min(512).max(10_240).default(1_024),
    // Null reserves nothing: an account whose quota is 10 can reserve none.
    reserved_concurrency: z.int().min(1).max(1_000).nullable(),
    many: z.strictObject({
      max_concurrency: z.int().min(1).max(1_000),
    }),
    network: NetworkSchema.nullable(),
    alarms: z.strictObject({
      topic_arn: z
        .string()
        .regex(
          /^arn:aws[a-z-]{0,12}:sns:[a-z0-9-]{1,32}:[0-9]{12}:[\w-]{1,256}$/,
          'must be the ARN of an SNS topic',
        )
        .nullable(),
      tokens_per_hour: z.int().min(1).default(5_000_000),
    }),
    log_level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO'),
    // Roles of other accounts that may assume the callers' role; callers of this account get a policy.
    trusted_role_arns: z.array(RoleArnSchema).max(16).default([]),
    // Roles that may assume the role that reads raw results; none, and nobody reads them.
    break_glass_role_arns: z.array(RoleArnSchema).max(16).default([]),
    tags: z.record(boundedText(128), boundedText(256)).default({}),
  })
  .superRefine((deployment, context) => {
    for (const { path, message } of contradictionsIn(deployment)) {
      context.addIssue({ code: 'custom', path, message });
    }
  });
export type Deployment = z.infer<typeof DeploymentSchema>;

interface Contradiction {
  readonly path: string[];
  readonly message: string;
}

interface Choices {
  readonly logs: z.infer<typeof LogSourceSchema>;
  readonly knowledge: z.infer<typeof KnowledgeSourceSchema>;
  readonly mysql: z.infer<typeof MysqlSourceSchema>;
  readonly network: z.infer<typeof NetworkSchema> | null;
  readonly reserved_concurrency: number | null;
  readonly many: { readonly max_concurrency: number };
}

/** What each field allows and no deployment can do. */
function* contradictionsIn({
  reserved_concurrency: reserved,
  many,
  network,
  ...sources
}: Choices): Generator<Contradiction> {
  if (reserved !== null && many.max_concurrency > reserved) {
    yield {
      path: ['many', 'max_concurrency'],
      message: `must be at most reserved_concurrency (${reserved}), or runs throttle each other`,
    };
  }
  if (sources.mysql.kind === 'MYSQL' && network === null) {
    yield {
      path: ['network'],
      message: 'must be a VPC: mysql of kind MYSQL is reached inside one',
    };
  }
  if (network?.route.kind !== 'ENDPOINTS') return;
  const { endpoints } = network.route;
  const missing = neededEndpoints(sources).filter((name) => !endpoints.includes(name));
  if (missing.length > 0) {
    yield {
      path: ['network', 'route', 'endpoints'],
      message: `must have ${missing.join(', ')}, or the function can't reach them without a NAT`,
    };
  }
}
