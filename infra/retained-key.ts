import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/** Who may use a key, through which service, for what. */
export interface KeyUse {
  /** Names of roles of this account; null for whoever an identity policy of the account names. */
  readonly roles: readonly string[] | null;
  /** The service that the roles reach the key through, such as `dynamodb`. */
  readonly through: string;
  readonly actions: readonly string[];
}

/** What makes a key. */
export interface RetainedKeyOptions {
  readonly description: string;
  readonly alias: string;
  readonly uses: readonly KeyUse[];
  /** ARNs, with CloudFormation's substitutions, of roles that make resources under the key. */
  readonly makers: readonly string[];
  /** The service that the makers make resources with. */
  readonly service: string;
  readonly statements?: readonly PolicyStatement[];
}

/** What DynamoDB does with the key for whoever reads a table. */
export const READING = ['kms:Decrypt', 'kms:DescribeKey'];
/** And for whoever writes one, even one who may read nothing of it: it opens the table's own key. */
export const WRITING = [
  ...READING,
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/** Administration of a key without any use of it. */
export const ADMINISTRATION: readonly string[] = [
  'kms:CancelKeyDeletion',
  'kms:CreateAlias',
  'kms:DeleteAlias',
  'kms:DescribeKey',
  'kms:DisableKey',
  'kms:EnableKey',
  'kms:EnableKeyRotation',
  'kms:GetKeyPolicy',
  'kms:GetKeyRotationStatus',
  'kms:ListGrants',
  'kms:ListKeyPolicies',
  'kms:ListResourceTags',
  'kms:PutKeyPolicy',
  'kms:RevokeGrant',
  'kms:ScheduleKeyDeletion',
  'kms:TagResource',
  'kms:UntagResource',
  'kms:UpdateAlias',
  'kms:UpdateKeyDescription',
];

/**
 * A customer managed key that outlives its stack. Nobody of the account uses it by an identity policy
 * alone: its own policy names each role and the service the role comes through. Roles are named in a
 * condition and not as principals, since keys are made before the roles are.
 */
export function retainedKey(scope: Construct, id: string, options: RetainedKeyOptions): Key {
  return new Key(scope, id, {
    description: options.description,
    alias: options.alias,
    enableKeyRotation: true,
    pendingWindow: Duration.days(30),
    removalPolicy: RemovalPolicy.RETAIN,
    policy: new PolicyDocument({
      statements: [
        new PolicyStatement({
          sid: 'Administration',
          principals: [new AccountRootPrincipal()],
          actions: [...ADMINISTRATION],
          resources: ['*'], // in a key policy: this key
        }),
        ...options.uses.map((use, index) => useStatement(use, `Use${index + 1}`)),
        ...makerStatements(options),
        ...(options.statements ?? []),
      ],
    }),
  });
}

function useStatement({ roles, through, actions }: KeyUse, sid: string): PolicyStatement {
  return new PolicyStatement({
    sid,
    principals: [new AccountRootPrincipal()],
    actions: [...actions],
    resources: ['*'], // in a key policy: this key
    conditions: {
      ...(roles !== null && { ArnEquals: { 'aws:PrincipalArn': roles.map(roleArn) } }),
      StringEquals: { 'kms:ViaService': viaService(through) },
    },
  });
}

/** Whoever makes a table or bucket under a key must itself be able to use it through that service. */
function makerStatements({ makers, service }: RetainedKeyOptions): PolicyStatement[] {
  const conditions = {
    ArnEquals: { 'aws:PrincipalArn': [...makers] },
    StringEquals: { 'kms:ViaService': viaService(service) },
  };
  return [
    new PolicyStatement({
      sid: 'Making',
      principals: [new AccountRootPrincipal()],
      actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
      resources: ['*'], // in a key policy: this key
      conditions,
    }),
    new PolicyStatement({
      sid: 'MakingGrants',
      principals: [new AccountRootPrincipal()],
      actions: ['kms:CreateGrant'],
      resources: ['*'], // in a key policy: this key
      conditions: { ...conditions, Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    }),
  ];
}

export function roleArn(name: string): string {
  return `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/${name}`;
}

export function viaService(service: string): string {
  return `${service}.${Aws.REGION}.amazonaws.com`;
}
