import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { aDeployment, resourceOf, resourcesOf, synthesized, theExample } from './synthesized.ts';

const { service } = synthesized();

describe.each([
  ['Diagnosis', 'diagnosis', 900, 1_024],
  ['Cancellation', 'cancellation', 30, 512],
  ['RunRecord', 'run-record', 30, 512],
])('the function %s', (id, name, Timeout, MemorySize) => {
  const lambda = resourceOf(service, 'AWS::Lambda::Function', `${id}Function`);
  const group = resourceOf(service, 'AWS::Logs::LogGroup', `${id}Logs`);

  it('is an ES module for Node 24 on arm64 with a name of its stage', () => {
    expect(lambda.Properties).toMatchObject({
      FunctionName: `diagnosis-sample-${name}`,
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      Timeout,
      MemorySize,
    });
  });

  it('traces, logs JSON at the level of the stage, and captures no answer and no error', () => {
    expect(lambda.Properties.TracingConfig).toEqual({ Mode: 'Active' });
    expect(lambda.Properties.LoggingConfig).toMatchObject({
      LogFormat: 'JSON',
      ApplicationLogLevel: 'INFO',
    });
    expect(lambda.Properties.Environment.Variables).toMatchObject({
      NODE_OPTIONS: '--enable-source-maps',
      POWERTOOLS_TRACER_CAPTURE_RESPONSE: 'false',
      POWERTOOLS_TRACER_CAPTURE_ERROR: 'false',
    });
  });

  it('has a log group of its own with retention and key', () => {
    expect(group.Properties).toMatchObject({
      LogGroupName: `/aws/lambda/diagnosis-sample-${name}`,
      RetentionInDays: 30,
      KmsKeyId: { 'Fn::GetAtt': [expect.stringMatching(/^OperationsKey/), 'Arn'] },
    });
  });

  it('has a role of its own name', () => {
    const role = resourceOf(service, 'AWS::IAM::Role', `${id}Role`);

    expect(role.Properties.RoleName).toBe(`diagnosis-sample-${name}-function`);
    expect(role.Properties.ManagedPolicyArns).toBeUndefined();
  });

  it('is called by an alias of a version that stays', () => {
    const alias = resourceOf(service, 'AWS::Lambda::Alias', `${id}Function`);
    const version = resourceOf(service, 'AWS::Lambda::Version', `${id}Function`);

    expect(alias.Properties.Name).toBe('live');
    expect(version.DeletionPolicy).toBe('Retain');
  });
});

describe('what the functions are told', () => {
  it('is the configuration file for the diagnosis function', () => {
    const { Variables } = resourceOf(service, 'AWS::Lambda::Function', 'DiagnosisFunction')
      .Properties.Environment;

    expect(Variables.DIAGNOSIS_CONFIGURATION).toBe('/var/task/configuration.json');
    expect(Variables.RECORD_TABLE).toBeUndefined();
  });

  it.each(['Cancellation', 'RunRecord'])('is the record table alone for %s', (id) => {
    const { Variables } = resourceOf(service, 'AWS::Lambda::Function', `${id}Function`).Properties
      .Environment;

    expect(Variables.RECORD_TABLE).toBeDefined();
    expect(Variables.DIAGNOSIS_CONFIGURATION).toBeUndefined();
  });
});

describe('asynchronous events', () => {
  it('are tried once, soon, on the alias, and kept when they fail', () => {
    const config = resourceOf(service, 'AWS::Lambda::EventInvokeConfig');

    expect(JSON.stringify(config.Properties.Qualifier)).toContain('DiagnosisFunctionAliaslive');
    expect(config.Properties).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 300,
      DestinationConfig: {
        OnFailure: {
          Destination: { 'Fn::GetAtt': [expect.stringMatching(/^FailedEvents/), 'Arn'] },
        },
      },
    });
  });

  it('that failed lie in an encrypted queue that refuses plain HTTP', () => {
    const queue = resourceOf(service, 'AWS::SQS::Queue');
    const policy = resourceOf(service, 'AWS::SQS::QueuePolicy');

    expect(queue.Properties.KmsMasterKeyId).toBeDefined();
    expect(policy.Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    ]);
  });
});

describe('concurrency', () => {
  it('is reserved for the diagnosis function alone, where a stage says so', () => {
    const reserved = synthesized(aDeployment({ reserved_concurrency: 7 })).service;

    const byFunction = Object.values(resourcesOf(reserved, 'AWS::Lambda::Function')).map(
      ({ Properties }) => [Properties.FunctionName, Properties.ReservedConcurrentExecutions],
    );
    expect(byFunction).toEqual([
      ['diagnosis-sample-diagnosis', 7],
      ['diagnosis-sample-cancellation', undefined],
      ['diagnosis-sample-run-record', undefined],
    ]);
  });
});

describe('the network', () => {
  it('is none unless a stage names a VPC', () => {
    service.resourceCountIs('AWS::EC2::SecurityGroup', 0);
    const { VpcConfig } = resourceOf(
      service,
      'AWS::Lambda::Function',
      'DiagnosisFunction',
    ).Properties;

    expect(VpcConfig).toBeUndefined();
  });

  it('holds the diagnosis function alone, with HTTPS out, MySQL inside and nothing in', () => {
    const example = synthesized(theExample()).service;

    const group = resourceOf(example, 'AWS::EC2::SecurityGroup').Properties;
    const inVpc = Object.values(resourcesOf(example, 'AWS::Lambda::Function'))
      .filter(({ Properties }) => Properties.VpcConfig !== undefined)
      .map(({ Properties }) => Properties.FunctionName);
    expect(inVpc).toEqual(['diagnosis-example-diagnosis']);
    expect(group.SecurityGroupIngress).toBeUndefined();
    expect(group.SecurityGroupEgress).toEqual([
      expect.objectContaining({ CidrIp: '0.0.0.0/0', FromPort: 443, ToPort: 443 }),
      expect.objectContaining({ CidrIp: '10.0.0.0/16', FromPort: 3306, ToPort: 3306 }),
    ]);
  });
});

describe('callers', () => {
  it('of this account attach one policy for each thing to do', () => {
    const names = Object.values(resourcesOf(service, 'AWS::IAM::ManagedPolicy')).map(
      ({ Properties }) => Properties.ManagedPolicyName,
    );

    expect(names).toEqual([
      'diagnosis-sample-may-diagnose',
      'diagnosis-sample-may-cancel',
      'diagnosis-sample-may-read',
    ]);
  });

  it('of other accounts assume a role that only they may assume', () => {
    const trusted = 'arn:aws:iam::444455556666:role/incident-bot';
    const open = synthesized(aDeployment({ trusted_role_arns: [trusted] })).service;

    const caller = resourceOf(open, 'AWS::IAM::Role', 'Caller').Properties;
    expect(caller.AssumeRolePolicyDocument.Statement).toEqual([
      { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { AWS: trusted } },
    ]);
    expect(caller.ManagedPolicyArns).toHaveLength(3);
  });

  it('of other accounts have no role unless a stage names them', () => {
    const roles = Object.keys(resourcesOf(service, 'AWS::IAM::Role'));

    expect(roles.filter((id) => id.startsWith('Caller'))).toEqual([]);
  });
});

describe('the state machines', () => {
  it.each(['diagnosis-sample-one', 'diagnosis-sample-many'])(
    '%s is traced and logs no execution data',
    (StateMachineName) => {
      service.hasResourceProperties('AWS::StepFunctions::StateMachine', {
        StateMachineName,
        TracingConfiguration: { Enabled: true },
        LoggingConfiguration: Match.objectLike({ Level: 'ALL', IncludeExecutionData: false }),
      });
    },
  );
});

it('a stage with an account is bound to it', () => {
  const { app } = synthesized(aDeployment({ account: '111122223333' }));

  expect(app.service.account).toBe('111122223333');
});

it('the tags of a stage are on its resources', () => {
  const tagged = synthesized(aDeployment({ tags: { team: 'platform' } }));

  const queue = resourceOf(tagged.service, 'AWS::SQS::Queue');
  expect(queue.Properties.Tags).toEqual([{ Key: 'team', Value: 'platform' }]);
  expect(Template.fromStack(tagged.app.records)).toBeDefined();
});
