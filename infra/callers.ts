import { Aws, CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import {
  ArnPrincipal,
  CompositePrincipal,
  ManagedPolicy,
  PolicyStatement,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { Deployment } from '../shared/contracts/deployment.ts';
import type { AliasedFunction } from './aliased-function.ts';
import type { DiagnosisMachines } from './diagnosis-machines.ts';
import { type FunctionKind, namesOf } from './names.ts';
import type { RecordsStack } from './records-stack.ts';
import { viaService } from './retained-key.ts';
import { BATCH_PREFIX } from './state-machines/definitions.ts';

/** What there is to call. */
export interface Callable {
  readonly deployment: Deployment;
  readonly records: RecordsStack;
  readonly functions: Readonly<Record<FunctionKind, AliasedFunction>>;
  readonly machines: DiagnosisMachines;
}

/**
 * What callers of this account attach to their roles, one policy for each thing to do. Callers of other
 * accounts assume a role that has all three. Nothing is opened on the functions' side: no resource
 * policy, no route.
 */
export function callers(stack: Stack, callable: Callable): void {
  const { deployment, records, functions, machines } = callable;
  const { stage, trusted_role_arns: trusted } = deployment;
  const { diagnosis, cancellation, 'run-record': record } = functions;
  const policies = [
    policy(stack, 'MayDiagnose', `diagnosis-${stage}-may-diagnose`, [
      invoke(diagnosis.alias.functionArn),
      ...machineRights(callable),
      ...batchRights(records),
    ]),
    policy(stack, 'MayCancel', `diagnosis-${stage}-may-cancel`, [
      invoke(cancellation.alias.functionArn),
    ]),
    policy(stack, 'MayRead', `diagnosis-${stage}-may-read`, [invoke(record.alias.functionArn)]),
  ];
  if (trusted.length > 0) {
    const role = new Role(stack, 'Caller', {
      roleName: `diagnosis-${stage}-caller`,
      description: 'Callers of other accounts',
      assumedBy: new CompositePrincipal(...trusted.map((arn) => new ArnPrincipal(arn))),
      managedPolicies: policies,
      maxSessionDuration: Duration.hours(1),
    });
    new CfnOutput(stack, 'CallerRole', { value: role.roleArn });
  }
  new CfnOutput(stack, 'DiagnosisAlias', { value: diagnosis.alias.functionArn });
  new CfnOutput(stack, 'CancellationAlias', { value: cancellation.alias.functionArn });
  new CfnOutput(stack, 'RunRecordAlias', { value: record.alias.functionArn });
  new CfnOutput(stack, 'OneMachine', { value: machines.one.stateMachineArn });
  new CfnOutput(stack, 'ManyMachine', { value: machines.many.stateMachineArn });
  new CfnOutput(stack, 'BatchBucket', { value: records.batchBucket });
}

function policy(
  stack: Stack,
  id: string,
  managedPolicyName: string,
  statements: PolicyStatement[],
): ManagedPolicy {
  return new ManagedPolicy(stack, id, { managedPolicyName, statements });
}

function invoke(aliasArn: string): PolicyStatement {
  return new PolicyStatement({
    sid: 'Invoke',
    actions: ['lambda:InvokeFunction'],
    resources: [aliasArn],
  });
}

function machineRights({ machines, deployment }: Callable): PolicyStatement[] {
  const { one, many } = namesOf(deployment);
  return [
    new PolicyStatement({
      sid: 'Start',
      actions: ['states:StartExecution'],
      resources: [machines.one.stateMachineArn, machines.many.stateMachineArn],
    }),
    new PolicyStatement({
      sid: 'Follow',
      actions: ['states:DescribeExecution', 'states:StopExecution'],
      resources: [one, many].map(
        (name) => `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:execution:${name}:*`,
      ),
    }),
  ];
}

function batchRights(records: RecordsStack): PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: 'PutRequests',
      actions: ['s3:PutObject'],
      resources: [records.batchObjects(BATCH_PREFIX.requests)],
    }),
    new PolicyStatement({
      sid: 'GetResults',
      actions: ['s3:GetObject'],
      resources: [records.batchObjects(BATCH_PREFIX.results)],
    }),
    new PolicyStatement({
      sid: 'OpenBatches',
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [records.batchKey.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': viaService('s3') } },
    }),
  ];
}
