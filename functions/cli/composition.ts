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
  command: DiagnoseCommand,
  capsule: Capsule,
  watchers: Watchers,
): Promise<LocalDiagnosis> {
  const configuration = capsuleConfiguration(command, capsule);
  if (command.model === 'bedrock') {
    const client = createBedrockClient(configuration.model);
    await assertUsable(client);
    return closing(await composeDiagnosis(configuration, { client, ...watchers }), async () =>
      client.destroy(),
    );
  }
  const brain =
    command.model === 'offline'
      ? createOfflineModel()
      : createByHandBrain({ folder: resolve(command.handFolder) });
  const server = await startConverseServer({ brain });
  const client = new BedrockRuntimeClient({
    region: 'local',
    endpoint: server.url,
    credentials: STAND_IN_CREDENTIALS,
    maxAttempts: 1,
  });
  return closing(await composeDiagnosis(configuration, { client, ...watchers }), async () => {
    client.destroy();
    await server.close();
  });
}

/** The file that a data folder keeps its runs in. */
export function recordFile(dataFolder: string): string {
  return join(resolve(dataFolder), 'record.sqlite');
}

function capsuleConfiguration(
  command: DiagnoseCommand,
  { folder, incident }: Capsule,
): Configuration {
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
      '--model bedrock needs AWS credentials: set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
      { cause },
    );
  }
}

function closing(parts: DiagnosisParts, close: () => Promise<void>): LocalDiagnosis {
  return { parts, [Symbol.asyncDispose]: close };
}
