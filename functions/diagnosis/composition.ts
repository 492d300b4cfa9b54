import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import {
  CONFIGURATION_VARIABLE,
  type Configuration,
  ConfigurationSchema,
} from '../../shared/contracts/configuration.ts';
import type { MysqlEndpoint } from '../../shared/contracts/mysql-source.ts';
import { sha256Hex } from '../../shared/kernel/canonical-json.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import { HarnessError } from '../../shared/kernel/errors.ts';
import { createDocumentClient } from '../../shared/store/dynamodb-client.ts';
import { createDynamoDbRunStore } from '../../shared/store/dynamodb-run-store.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import { createSqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import { loadPlaybooks, NO_PLAYBOOKS } from './agent/playbooks.ts';
import { stablePrompt } from './agent/prompt.ts';
import type { StepHook } from './audit/step-hook.ts';
import { createBedrockClient } from './bedrock-client.ts';
import type { DiagnosisParts, ReportFault } from './diagnosis-parts.ts';
import { draftJsonSchema } from './draft/draft-schema.ts';
import { createEvidenceTools } from './evidence-tools.ts';

/** What a terminal or a test puts in the place of what a Lambda builds for itself. */
export interface CompositionOverrides {
  readonly client?: BedrockRuntimeClient;
  readonly hook?: StepHook;
  readonly reportFault?: ReportFault;
}

/**
 * Builds the parts of the Lambda from the file that its environment names; paths in it are relative to
 * its folder.
 *
 * @throws HarnessError `CONFIGURATION_INVALID` naming file and field
 */
export async function composeLambda(reportFault: ReportFault): Promise<DiagnosisParts> {
  // biome-ignore lint/style/noProcessEnv: the one place where the function reads its environment
  const file = process.env[CONFIGURATION_VARIABLE];
  if (file === undefined || file === '') {
    throw new HarnessError('CONFIGURATION_INVALID', `${CONFIGURATION_VARIABLE} names no file`);
  }
  return composeDiagnosis(readConfiguration(file), { reportFault });
}

/**
 * Builds what a deployment diagnoses with.
 *
 * @throws HarnessError `CONFIGURATION_INVALID` for playbooks or queries that can't be used
 */
export async function composeDiagnosis(
  configuration: Configuration,
  { client, hook = ignoreStep, reportFault = ignoreFault }: CompositionOverrides = {},
): Promise<DiagnosisParts> {
  const playbooks = configuration.playbooks_enabled
    ? loadPlaybooks(configuration.playbooks_folder)
    : NO_PLAYBOOKS;
  const { tools, catalogSha256 } = await createEvidenceTools(configuration, reportFault);
  const prompt = stablePrompt(draftJsonSchema(), playbooks);
  return {
    configuration,
    store: createStore(configuration),
    client: client ?? createBedrockClient(configuration.model),
    toolset: { evidence: tools, hasPlaybooks: configuration.playbooks_enabled },
    playbooks,
    prompt,
    identity: {
      model_id: configuration.model.model_id,
      prompt_sha256: sha256Hex(prompt),
      playbooks_sha256: playbooks.sha256,
      catalog_sha256: catalogSha256,
      code_version: configuration.code_version,
    },
    clock: systemClock,
    hook,
    reportFault,
  };
}

/**
 * Reads a configuration file and makes its paths absolute.
 *
 * @throws HarnessError `CONFIGURATION_INVALID` naming file and field
 */
export function readConfiguration(file: string): Configuration {
  const parsed = ConfigurationSchema.safeParse(readJson(file));
  if (!parsed.success) {
    const fault = parsed.error.issues[0];
    throw invalid(file, `${fault?.path.join('.') ?? ''}: ${fault?.message ?? ''}`);
  }
  return withAbsolutePaths(parsed.data, dirname(file));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw invalid(file, 'it cannot be read as JSON', cause);
  }
}

function withAbsolutePaths(configuration: Configuration, base: string): Configuration {
  const absolute = (path: string) => (isAbsolute(path) ? path : join(base, path));
  const { playbooks_folder, queries_folder, logs, knowledge, mysql, store } = configuration;
  return {
    ...configuration,
    playbooks_folder: absolute(playbooks_folder),
    ...(queries_folder !== undefined && { queries_folder: absolute(queries_folder) }),
    logs: logs.kind === 'FILES' ? { ...logs, folder: absolute(logs.folder) } : logs,
    knowledge:
      knowledge.kind === 'MARKDOWN'
        ? { ...knowledge, folder: absolute(knowledge.folder) }
        : knowledge,
    mysql: withAbsoluteMysqlPaths(mysql, absolute),
    store: store.kind === 'SQLITE' ? { ...store, file: absolute(store.file) } : store,
  };
}

function withAbsoluteMysqlPaths(
  mysql: Configuration['mysql'],
  absolute: (path: string) => string,
): Configuration['mysql'] {
  const endpoint = <Endpoint extends MysqlEndpoint>(given: Endpoint): Endpoint => ({
    ...given,
    ...(given.ca_file !== undefined && { ca_file: absolute(given.ca_file) }),
    ...(given.login.kind === 'PASSWORD_FILE' && {
      login: { ...given.login, file: absolute(given.login.file) },
    }),
  });
  switch (mysql.kind) {
    case 'SNAPSHOT':
      return { ...mysql, folder: absolute(mysql.folder) };
    case 'MYSQL': {
      const { writer, reader } = mysql;
      return {
        ...mysql,
        writer: endpoint(writer),
        ...(reader !== undefined && { reader: endpoint(reader) }),
      };
    }
    case 'NONE':
      return mysql;
  }
}

function createStore({ store, retention }: Configuration): RunStore {
  switch (store.kind) {
    case 'SQLITE':
      return createSqliteRunStore({ file: store.file, rawDays: retention.raw_days });
    case 'DYNAMODB':
      return createDynamoDbRunStore({
        client: createDocumentClient(),
        recordDays: retention.record_days,
        recordTable: store.record_table,
        rawTable: store.raw_table,
        rawDays: retention.raw_days,
      });
  }
}

function invalid(file: string, fault: string, cause?: unknown): HarnessError {
  return new HarnessError('CONFIGURATION_INVALID', `configuration ${file}: ${fault}`, { cause });
}

function ignoreStep(): void {}

function ignoreFault(): void {}
