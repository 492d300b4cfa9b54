import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDeployment } from '../../infra/deployment-file.ts';
import { lambdaConfigurationOf } from '../../infra/lambda-configuration.ts';
import { ConfigurationSchema } from '../../shared/contracts/configuration.ts';
import { aDeployment, SECRET_ARN, theExample, throughNat, withSecret } from './synthesized.ts';

const example = JSON.parse(readFileSync('infra/config/example.json', 'utf8'));
const sample = JSON.parse(readFileSync('infra/config/sample.json', 'utf8'));

describe('the file of a stage', () => {
  it.each(['sample', 'example'])('%s is shipped and valid', (stage) => {
    const { deployment } = readDeployment(`infra/config/${stage}.json`);

    expect(deployment.stage).toBe(stage);
    expect(deployment.logs.topics.map(({ name }) => name)).toContain('deployments');
  });

  it.each<[string, string, object]>([
    ['a region without Bedrock', 'region', { region: 'eu-isoe-west-1' }],
    ['a stage that is no name', 'stage', { stage: 'Prod Stage' }],
    ['a key that nobody knows', '', { tenant: 'T1' }],
    ['a model that is a profile', 'model.model_id', { model: inRegion('eu.vendor.model-v1') }],
    [
      'a global profile as a geographic one',
      'model.profile_id',
      { model: geographic('global.vendor.m') },
    ],
    [
      'a global profile that nobody agreed to',
      'model.may_leave_geography',
      { model: { kind: 'GLOBAL_PROFILE', profile_id: 'global.vendor.model' } },
    ],
    ['a topic without a log group', 'logs.topics.0.log_groups', { logs: logsOf([]) }],
    ['a log group with a wildcard', 'logs.topics.0.log_groups.0', { logs: logsOf(['/app/*']) }],
    ['limits that no deployment may have', 'limits.tool_calls', { limits: { tool_calls: 17 } }],
    ['more at once than is reserved', 'many.max_concurrency', { many: { max_concurrency: 11 } }],
    ['a retention that CloudWatch lacks', 'retention.log_days', { retention: { log_days: 2 } }],
    ['MySQL outside a VPC', 'network', { network: null }],
    [
      'a VPC without the endpoints that the function needs',
      'network.route.endpoints',
      { network: { ...example.network, route: { kind: 'ENDPOINTS', endpoints: ['dynamodb'] } } },
    ],
    [
      'a VPC with one subnet',
      'network.private_subnets',
      {
        network: { ...example.network, private_subnets: example.network.private_subnets.slice(1) },
      },
    ],
    ['an alarm target that is no topic', 'alarms.topic_arn', { alarms: { topic_arn: 'on-call' } }],
    [
      'a trusted account instead of a role',
      'trusted_role_arns.0',
      { trusted_role_arns: ['111122223333'] },
    ],
  ])('is refused for %s, by file and field', (_case, field, overrides) => {
    const file = aFile({ ...example, ...overrides });

    expect(() => readDeployment(file)).toThrow(
      expect.objectContaining({
        code: 'CONFIGURATION_INVALID',
        message: expect.stringContaining(`${file}\n  ${field}: `),
      }),
    );
  });

  it('is refused when it is no JSON', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'stage-')), 'stage.json');
    writeFileSync(file, '{');

    expect(() => readDeployment(file)).toThrow(
      expect.objectContaining({ code: 'CONFIGURATION_INVALID' }),
    );
  });

  it.each([
    ['a NAT', { kind: 'NAT' }],
    ['every endpoint that it needs', example.network.route],
  ])('takes a VPC with %s', (_case, route) => {
    const file = aFile({ ...example, network: { ...example.network, route } });

    expect(readDeployment(file).deployment.network?.route).toEqual(route);
  });

  it('needs fewer endpoints for evidence from files', () => {
    const route = { kind: 'ENDPOINTS', endpoints: ['bedrock-runtime', 'dynamodb'] };
    const file = aFile({ ...sample, network: { ...example.network, route } });

    expect(readDeployment(file).deployment.network?.route).toEqual(route);
  });

  it('names every field at fault at once', () => {
    const file = aFile({ ...example, region: 'nowhere', memory_mb: 1 });

    expect(() => readDeployment(file)).toThrow(/region: [^\n]+\n {2}memory_mb: /);
  });
});

describe("the function's own configuration", () => {
  it('says what the file of the stage says, with the names of its tables', () => {
    const configuration = lambdaConfigurationOf(aDeployment(), 'abc');

    expect(ConfigurationSchema.parse(configuration)).toEqual(configuration);
    expect(configuration).toMatchObject({
      time_zone: 'Asia/Shanghai',
      model: { model_id: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0', region: 'eu-central-1' },
      topics: sample.logs.topics,
      logs: { kind: 'FILES', folder: 'evidence/logs' },
      store: {
        kind: 'DYNAMODB',
        record_table: 'diagnosis-sample-record',
        raw_table: 'diagnosis-sample-raw',
      },
      retention: { record_days: 100, raw_days: 7 },
      code_version: 'abc',
    });
  });

  it('goes without queries of its own where a stage has none', () => {
    expect(lambdaConfigurationOf(aDeployment(), 'abc').queries_folder).toBeUndefined();
    expect(
      lambdaConfigurationOf(aDeployment({ queries_folder: 'sql' }), 'abc').queries_folder,
    ).toBe('queries');
  });

  it('names the live sources of the stage, each as the function reads it', () => {
    const { topics, logs, knowledge, mysql } = lambdaConfigurationOf(theExample(), 'abc');

    expect(topics.map(({ name }) => name)).toEqual(['payment-service', 'deployments']);
    expect(logs).toEqual({
      kind: 'CLOUDWATCH_LOGS',
      log_groups: {
        'payment-service': ['/app/payment-service', '/app/payment-worker'],
        deployments: ['/platform/deployments'],
      },
      max_scanned_bytes: 21_474_836_480,
    });
    expect(knowledge).toEqual({
      kind: 'BEDROCK_KNOWLEDGE_BASE',
      knowledge_base_id: 'EXAMPLE000',
    });
    expect(mysql).toMatchObject({
      kind: 'MYSQL',
      writer: {
        host: 'shop.cluster-example.eu-central-1.rds.amazonaws.com',
        tls: 'required',
        login: { kind: 'RDS_IAM', user: 'diagnosis_reader' },
      },
      reader: { host: 'shop.cluster-ro-example.eu-central-1.rds.amazonaws.com' },
    });
  });

  it('names a secret by its ARN', () => {
    const { mysql } = lambdaConfigurationOf(
      theExample({ mysql: withSecret(), network: throughNat() }),
      'abc',
    );

    expect(mysql).toMatchObject({
      writer: { login: { kind: 'SECRETS_MANAGER', secret_id: SECRET_ARN } },
    });
  });

  it('says which sources a stage does not have', () => {
    const none = { kind: 'NONE' } as const;

    const configuration = lambdaConfigurationOf(
      aDeployment({ knowledge: none, mysql: none }),
      'abc',
    );

    expect([configuration.knowledge, configuration.mysql]).toEqual([none, none]);
  });
});

function aFile(content: object): string {
  const file = join(mkdtempSync(join(tmpdir(), 'stage-')), 'stage.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function inRegion(model_id: string) {
  return { kind: 'IN_REGION', model_id };
}

function geographic(profile_id: string) {
  return { kind: 'GEOGRAPHIC_PROFILE', profile_id, destination_regions: ['eu-west-1'] };
}

function logsOf(log_groups: readonly string[]) {
  return {
    kind: 'CLOUDWATCH_LOGS',
    topics: [{ name: 'shop', description: 'Shop', max_lookback_minutes: 60, log_groups }],
  };
}
