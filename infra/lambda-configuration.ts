import { type Configuration, ConfigurationSchema } from '../shared/contracts/configuration.ts';
import type { Deployment } from '../shared/contracts/deployment.ts';
import { modelIdOf } from '../shared/contracts/deployment-model.ts';
import type { DeployedEndpoint } from '../shared/contracts/deployment-sources.ts';
import type { MysqlEndpoint } from '../shared/contracts/mysql-source.ts';
import { namesOf } from './names.ts';

/** Folders of the asset; relative to its configuration file. */
export const ASSET_FOLDER = {
  playbooks: 'skills',
  logs: 'evidence/logs',
  knowledge: 'evidence/knowledge',
  mysql: 'evidence/mysql',
  queries: 'queries',
} as const;

/** The function's own configuration, as it goes into its asset; folders are those of the asset. */
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
    topics: deployment.logs.topics.map(({ name, description, max_lookback_minutes }) => ({
      name,
      description,
      max_lookback_minutes,
    })),
    logs: logsOf(deployment),
    knowledge: knowledgeOf(deployment),
    mysql: mysqlOf(deployment),
    ...(deployment.queries_folder !== undefined && { queries_folder: ASSET_FOLDER.queries }),
    store: { kind: 'DYNAMODB', record_table: recordTable, raw_table: rawTable },
    retention: { record_days: retention.record_days, raw_days: retention.raw_days },
    code_version: codeVersion,
  } satisfies Configuration);
}

function logsOf({ logs }: Deployment): Configuration['logs'] {
  switch (logs.kind) {
    case 'FILES':
      return { kind: 'FILES', folder: ASSET_FOLDER.logs };
    case 'CLOUDWATCH_LOGS': {
      const { kind, topics, max_scanned_bytes } = logs;
      const groups = topics.map(({ name, log_groups }) => [name, log_groups] as const);
      return { kind, log_groups: Object.fromEntries(groups), max_scanned_bytes };
    }
  }
}

function knowledgeOf({ knowledge }: Deployment): Configuration['knowledge'] {
  return knowledge.kind === 'MARKDOWN'
    ? { kind: 'MARKDOWN', folder: ASSET_FOLDER.knowledge }
    : knowledge;
}

function mysqlOf({ mysql }: Deployment): Configuration['mysql'] {
  switch (mysql.kind) {
    case 'NONE':
      return mysql;
    case 'SNAPSHOT':
      return { ...mysql, folder: ASSET_FOLDER.mysql };
    case 'MYSQL': {
      const { kind, writer, reader, application_schemas } = mysql;
      return {
        kind,
        writer: endpointOf(writer),
        ...(reader !== undefined && { reader: endpointOf(reader) }),
        application_schemas,
      };
    }
  }
}

function endpointOf({ login, ...where }: DeployedEndpoint): MysqlEndpoint {
  return {
    ...where,
    tls: 'required',
    login:
      login.kind === 'RDS_IAM'
        ? { kind: 'RDS_IAM', user: login.user }
        : { kind: 'SECRETS_MANAGER', secret_id: login.secret_arn },
  };
}
