import {
  Aws,
  DefaultStackSynthesizer,
  Duration,
  Fn,
  RemovalPolicy,
  Stack,
  type StackProps,
} from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { ArnPrincipal, CompositePrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Deployment } from '../shared/contracts/deployment.ts';
import { type Names, namesOf } from './names.ts';
import { rawTable, recordTable } from './record-tables.ts';
import { READING, retainedKey, viaService, WRITING } from './retained-key.ts';

/** What is kept when everything else is taken down: records, raw results, batches, and their keys. */
export class RecordsStack extends Stack {
  readonly recordTable: Table;
  readonly recordKey: Key;
  readonly rawTable: Table;
  readonly rawKey: Key;
  readonly batchKey: Key;
  /** The bucket of batches: requests under `requests/`, results under `results/`. */
  readonly batchBucket: string;

  constructor(scope: Construct, deployment: Deployment, props: StackProps) {
    const names = namesOf(deployment);
    super(scope, names.records, { ...props, terminationProtection: true });
    const makers = [makerOf(this)];
    this.recordKey = recordKey(this, names, makers);
    this.rawKey = rawKey(this, names, makers);
    this.recordTable = recordTable(this, { tableName: names.recordTable, key: this.recordKey });
    this.rawTable = rawTable(this, { tableName: names.rawTable, key: this.rawKey });
    this.batchKey = retainedKey(this, 'BatchKey', {
      description: `Batches of requests and their results, ${names.records}`,
      alias: `alias/${names.records}-batches`,
      // Callers put requests and read results; a policy on them says who.
      uses: [{ roles: null, through: 's3', actions: ['kms:Decrypt', 'kms:GenerateDataKey'] }],
      makers,
      service: 's3',
    });
    this.batchBucket = `${names.batches}-${Aws.ACCOUNT_ID}-${Aws.REGION}`;
    batchBucket(this, deployment.retention.record_days);
    if (deployment.break_glass_role_arns.length > 0) {
      rawReader(this, names, deployment.break_glass_role_arns);
    }
  }

  /** ARNs of the objects below a prefix of the batches. */
  batchObjects(prefix: string): string {
    return `arn:${Aws.PARTITION}:s3:::${this.batchBucket}/${prefix}*`;
  }
}

function recordKey(stack: Stack, names: Names, makers: readonly string[]): Key {
  const { diagnosis, cancellation, 'run-record': reader } = names.functionRoles;
  return retainedKey(stack, 'RecordKey', {
    description: `The record of runs, ${names.recordTable}`,
    alias: `alias/${names.recordTable}`,
    uses: [
      { roles: [diagnosis, cancellation], through: 'dynamodb', actions: WRITING },
      { roles: [reader], through: 'dynamodb', actions: READING },
    ],
    makers,
    service: 'dynamodb',
  });
}

function rawKey(stack: Stack, names: Names, makers: readonly string[]): Key {
  return retainedKey(stack, 'RawKey', {
    description: `Raw results of runs, ${names.rawTable}`,
    alias: `alias/${names.rawTable}`,
    uses: [
      { roles: [names.functionRoles.diagnosis], through: 'dynamodb', actions: WRITING },
      { roles: [names.rawReaderRole], through: 'dynamodb', actions: READING },
    ],
    makers,
    service: 'dynamodb',
  });
}

function batchBucket(stack: RecordsStack, days: number): Bucket {
  return new Bucket(stack, 'Batches', {
    bucketName: stack.batchBucket,
    encryptionKey: stack.batchKey,
    encryption: BucketEncryption.KMS,
    bucketKeyEnabled: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    removalPolicy: RemovalPolicy.RETAIN,
    lifecycleRules: [
      { expiration: Duration.days(days), abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
  });
}

/** The one role that reads raw results, for whom a stage names. */
function rawReader(stack: RecordsStack, names: Names, roleArns: readonly string[]): void {
  const role = new Role(stack, 'RawReader', {
    roleName: names.rawReaderRole,
    description: 'Reads raw results of runs in an emergency',
    assumedBy: new CompositePrincipal(...roleArns.map((arn) => new ArnPrincipal(arn))),
    maxSessionDuration: Duration.hours(1),
  });
  role.addToPolicy(
    new PolicyStatement({
      sid: 'ReadRaw',
      actions: ['dynamodb:GetItem', 'dynamodb:Query'],
      resources: [stack.rawTable.tableArn],
    }),
  );
  role.addToPolicy(
    new PolicyStatement({
      sid: 'OpenRaw',
      actions: [...READING],
      resources: [stack.rawKey.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': viaService('dynamodb') } },
    }),
  );
}

/** The role that CloudFormation deploys with. */
function makerOf(stack: Stack): string {
  const { synthesizer } = stack;
  const arn =
    synthesizer instanceof DefaultStackSynthesizer
      ? synthesizer.cloudFormationExecutionRoleArn
      : `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:root`;
  return Fn.sub(arn);
}
