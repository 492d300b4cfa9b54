import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationSchema } from '../../shared/contracts/configuration.ts';
import { DiagnosisOutcomeSchema } from '../../shared/contracts/diagnosis-outcome.ts';
import cancellation from '../events/cancellation.json' with { type: 'json' };
import event from '../events/diagnosis.json' with { type: 'json' };
import recordOfRun from '../events/run-record.json' with { type: 'json' };
import runsOfSession from '../events/session-runs.json' with { type: 'json' };
import { dynamoDbFor } from '../support/dynamodb.ts';
import { DeployedBench } from './deployed-bench.ts';
import { type Grant, grantsOf, phrase } from './granted.ts';
import { resolved } from './resolved-template.ts';
import { synthesized } from './synthesized.ts';
import { type Assembly, assetOf, synthesize } from './synthesized-assembly.ts';

const dynamoDb = await dynamoDbFor('the assets of a synthesis');
const RUN = cancellation.run_id;

let assembly: Assembly;
beforeAll(async () => {
  assembly = await synthesize('sample');
}, 120_000);
afterAll(() => rmSync(assembly.folder, { recursive: true, force: true }));

describe('a synthesis', () => {
  it('writes the same templates when it is repeated', async () => {
    const again = await synthesize('sample');

    expect([again.records, again.service]).toEqual([assembly.records, assembly.service]);
  }, 120_000);

  it('puts bundle, source map, configuration, playbooks and evidence into the asset', () => {
    const asset = assetOf(assembly, 'diagnosis-sample-diagnosis');

    expect(readdirSync(asset).sort()).toEqual([
      'configuration.json',
      'evidence',
      'index.mjs',
      'index.mjs.map',
      'skills',
    ]);
    const configuration = JSON.parse(readFileSync(`${asset}/configuration.json`, 'utf8'));
    expect(ConfigurationSchema.parse(configuration)).toEqual(configuration);
  });

  it.each(['cancellation', 'run-record'])('puts bundle and source map into that of %s', (kind) => {
    const asset = assetOf(assembly, `diagnosis-sample-${kind}`);

    expect(readdirSync(asset).sort()).toEqual(['index.mjs', 'index.mjs.map']);
  });
});

describe.skipIf(dynamoDb.endpoint === null)(dynamoDb.suite, () => {
  let bench: DeployedBench;
  beforeAll(async () => {
    bench = await DeployedBench.start(assembly, dynamoDb);
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it('answer as they are documented, and call what their roles may call and nothing else', async () => {
    const first = { ...event, run_id: RUN };
    const { posted, log } = await bench.invoke(
      'diagnosis',
      { event: first },
      { event: { query: ' ' } },
      { event: { ...first, query: 'another question' } },
      { event, remainingMs: 25_000 },
    );
    await bench.abandon(RUN);
    const abandoned = await bench.invoke('diagnosis', { event: first });
    const diagnosing = bench.takeCalls();
    const asked = await bench.invoke('cancellation', { event: cancellation });
    const cancelling = bench.takeCalls().filter(isDatabase);
    const read = await bench.invoke('run-record', { event: recordOfRun }, { event: runsOfSession });
    const reading = bench.takeCalls().filter(isDatabase);

    expect(posted.map(nameOfAnswer)).toEqual([
      'COMPLETED',
      'InvalidRequestError',
      'RunConflictError',
      'DeadlineTooShortError',
    ]);
    expect(abandoned.posted.map(nameOfAnswer)).toEqual(['FAILED']);
    expect(asked.posted).toEqual([expect.objectContaining({ kind: 'response' })]);
    expect(read.posted.map(({ kind }) => kind)).toEqual(['response', 'response']);
    expect(log).not.toContain(event.query.slice(0, 12));
    const { service } = resolved(synthesized());
    const granted = (role: string) => phrasesOf(grantsOf(service, role));
    expect(phrasesOf(diagnosing)).toEqual(granted('DiagnosisRole'));
    expect(phrasesOf(cancelling)).toEqual(granted('CancellationRole'));
    expect(phrasesOf(reading)).toEqual(granted('RunRecordRole'));
  }, 120_000);
});

function nameOfAnswer(posted: { kind: string; body?: string; errorType?: string }) {
  return posted.kind === 'response'
    ? DiagnosisOutcomeSchema.parse(JSON.parse(posted.body ?? '')).status
    : posted.errorType;
}

function isDatabase({ action }: Pick<Grant, 'action'>): boolean {
  return action.startsWith('dynamodb:');
}

/**
 * Once each, in order. Left out is what AWS itself does for the function (keys, logs, traces, failed
 * events), and the models behind the profile, which only Bedrock asks for.
 */
function phrasesOf(calls: readonly Pick<Grant, 'action' | 'resource'>[]): string[] {
  const own = calls.filter(
    ({ action, resource }) =>
      !/^(?:kms|logs|xray|sqs):/.test(action) && !resource.includes('foundation-model'),
  );
  return [...new Set(own.map(phrase))].sort();
}
