import { describe, expect, it } from 'vitest';
import { type Grant, grantsOf, phrase } from './granted.ts';
import { ACCOUNT, REGION, resolved } from './resolved-template.ts';
import { synthesized, theExample } from './synthesized.ts';

const sample = resolved(synthesized()).service;
const example = resolved(synthesized(theExample())).service;
const ROLES = ['DiagnosisRole', 'CancellationRole', 'RunRecordRole', 'MachinesOne', 'MachinesMany'];
const RECORD = `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/diagnosis-sample-record`;
const RAW = `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/diagnosis-sample-raw`;
const VIA_DYNAMODB = { StringEquals: { 'kms:ViaService': 'dynamodb.eu-central-1.amazonaws.com' } };

describe('no role', () => {
  const everything = [...ROLES, 'May', 'Caller'].flatMap((role) => [
    ...grantsOf(sample, role),
    ...grantsOf(example, role),
  ]);

  it('may do what no list names', () => {
    expect(everything.filter(({ action }) => action.includes('*'))).toEqual([]);
  });

  it.each(['Scan', 'DeleteItem', 'BatchWriteItem', 'PartiQL'])('may %s', (operation) => {
    expect(everything.filter(({ action }) => action.includes(operation))).toEqual([]);
  });

  it('may do something on every resource but what AWS knows no resource for', () => {
    const wide = everything.filter(({ resource }) => resource === '*').map(({ action }) => action);

    expect(new Set(wide)).toEqual(
      new Set([
        // writing traces
        'xray:PutTraceSegments',
        'xray:PutTelemetryRecords',
        'xray:GetSamplingRules',
        'xray:GetSamplingTargets',
        // delivering a state machine's logs
        'logs:CreateLogDelivery',
        'logs:GetLogDelivery',
        'logs:UpdateLogDelivery',
        'logs:DeleteLogDelivery',
        'logs:ListLogDeliveries',
        'logs:PutResourcePolicy',
        'logs:DescribeResourcePolicies',
        'logs:DescribeLogGroups',
        // following a query and its records, whose ids are their secret
        'logs:GetQueryResults',
        'logs:GetLogRecord',
        'logs:StopQuery',
        // Lambda's network interfaces
        'ec2:AssignPrivateIpAddresses',
        'ec2:CreateNetworkInterface',
        'ec2:DeleteNetworkInterface',
        'ec2:DescribeNetworkInterfaces',
        'ec2:DescribeSubnets',
        'ec2:UnassignPrivateIpAddresses',
      ]),
    );
  });
});

describe('of the two tables', () => {
  it('the diagnosis function writes the record and puts raw results, without getting them back', () => {
    const grants = dynamodb('DiagnosisRole');

    expect(grants.map(phrase)).toEqual([
      `dynamodb:ConditionCheckItem on ${RECORD}`,
      `dynamodb:GetItem on ${RECORD}`,
      `dynamodb:PutItem on ${RECORD}`,
      `dynamodb:Query on ${RECORD}`,
      `dynamodb:UpdateItem on ${RECORD}`,
      `dynamodb:PutItem on ${RAW}`,
    ]);
    expect(grants.at(-1)?.conditions).toEqual({
      StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
    });
  });

  it('the cancellation function updates the record and does nothing else', () => {
    expect(dynamodb('CancellationRole').map(phrase)).toEqual([`dynamodb:UpdateItem on ${RECORD}`]);
  });

  it('the run-record function reads the record and its index and does nothing else', () => {
    expect(dynamodb('RunRecordRole').map(phrase)).toEqual([
      `dynamodb:GetItem on ${RECORD}`,
      `dynamodb:Query on ${RECORD}`,
      `dynamodb:Query on ${RECORD}/index/runs-of-session`,
    ]);
  });

  it.each(['MachinesOne', 'MachinesMany', 'May'])('%s has no part', (role) => {
    expect(dynamodb(role)).toEqual([]);
  });

  it('only the diagnosis function opens the raw key, and every table key through DynamoDB alone', () => {
    const keys = (role: string) =>
      grantsOf(sample, role).filter(({ resource }) => /key\/(?:Raw|Record)Key$/.test(resource));

    const raw = ROLES.filter((role) => keys(role).some(({ resource }) => resource.includes('Raw')));
    const conditions = ROLES.flatMap(keys).map((grant) => grant.conditions);
    expect(raw).toEqual(['DiagnosisRole']);
    expect(conditions).toEqual(conditions.map(() => VIA_DYNAMODB));
  });
});

describe('of the functions', () => {
  const alias = (name: string) =>
    `arn:aws:lambda:${REGION}:${ACCOUNT}:function:diagnosis-sample-${name}:live`;

  it.each([
    ['MachinesOne', 'diagnosis'],
    ['MachinesMany', 'diagnosis'],
    ['MayDiagnose', 'diagnosis'],
    ['MayCancel', 'cancellation'],
    ['MayRead', 'run-record'],
  ])('%s invokes the alias of %s alone', (policy, name) => {
    const invoked = grantsOf(sample, policy).filter(({ action }) => action.startsWith('lambda:'));

    expect(invoked.map(phrase)).toEqual([`lambda:InvokeFunction on ${alias(name)}`]);
  });

  it('none invokes another', () => {
    const invoking = ROLES.slice(0, 3)
      .flatMap((role) => grantsOf(sample, role))
      .filter(({ action }) => action.startsWith('lambda:') || action.startsWith('states:'));

    expect(invoking).toEqual([]);
  });
});

function dynamodb(role: string): Grant[] {
  return grantsOf(sample, role).filter(({ action }) => action.startsWith('dynamodb:'));
}
