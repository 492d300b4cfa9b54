import { z } from 'zod';
import { nonBlankText } from './bounded-text.ts';
import { ConfiguredNameSchema } from './identifiers.ts';

const GROUP_NAME = String.raw`[\w./#-]{1,512}`;
const GROUP_ARN = String.raw`arn:aws[a-z-]{0,16}:logs:[a-z0-9-]{1,32}:\d{12}:log-group:${GROUP_NAME}`;

/** A log group of this account by its name, one of another account by its ARN. */
export const LogGroupSchema = z
  .string()
  .regex(
    new RegExp(`^(?:${GROUP_NAME}|${GROUP_ARN})$`),
    'must be the name or the ARN of a log group, without wildcards',
  );

/** Logs from CloudWatch Logs, asked through Logs Insights. */
export const CloudWatchLogsSchema = z.strictObject({
  kind: z.literal('CLOUDWATCH_LOGS'),
  // 50 log groups are the most that one query of the service takes.
  log_groups: z
    .record(ConfiguredNameSchema, z.array(LogGroupSchema).min(1).max(50))
    .describe('by topic; every topic needs an entry'),
  region: nonBlankText(32).optional(),
  endpoint: z.url().max(512).optional(),
  // 20 GiB cost about $0.10; both queries of a call scan the same events, so 10 GiB of logs.
  max_scanned_bytes: z
    .int()
    .min(1_048_576)
    .max(1_099_511_627_776)
    .default(21_474_836_480)
    .describe('bytes that the log queries of one run may scan together'),
});
export type CloudWatchLogs = z.infer<typeof CloudWatchLogsSchema>;
