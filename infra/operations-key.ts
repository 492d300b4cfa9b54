import { Aws, Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import {
  AccountRootPrincipal,
  PolicyDocument,
  PolicyStatement,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Deployment } from '../shared/contracts/deployment.ts';
import { namesOf } from './names.ts';
import { ADMINISTRATION, viaService } from './retained-key.ts';

/** The key of logs and failed events; goes with the service. */
export function operationsKey(stack: Stack, deployment: Deployment): Key {
  const names = namesOf(deployment);
  const groups = [
    ...Object.values(names.functions).map((name) => `/aws/lambda/${name}`),
    ...[names.one, names.many].map((name) => `/aws/vendedlogs/states/${name}`),
  ];
  return new Key(stack, 'OperationsKey', {
    description: `Logs and failed events, ${names.service}`,
    alias: `alias/${names.service}`,
    enableKeyRotation: true,
    pendingWindow: Duration.days(30),
    removalPolicy: RemovalPolicy.DESTROY,
    policy: new PolicyDocument({
      statements: [
        new PolicyStatement({
          sid: 'Administration',
          principals: [new AccountRootPrincipal()],
          actions: [...ADMINISTRATION],
          resources: ['*'], // in a key policy: this key
        }),
        new PolicyStatement({
          sid: 'Logs',
          principals: [new ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
          actions: [
            'kms:Decrypt',
            'kms:DescribeKey',
            'kms:Encrypt',
            'kms:GenerateDataKey',
            'kms:ReEncryptFrom',
            'kms:ReEncryptTo',
          ],
          resources: ['*'], // in a key policy: this key
          conditions: {
            ArnEquals: { 'kms:EncryptionContext:aws:logs:arn': groups.map(logGroupArn) },
          },
        }),
        new PolicyStatement({
          sid: 'FailedEvents',
          principals: [new AccountRootPrincipal()],
          actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
          resources: ['*'], // in a key policy: this key
          conditions: { StringEquals: { 'kms:ViaService': viaService('sqs') } },
        }),
      ],
    }),
  });
}

function logGroupArn(name: string): string {
  return `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:${name}`;
}
