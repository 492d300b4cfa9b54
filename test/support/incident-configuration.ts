import { join } from 'node:path';
import { openCapsule } from '../../functions/cli/capsule.ts';
import { type Configuration, ConfigurationSchema } from '../../shared/contracts/configuration.ts';

const { folder, incident } = openCapsule('payment-timeout');

/** The shipped incident as an event. */
export const INCIDENT_EVENT = {
  query: incident.query,
  as_of: incident.as_of,
  ...(incident.bindings !== undefined && { bindings: incident.bindings }),
};

/** A deployment over the shipped incident; paths are absolute, playbooks those of the repository. */
export function incidentConfiguration(
  given: Partial<Pick<Configuration, 'store' | 'logs'>> & { readonly endpoint?: string },
): Configuration {
  const { endpoint, ...rest } = given;
  return ConfigurationSchema.parse({
    schema_version: 1,
    time_zone: incident.time_zone,
    model: { model_id: 'scripted', ...(endpoint !== undefined && { endpoint }) },
    playbooks_folder: join(import.meta.dirname, '../../skills'),
    shipped_sample: incident.shipped_sample,
    topics: incident.topics,
    logs: { kind: 'FILES', folder: join(folder, 'logs') },
    knowledge: { kind: 'MARKDOWN', folder: join(folder, 'knowledge') },
    mysql: { kind: 'SNAPSHOT', folder: join(folder, 'mysql'), taken_at: incident.as_of },
    store: { kind: 'SQLITE', file: ':memory:' },
    ...rest,
  });
}
