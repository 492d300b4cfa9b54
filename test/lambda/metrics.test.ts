import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConverseServer,
  startConverseServer,
} from '../../functions/cli/stand-in/converse-server.ts';
import { createOfflineModel } from '../../functions/cli/stand-in/offline-model.ts';
import { bundleDiagnosis } from '../../infra/bundle.ts';
import { METRICS_NAMESPACE, RUN_METRIC } from '../../shared/contracts/metrics.ts';
import { INCIDENT_EVENT, incidentConfiguration } from '../support/incident-configuration.ts';
import { invokeBundle } from '../support/runtime-api.ts';

let folder: string;
let model: ConverseServer;
let log: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metrics-'));
  model = await startConverseServer({ brain: createOfflineModel() });
  await bundleDiagnosis(join(folder, 'asset'));
  const configuration = join(folder, 'configuration.json');
  const store = { kind: 'SQLITE', file: join(folder, 'record.sqlite') } as const;
  await writeFile(
    configuration,
    JSON.stringify(incidentConfiguration({ endpoint: model.url, store })),
  );
  const delivery = { event: INCIDENT_EVENT, requestId: 'request-1', remainingMs: 900_000 };
  const refused = { event: { query: '' }, requestId: 'request-2', remainingMs: 900_000 };
  ({ log } = await invokeBundle(
    join(folder, 'asset', 'index.mjs'),
    { DIAGNOSIS_CONFIGURATION: configuration, POWERTOOLS_SERVICE_NAME: 'diagnosis-test' },
    [delivery, delivery, refused],
  ));
}, 60_000);

afterAll(async () => {
  await model.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the metrics of a deployed function', () => {
  it('count an executed run once, with all that it used', () => {
    const [run, ...others] = written().filter((metric) => RUN_METRIC.completed in metric);

    expect(others).toEqual([]);
    expect(run).toMatchObject({ service: 'diagnosis-test', RunsCompleted: 1, GuardRefusals: 0 });
    expect(run?.[RUN_METRIC.rounds]).toBeGreaterThan(1);
    expect(run?.[RUN_METRIC.inputTokens]).toBeGreaterThan(0);
    expect(run?.[RUN_METRIC.deadlineMargin]).toBeGreaterThan(800_000);
  });

  it('count the evidence of the run by status', () => {
    const evidence = written().filter((metric) => 'Evidence' in metric);

    expect(evidence).toContainEqual(
      expect.objectContaining({ evidence_status: 'EVIDENCE_FOUND', service: 'diagnosis-test' }),
    );
  });

  it('count a delivery that executed nothing as a replay', () => {
    expect(written().filter((metric) => metric['RunsReplayed'] === 1)).toHaveLength(1);
  });

  it('count a refusal by the name of its error', () => {
    const refusals = written().filter((metric) => 'Refusals' in metric);

    expect(refusals).toEqual([
      expect.objectContaining({ error: 'InvalidRequestError', Refusals: 1 }),
    ]);
  });

  it('stand in the namespace that alarms and dashboard look into', () => {
    const namespaces = written().flatMap(({ _aws }) =>
      _aws.CloudWatchMetrics.map(({ Namespace }) => Namespace),
    );

    expect(new Set(namespaces)).toEqual(new Set([METRICS_NAMESPACE]));
  });
});

interface Written {
  readonly [name: string]: unknown;
  readonly _aws: { readonly CloudWatchMetrics: readonly { readonly Namespace: string }[] };
}

/** Every metric line of the log, in the embedded metric format. */
function written(): Written[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{"_aws"'))
    .map((line) => JSON.parse(line) as Written); // Powertools wrote it
}
