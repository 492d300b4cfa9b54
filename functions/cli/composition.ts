import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { type Configuration, ConfigurationSchema } from '../../shared/contracts/configuration.ts';
import { HarnessError } from '../../shared/kernel/errors.ts';
import type { StepHook } from '../diagnosis/audit/step-hook.ts';
import { createBedrockClient } from '../diagnosis/bedrock-client.ts';
import { composeDiagnosis } from '../diagnosis/composition.ts';
import type { DiagnosisParts, ReportFault } from '../diagnosis/diagnosis-parts.ts';
import type { Capsule } from './capsule.ts';
import type { DiagnoseCommand } from './command-line.ts';
import { createByHandBrain } from './stand-in/by-hand-brain.ts';
import { startConverseServer } from './stand-in/converse-server.ts';
import { createOfflineModel } from './stand-in/offline-model.ts';

/** A local diagnosis and what has to be closed behind it. */
export interface LocalDiagnosis extends AsyncDisposable {
  readonly parts: DiagnosisParts;
}

/** A command whose by-hand folder is settled. */
export type LocalCommand = DiagnoseCommand & { readonly handFolder: string };

/** What watches a local diagnosis. */
export interface Watchers {
  readonly hook: StepHook;
  readonly reportFault: ReportFault;
}

const PLAYBOOKS = fileURLToPath(new URL('../../skills', import.meta.url));
const STAND_IN_CREDENTIALS = { accessKeyId: 'stand-in', secretAccessKey: 'stand-in' };

/**
 * Builds a diagnosis over a capsule: the same rooms as the Lambda's, with the capsule's sources, an
 * embedded record, and Bedrock or a stand-in behind the same SDK.
 *
 * @throws HarnessError `USAGE` when Bedrock is asked for without credentials or a region
 */
export async function composeLocal(
  command: LocalCommand,
  capsule: Capsule,
  watchers: Watchers,
): Promise<LocalDiagnosis> {
  const configuration = capsuleConfiguration(command, capsule);
  const connection = await connect(command, configuration);
  try {
    const { client, close } = connection;
    const parts = await composeDiagnosis(configuration, { client, ...watchers });
    return { parts, [Symbol.asyncDispose]: close };
  } catch (error) {
    await connection.close(); // a server left listening would keep the program alive
    throw error;
  }
}

/** The file that a data folder keeps its runs in. */
export function recordFile(dataFolder: string): string {
  return join(resolve(dataFolder), 'record.sqlite');
}

function capsuleConfiguration(command: LocalCommand, { folder, incident }: Capsule): Configuration {
  return ConfigurationSchema.parse({
    schema_version: 1,
    time_zone: incident.time_zone,
    model: { model_id: command.modelId ?? command.model },
    playbooks_folder: PLAYBOOKS,
    shipped_sample: incident.shipped_sample,
    topics: incident.topics,
    logs: { kind: 'FILES', folder: join(folder, 'logs') },
    knowledge: { kind: 'MARKDOWN', folder: join(folder, 'knowledge') },
    mysql: { kind: 'SNAPSHOT', folder: join(folder, 'mysql'), taken_at: incident.as_of },
    store: { kind: 'SQLITE', file: recordFile(command.dataFolder) },
  });
}

interface Connection {
  readonly client: BedrockRuntimeClient;
  readonly close: () => Promise<void>;
}

async function connect(command: LocalCommand, { model }: Configuration): Promise<Connection> {
  if (command.model === 'bedrock') {
    const client = createBedrockClient(model);
    await assertUsable(client);
    return { client, close: async () => client.destroy() };
  }
  const brain =
    command.model === 'offline'
      ? createOfflineModel()
      : createByHandBrain({ folder: emptyFolder(command.handFolder) });
  const server = await startConverseServer({ brain });
  const client = new BedrockRuntimeClient({
    region: 'local',
    endpoint: server.url,
    credentials: STAND_IN_CREDENTIALS,
    maxAttempts: 1,
  });
  const close = async () => {
    client.destroy();
    await server.close();
  };
  return { client, close };
}

/** @throws HarnessError `USAGE` when the folder holds the rounds of another run */
function emptyFolder(folder: string): string {
  const path = resolve(folder);
  const isUsed = existsSync(path) && readdirSync(path).some((file) => file.startsWith('round-'));
  if (!isUsed) return path;
  throw new HarnessError(
    'USAGE',
    `--folder ${folder} holds the rounds of another run; empty it first`,
  );
}

/** Finds out before anything is written whether the SDK knows where to go and as whom. */
async function assertUsable({ config }: BedrockRuntimeClient): Promise<void> {
  try {
    await config.region();
  } catch (cause) {
    throw new HarnessError('USAGE', '--model bedrock needs a region: set AWS_REGION', { cause });
  }
  try {
    await config.credentials();
  } catch (cause) {
    throw new HarnessError(
      'USAGE',
      '--model bedrock needs AWS credentials, and the SDK found none: set AWS_PROFILE to a configured profile, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
      { cause },
    );
  }
}
