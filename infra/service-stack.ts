import { Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { CONFIGURATION_VARIABLE } from '../shared/contracts/configuration.ts';
import type { Deployment } from '../shared/contracts/deployment.ts';
import { RECORD_TABLE_VARIABLE } from '../shared/contracts/record-environment.ts';
import { AliasedFunction } from './aliased-function.ts';
import { callers } from './callers.ts';
import { DiagnosisMachines } from './diagnosis-machines.ts';
import { placementOf } from './function-network.ts';
import { type FunctionKind, namesOf } from './names.ts';
import { operationsKey } from './operations-key.ts';
import type { RecordsStack } from './records-stack.ts';
import { viaService } from './retained-key.ts';
import { modelRights } from './rights/model-rights.ts';
import { sourceRights } from './rights/source-rights.ts';
import { tableRights } from './rights/table-rights.ts';
import { watch } from './watching/watching.ts';

/** What the service is made from. */
export interface ServiceOptions {
  readonly deployment: Deployment;
  readonly records: RecordsStack;
  /** The folder of each function's asset. */
  readonly assets: Readonly<Record<FunctionKind, string>>;
}

/** A diagnosis may take all the time that Lambda gives. */
const DIAGNOSIS_TIMEOUT_SECONDS = 900;
/** An event that waited longer is for nobody on call any more. */
const MAX_EVENT_AGE = Duration.minutes(5);

/** Functions, callers' machines and what watches them; keeps nothing. */
export class ServiceStack extends Stack {
  readonly functions: Readonly<Record<FunctionKind, AliasedFunction>>;
  readonly machines: DiagnosisMachines;
  readonly failedEvents: Queue;

  constructor(scope: Construct, options: ServiceOptions, props: StackProps) {
    const names = namesOf(options.deployment);
    super(scope, names.service, props);
    const logKey = operationsKey(this, options.deployment);
    this.failedEvents = failureQueue(this, names.failureQueue, logKey);
    this.functions = {
      diagnosis: this.#diagnosis(options, logKey),
      cancellation: this.#small(options, logKey, {
        kind: 'cancellation',
        id: 'Cancellation',
        description: 'Asks a run to stop',
      }),
      'run-record': this.#small(options, logKey, {
        kind: 'run-record',
        id: 'RunRecord',
        description: 'Reads the record of runs',
      }),
    };
    const aliasArn = this.functions.diagnosis.alias.functionArn;
    this.machines = new DiagnosisMachines(this, 'Machines', { ...options, aliasArn, logKey });
    const { functions, machines, failedEvents } = this;
    callers(this, { ...options, functions, machines });
    watch(this, { ...options, diagnosis: functions.diagnosis, machines, failedEvents });
  }

  #diagnosis({ deployment, records, assets }: ServiceOptions, logKey: Key): AliasedFunction {
    const diagnosis = new AliasedFunction(this, 'Diagnosis', {
      deployment,
      kind: 'diagnosis',
      description: 'Diagnoses one production problem',
      asset: assets.diagnosis,
      logKey,
      memoryMb: deployment.memory_mb,
      timeoutSeconds: DIAGNOSIS_TIMEOUT_SECONDS,
      environment: { [CONFIGURATION_VARIABLE]: '/var/task/configuration.json' },
      rights: [
        ...tableRights('diagnosis', records),
        ...modelRights(deployment),
        ...sourceRights(deployment),
        ...failureRights(this.failedEvents, logKey),
      ],
      reservedConcurrency: deployment.reserved_concurrency ?? undefined,
      placement: placementOf(this, deployment),
    });
    // On the alias: on the function it would hold for $LATEST alone, which nobody calls.
    diagnosis.alias.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: MAX_EVENT_AGE,
      onFailure: { bind: () => ({ destination: this.failedEvents.queueArn }) },
    });
    return diagnosis;
  }

  #small(
    { deployment, records, assets }: ServiceOptions,
    logKey: Key,
    { kind, id, description }: SmallFunction,
  ): AliasedFunction {
    return new AliasedFunction(this, id, {
      deployment,
      kind,
      description,
      asset: assets[kind],
      logKey,
      memoryMb: 512,
      timeoutSeconds: 30,
      environment: { [RECORD_TABLE_VARIABLE]: records.recordTable.tableName },
      rights: tableRights(kind, records),
    });
  }
}

interface SmallFunction {
  readonly kind: FunctionKind;
  readonly id: string;
  readonly description: string;
}

/** Events that Lambda gave up on, with what their callers asked. */
function failureQueue(stack: Stack, queueName: string, encryptionMasterKey: Key): Queue {
  return new Queue(stack, 'FailedEvents', {
    queueName,
    encryption: QueueEncryption.KMS,
    encryptionMasterKey,
    enforceSSL: true,
    retentionPeriod: Duration.days(7),
    removalPolicy: RemovalPolicy.DESTROY,
  });
}

/** Lambda sends to the destination as the function. */
function failureRights(queue: Queue, key: Key): PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: 'SendFailedEvent',
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
    }),
    new PolicyStatement({
      sid: 'SealFailedEvent',
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [key.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': viaService('sqs') } },
    }),
  ];
}
