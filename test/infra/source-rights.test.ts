import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../shared/contracts/deployment.ts';
import { type Grant, grantsOf, phrase } from './granted.ts';
import { ACCOUNT, REGION, resolved } from './resolved-template.ts';
import {
  aDeployment,
  SECRET_ARN,
  synthesized,
  theExample,
  throughNat,
  withSecret,
} from './synthesized.ts';

const sample = resolved(synthesized()).service;
const example = resolved(synthesized(theExample())).service;
const OTHERS = ['CancellationRole', 'RunRecordRole', 'MachinesOne', 'MachinesMany', 'May'];

describe('of the model', () => {
  const PROFILE = `arn:aws:bedrock:${REGION}:${ACCOUNT}:inference-profile`;

  it('one in the region is invoked as itself', () => {
    const grants = bedrock({ model: model({ kind: 'IN_REGION', model_id: 'vendor.model-v1:0' }) });

    expect(grants).toEqual([
      {
        action: 'bedrock:InvokeModel',
        resource: `arn:aws:bedrock:${REGION}::foundation-model/vendor.model-v1:0`,
        conditions: {},
      },
    ]);
  });

  it('a geographic profile is invoked as itself and as the model in each region it names', () => {
    const grants = bedrock({
      model: model({
        kind: 'GEOGRAPHIC_PROFILE',
        profile_id: 'eu.vendor.model-v1:0',
        destination_regions: ['eu-central-1', 'eu-west-1'],
      }),
    });

    const through = {
      StringEquals: { 'bedrock:InferenceProfileArn': `${PROFILE}/eu.vendor.model-v1:0` },
    };
    expect(grants.map(({ resource, conditions }) => [resource, conditions])).toEqual([
      [`${PROFILE}/eu.vendor.model-v1:0`, {}],
      ['arn:aws:bedrock:eu-central-1::foundation-model/vendor.model-v1:0', through],
      ['arn:aws:bedrock:eu-west-1::foundation-model/vendor.model-v1:0', through],
    ]);
  });

  it('a global profile is invoked as itself, as the model here, and as the model of no region', () => {
    const grants = bedrock({
      model: model({
        kind: 'GLOBAL_PROFILE',
        profile_id: 'global.vendor.model-v1:0',
        may_leave_geography: true,
      }),
    });

    const profile = `${PROFILE}/global.vendor.model-v1:0`;
    expect(
      grants.map(({ resource, conditions }) => [resource, conditions['StringEquals']]),
    ).toEqual([
      [profile, { 'aws:RequestedRegion': REGION }],
      [
        `arn:aws:bedrock:${REGION}::foundation-model/vendor.model-v1:0`,
        { 'aws:RequestedRegion': REGION, 'bedrock:InferenceProfileArn': profile },
      ],
      [
        'arn:aws:bedrock:::foundation-model/vendor.model-v1:0',
        { 'aws:RequestedRegion': 'unspecified', 'bedrock:InferenceProfileArn': profile },
      ],
    ]);
  });

  it('nobody but the diagnosis function invokes it', () => {
    const others = OTHERS.flatMap((role) => grantsOf(sample, role));

    expect(others.filter(({ action }) => action.startsWith('bedrock:'))).toEqual([]);
  });
});

describe('of the evidence sources', () => {
  const source = /^(?:logs:StartQuery|bedrock:Retrieve|rds-db:)/;

  it('the groups, the knowledge base and the database user of the stage are reached', () => {
    const grants = grantsOf(example, 'DiagnosisRole').filter(({ action }) => source.test(action));

    const group = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:`;
    expect(grants.map(phrase)).toEqual([
      `logs:StartQuery on ${group}/app/payment-service:*`,
      `logs:StartQuery on ${group}/app/payment-worker:*`,
      `logs:StartQuery on ${group}/platform/deployments:*`,
      `bedrock:Retrieve on arn:aws:bedrock:${REGION}:${ACCOUNT}:knowledge-base/EXAMPLE000`,
      `rds-db:connect on arn:aws:rds-db:${REGION}:${ACCOUNT}:dbuser:cluster-EXAMPLE/diagnosis_reader`,
    ]);
  });

  it('a log group of another account is reached by its ARN', () => {
    const foreign = `arn:aws:logs:${REGION}:999988887777:log-group:/app/ledger`;
    const { logs } = theExample();
    const topics = [
      { name: 'ledger', description: 'Ledger', max_lookback_minutes: 60, log_groups: [foreign] },
    ];

    const grants = sourceGrants(theExample({ logs: { ...logs, topics } as Deployment['logs'] }));

    expect(grants.map(phrase)).toContain(`logs:StartQuery on ${foreign}:*`);
  });

  it('a secret is read, and its key opened through Secrets Manager alone', () => {
    const grants = sourceGrants(theExample({ mysql: withSecret(), network: throughNat() }));

    expect(grants.filter(({ action }) => /^(?:secretsmanager|rds-db)/.test(action))).toEqual([
      { action: 'secretsmanager:GetSecretValue', resource: SECRET_ARN, conditions: {} },
    ]);
    expect(grants.filter(({ resource }) => resource.endsWith('key/abc'))).toEqual([
      {
        action: 'kms:Decrypt',
        resource: 'arn:aws:kms:eu-central-1:111122223333:key/abc',
        conditions: {
          StringEquals: { 'kms:ViaService': 'secretsmanager.eu-central-1.amazonaws.com' },
        },
      },
    ]);
  });

  it('none is reached by a stage that takes its evidence from files', () => {
    const grants = grantsOf(sample, 'DiagnosisRole').filter(({ action }) => source.test(action));

    expect(grants).toEqual([]);
  });
});

function sourceGrants(deployment: Deployment): Grant[] {
  return grantsOf(resolved(synthesized(deployment)).service, 'DiagnosisRole');
}

function bedrock(overrides: Partial<Deployment>): Grant[] {
  const { service } = resolved(synthesized(aDeployment(overrides)));
  return grantsOf(service, 'DiagnosisRole').filter(({ action }) => action.startsWith('bedrock:'));
}

/** A choice of model with the settings of the shipped stage. */
function model<Choice extends object>(choice: Choice) {
  return { max_tokens: 8_192, prompt_cache: true, ...choice };
}
