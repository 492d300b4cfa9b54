import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Deployment } from '../shared/contracts/deployment.ts';
import { namesOf } from './names.ts';
import type { RecordsStack } from './records-stack.ts';
import { viaService } from './retained-key.ts';
import type { Definition } from './state-machines/asl.ts';
import {
  BATCH_PREFIX,
  MAP_LABEL,
  manyDefinition,
  oneDefinition,
} from './state-machines/definitions.ts';

/** What the machines are made from. */
export interface MachineOptions {
  readonly deployment: Deployment;
  readonly records: RecordsStack;
  readonly aliasArn: string;
  readonly logKey: Key;
}

/** The two state machines, each with a role of its own. Their logs hold no input and no output. */
export class DiagnosisMachines extends Construct {
  readonly one: StateMachine;
  readonly many: StateMachine;

  constructor(scope: Construct, id: string, options: MachineOptions) {
    super(scope, id);
    const { deployment, records, aliasArn } = options;
    const names = namesOf(deployment);
    const bucket = records.batchBucket;
    const maxConcurrency = deployment.many.max_concurrency;
    this.one = machine(this, 'One', {
      ...options,
      name: names.one,
      definition: oneDefinition(aliasArn),
      rights: [invokeRight(aliasArn)],
    });
    this.many = machine(this, 'Many', {
      ...options,
      name: names.many,
      roleName: names.manyRole,
      definition: manyDefinition({ aliasArn, bucket, maxConcurrency }),
      rights: [invokeRight(aliasArn), ...mapRights(names.many), ...batchRights(records)],
    });
  }
}

interface OneMachine extends MachineOptions {
  readonly name: string;
  readonly roleName?: string;
  readonly definition: Definition;
  readonly rights: readonly PolicyStatement[];
}

function machine(scope: Construct, id: string, options: OneMachine): StateMachine {
  const { name, roleName, definition, rights, deployment, logKey } = options;
  const role = new Role(scope, `${id}Role`, {
    ...(roleName !== undefined && { roleName }),
    assumedBy: new ServicePrincipal('states.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  });
  for (const right of rights) role.addToPolicy(right);
  return new StateMachine(scope, id, {
    stateMachineName: name,
    definitionBody: DefinitionBody.fromString(Stack.of(scope).toJsonString(definition)),
    role,
    tracingEnabled: true,
    logs: {
      destination: new LogGroup(scope, `${id}Logs`, {
        // Step Functions wants this prefix for groups that many machines write to.
        logGroupName: `/aws/vendedlogs/states/${name}`,
        retention: deployment.retention.log_days as RetentionDays, // the enum is of these numbers
        encryptionKey: logKey,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      level: LogLevel.ALL,
      includeExecutionData: false,
    },
    ...(definition.TimeoutSeconds !== undefined && {
      timeout: Duration.seconds(definition.TimeoutSeconds),
    }),
  });
}

function invokeRight(aliasArn: string): PolicyStatement {
  return new PolicyStatement({
    sid: 'InvokeDiagnosis',
    actions: ['lambda:InvokeFunction'],
    resources: [aliasArn],
  });
}

/** A distributed map starts executions of its own machine and looks after them. */
function mapRights(name: string): PolicyStatement[] {
  const states = (rest: string) =>
    `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:${rest}`;
  return [
    new PolicyStatement({
      sid: 'StartItems',
      actions: ['states:StartExecution'],
      resources: [states(`stateMachine:${name}`)],
    }),
    new PolicyStatement({
      sid: 'FollowItems',
      actions: ['states:DescribeExecution', 'states:RedriveExecution', 'states:StopExecution'],
      resources: [states(`execution:${name}:*`), states(`execution:${name}/${MAP_LABEL}:*`)],
    }),
  ];
}

function batchRights(records: RecordsStack): PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: 'ReadRequests',
      actions: ['s3:GetObject'],
      resources: [records.batchObjects(BATCH_PREFIX.requests)],
    }),
    new PolicyStatement({
      sid: 'WriteResults',
      actions: [
        's3:AbortMultipartUpload',
        's3:GetObject',
        's3:ListMultipartUploadParts',
        's3:PutObject',
      ],
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
