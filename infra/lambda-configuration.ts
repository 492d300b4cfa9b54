import { type Configuration, ConfigurationSchema } from '../shared/contracts/configuration.ts';
import type { Deployment } from '../shared/contracts/deployment.ts';
import { modelIdOf } from '../shared/contracts/deployment-model.ts';
import { HarnessError } from '../shared/kernel/errors.ts';
import { namesOf } from './names.ts';

/** Folders of the asset; relative to its configuration file. */
export const ASSET_FOLDER = {
  playbooks: 'skills',
  logs: 'evidence/logs',
  knowledge: 'evidence/knowledge',
  mysql: 'evidence/mysql',
  queries: 'queries',
} as const;

/**
 * The function's own configuration, as it goes into its asset.
 *
 * @throws HarnessError `CONFIGURATION_INVALID` for a source that the function can't read yet
 */
export function lambdaConfigurationOf(deployment: Deployment, codeVersion: string): Configuration {
  const { model, retention } = deployment;
  const { recordTable, rawTable } = namesOf(deployment);
  return ConfigurationSchema.parse({
    schema_version: 1,
    time_zone: deployment.time_zone,
    model: {
      model_id: modelIdOf(model),
      region: deployment.region,
      max_tokens: model.max_tokens,
      prompt_cache: model.prompt_cache,
    },
    limits: deployment.limits,
    tool_timeout_ms: deployment.tool_timeout_ms,
    require_quotes: deployment.require_quotes,
    playbooks_enabled: deployment.playbooks_enabled,
    playbooks_folder: ASSET_FOLDER.playbooks,
    shipped_sample: deployment.shipped_sample,
    topics: deployment.logs.topics,
    logs: logsOf(deployment),
    knowledge: knowledgeOf(deployment),
    mysql: mysqlOf(deployment),
    ...(deployment.queries_folder !== undefined && { queries_folder: ASSET_FOLDER.queries }),
    store: { kind: 'DYNAMODB', record_table: recordTable, raw_table: rawTable },
    retention: { record_days: retention.record_days, raw_days: retention.raw_days },
    code_version: codeVersion,
  } satisfies Configuration);
}

function logsOf({ stage, logs }: Deployment): Configuration['logs'] {
  switch (logs.kind) {
    case 'FILES':
      return { kind: 'FILES', folder: ASSET_FOLDER.logs };
    case 'CLOUDWATCH_LOGS':
      throw notThereYet(stage, 'logs.kind', logs.kind);
  }
}

function knowledgeOf({ stage, knowledge }: Deployment): Configuration['knowledge'] {
  switch (knowledge.kind) {
    case 'MARKDOWN':
      return { kind: 'MARKDOWN', folder: ASSET_FOLDER.knowledge };
    case 'BEDROCK_KNOWLEDGE_BASE':
      throw notThereYet(stage, 'knowledge.kind', knowledge.kind);
  }
}

function mysqlOf({ stage, mysql }: Deployment): Configuration['mysql'] {
  switch (mysql.kind) {
    case 'SNAPSHOT':
      return { kind: 'SNAPSHOT', folder: ASSET_FOLDER.mysql, taken_at: mysql.taken_at };
    case 'MYSQL':
      throw notThereYet(stage, 'mysql.kind', mysql.kind);
  }
}

function notThereYet(stage: string, field: string, kind: string): HarnessError {
  return new HarnessError(
    'CONFIGURATION_INVALID',
    `stage ${stage}: ${field}: the function has no source of kind ${kind} yet`,
  );
}
