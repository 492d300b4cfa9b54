import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import type { RecordedRequest } from '../../functions/cli/stand-in/converse-request.ts';
import { startConverseServer } from '../../functions/cli/stand-in/converse-server.ts';
import { createOfflineModel } from '../../functions/cli/stand-in/offline-model.ts';
import { composeDiagnosis } from '../../functions/diagnosis/composition.ts';
import { diagnose } from '../../functions/diagnosis/diagnose.ts';
import { ConfigurationSchema } from '../../shared/contracts/configuration.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import type { PlantedCapsule } from './planted-capsule.ts';

/** What one diagnosis by the offline model asked, was shown and published. */
export interface OfflineDiagnosis {
  readonly outcome: DiagnosisOutcome;
  /** Name and input of each tool call, playbooks among them. */
  readonly asked: readonly { readonly name: string; readonly input: string }[];
  /** The observations, as JSON. */
  readonly shown: readonly string[];
}

/** Diagnoses capsules with the offline model over HTTP; everything else is what a deployment has. */
export async function openOfflineDiagnosis() {
  const server = await startConverseServer({ brain: createOfflineModel() });
  const client = new BedrockRuntimeClient({
    region: 'local',
    endpoint: server.url,
    credentials: { accessKeyId: 'stand-in', secretAccessKey: 'stand-in' },
    maxAttempts: 1,
  });
  return {
    async diagnose(capsule: PlantedCapsule): Promise<OfflineDiagnosis> {
      const from = server.requests.length;
      const parts = await composeDiagnosis(configurationOf(capsule), { client });
      const { query, as_of, bindings } = capsule.incident;
      const event = { query, as_of, ...(bindings !== undefined && { bindings }) };
      const delivery = { event, requestId: 'request-1', remainingMs: 900_000, cancel: null };
      const outcome = await diagnose(parts, delivery);
      return { outcome, ...exchangesOf(server.requests.slice(from)) };
    },
    async close() {
      client.destroy();
      await server.close();
    },
  };
}

function exchangesOf(requests: readonly RecordedRequest[]): Omit<OfflineDiagnosis, 'outcome'> {
  const content =
    requests.at(-1)?.body?.messages?.flatMap((message) => message.content ?? []) ?? [];
  return {
    asked: content.flatMap(({ toolUse }) =>
      toolUse === undefined
        ? []
        : [{ name: toolUse.name ?? '', input: JSON.stringify(toolUse.input) }],
    ),
    shown: content.flatMap(({ toolResult }) =>
      toolResult === undefined ? [] : [JSON.stringify(toolResult.content)],
    ),
  };
}

function configurationOf({ folder, incident }: PlantedCapsule) {
  return ConfigurationSchema.parse({
    schema_version: 1,
    time_zone: incident.time_zone,
    model: { model_id: 'offline' },
    playbooks_folder: 'skills',
    shipped_sample: incident.shipped_sample,
    topics: incident.topics,
    logs: { kind: 'FILES', folder: `${folder}/logs` },
    knowledge: { kind: 'MARKDOWN', folder: `${folder}/knowledge` },
    mysql: { kind: 'SNAPSHOT', folder: `${folder}/mysql`, taken_at: incident.as_of },
    store: { kind: 'SQLITE', file: ':memory:' },
  });
}
