import { describe, expect, it } from 'vitest';
import { EXPIRY_ATTRIBUTE, SESSION_INDEX } from '../../shared/contracts/table-layout.ts';
import { aDeployment, type Resource, resourceOf, resourcesOf, synthesized } from './synthesized.ts';

const { records } = synthesized();
const recordTable = resourceOf(records, 'AWS::DynamoDB::Table', 'RecordTable');
const rawTable = resourceOf(records, 'AWS::DynamoDB::Table', 'RawTable');

describe.each([
  ['record', recordTable, 'RecordKey'],
  ['raw', rawTable, 'RawKey'],
])('the %s table', (name, table, keyPrefix) => {
  it('is named for its stage and keyed by the layout', () => {
    expect(table.Properties.TableName).toBe(`diagnosis-sample-${name}`);
    expect(table.Properties.KeySchema).toEqual([
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ]);
  });

  it('expires items, is protected from deletion and outlives its stack', () => {
    expect(table.Properties.TimeToLiveSpecification).toEqual({
      AttributeName: EXPIRY_ATTRIBUTE,
      Enabled: true,
    });
    expect(table.Properties.DeletionProtectionEnabled).toBe(true);
    expect([table.DeletionPolicy, table.UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
  });

  it('has a customer key of its own', () => {
    const { SSEEnabled, KMSMasterKeyId } = table.Properties.SSESpecification;

    expect(SSEEnabled).toBe(true);
    expect(KMSMasterKeyId['Fn::GetAtt'][0]).toMatch(new RegExp(`^${keyPrefix}`));
  });
});

it('only the record table is recoverable to a point in time', () => {
  const recovery = [recordTable, rawTable].map(
    ({ Properties }) => Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
  );

  expect(recovery).toEqual([true, false]);
});

it('only the record table has the index of sessions', () => {
  expect(recordTable.Properties.GlobalSecondaryIndexes).toEqual([
    {
      IndexName: SESSION_INDEX.name,
      KeySchema: [
        { AttributeName: SESSION_INDEX.partition, KeyType: 'HASH' },
        { AttributeName: SESSION_INDEX.sort, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...SESSION_INDEX.projected] },
    },
  ]);
  expect(rawTable.Properties.GlobalSecondaryIndexes).toBeUndefined();
});

describe('the keys', () => {
  const keys = resourcesOf(records, 'AWS::KMS::Key');

  it.each(Object.entries(keys))('%s rotates and outlives its stack', (_id, key) => {
    expect(key.Properties.EnableKeyRotation).toBe(true);
    expect([key.DeletionPolicy, key.UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
  });

  it.each(Object.entries(keys))('%s is used through its service alone', (_id, key) => {
    const uses = statementsOf(key).filter(({ Sid }) => Sid !== 'Administration');

    const through = uses.map(({ Condition }) => Condition?.StringEquals?.['kms:ViaService']);
    expect(through.every((service) => service !== undefined)).toBe(true);
  });

  it.each(Object.entries(keys))('%s is administered without being used', (_id, key) => {
    const [administration] = statementsOf(key);

    const using = /Decrypt|Encrypt|GenerateDataKey|CreateGrant|\*/;
    expect(administration?.Sid).toBe('Administration');
    expect([administration?.Action].flat().filter((action) => using.test(action))).toEqual([]);
  });

  it('let the raw table be written by the diagnosis function and read by the emergency role', () => {
    const uses = statementsOf(resourceOf(records, 'AWS::KMS::Key', 'RawKey'))
      .filter(({ Sid }) => Sid?.startsWith('Use'))
      .map(({ Condition }) => JSON.stringify(Condition.ArnEquals['aws:PrincipalArn']));

    expect(uses).toEqual([
      expect.stringContaining('role/diagnosis-sample-diagnosis-function'),
      expect.stringContaining('role/diagnosis-sample-raw-reader'),
    ]);
  });
});

describe('the emergency role', () => {
  it('is not there unless a stage names who may assume it', () => {
    expect(resourcesOf(records, 'AWS::IAM::Role')).toEqual({});
  });

  it('reads raw results and nothing else, for the roles that are named', () => {
    const reader = 'arn:aws:iam::111122223333:role/incident-lead';
    const named = synthesized(aDeployment({ break_glass_role_arns: [reader] })).records;

    const role = resourceOf(named, 'AWS::IAM::Role');
    const policy = resourceOf(named, 'AWS::IAM::Policy').Properties.PolicyDocument.Statement;

    expect(role.Properties.AssumeRolePolicyDocument.Statement[0].Principal).toEqual({
      AWS: reader,
    });
    expect(policy.map(({ Action }: { Action: unknown }) => Action)).toEqual([
      ['dynamodb:GetItem', 'dynamodb:Query'],
      ['kms:Decrypt', 'kms:DescribeKey'],
    ]);
  });
});

it('batches are encrypted, private, and expire with the record', () => {
  const bucket = resourceOf(records, 'AWS::S3::Bucket');

  expect(bucket.Properties.PublicAccessBlockConfiguration).toEqual({
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  });
  expect(
    bucket.Properties.BucketEncryption.ServerSideEncryptionConfiguration[0]
      .ServerSideEncryptionByDefault.SSEAlgorithm,
  ).toBe('aws:kms');
  expect(bucket.Properties.LifecycleConfiguration.Rules[0].ExpirationInDays).toBe(100);
});

it('the stack is protected from termination', () => {
  const { app } = synthesized();

  expect(app.records.terminationProtection).toBe(true);
});

function statementsOf(key: Resource) {
  // biome-ignore lint/suspicious/noExplicitAny: statements of a key policy
  return key.Properties.KeyPolicy.Statement as any[];
}
