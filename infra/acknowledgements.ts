import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { Deployment } from '../shared/contracts/deployment.ts';
import { namesOf } from './names.ts';
import { BATCH_PREFIX, MAP_LABEL } from './state-machines/definitions.ts';

/** A finding that stands, where, and why. */
interface Acknowledged {
  /** The construct's path below the app. */
  readonly path: string;
  readonly rule: string;
  readonly reason: string;
}

/** The trees that findings stand in. */
export interface AcknowledgingApp extends IConstruct {
  readonly records: IConstruct;
  readonly service: IConstruct;
}

/** Acknowledges each finding of the rule packs by itself; one that is not here stops the synthesis. */
export function acknowledge(app: AcknowledgingApp, deployment: Deployment): void {
  for (const { path, rule, reason } of recordFindings()) accept(app.records, path, rule, reason);
  for (const { path, rule, reason } of serviceFindings(deployment)) {
    accept(app.service, path, rule, reason);
  }
}

function accept(root: IConstruct, path: string, rule: string, reason: string): void {
  const construct = path
    .split('/')
    .reduce<IConstruct>((parent, id) => parent.node.findChild(id), root);
  Validations.of(construct).acknowledge({ id: rule, reason });
}

function recordFindings(): Acknowledged[] {
  return [
    {
      path: 'RawTable',
      rule: 'AwsSolutions::AwsSolutions-DDB3',
      reason: 'Raw results must be gone after their days; a recoverable table would keep them',
    },
    {
      path: 'Batches',
      rule: 'AwsSolutions::AwsSolutions-S1',
      reason: 'Access is audited by CloudTrail data events where an account wants it',
    },
  ];
}

function serviceFindings(deployment: Deployment): Acknowledged[] {
  const { one, many } = namesOf(deployment);
  const executions = (name: string) =>
    `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${name}:*`;
  const objects = (prefix: string) =>
    `arn:<AWS::Partition>:s3:::${namesOf(deployment).batches}-<AWS::AccountId>-<AWS::Region>/${prefix}*`;
  const wildcards: [string, string, string][] = [
    ['Diagnosis/Role/DefaultPolicy', '*', diagnosisWildcards(deployment)],
    ['Cancellation/Role/DefaultPolicy', '*', TRACING],
    ['RunRecord/Role/DefaultPolicy', '*', TRACING],
    ['Machines/OneRole/DefaultPolicy', '*', MACHINE],
    ['Machines/ManyRole/DefaultPolicy', '*', MACHINE],
    ['Machines/ManyRole/DefaultPolicy', executions(many), EXECUTIONS],
    ['Machines/ManyRole/DefaultPolicy', executions(`${many}/${MAP_LABEL}`), EXECUTIONS],
    ['Machines/ManyRole/DefaultPolicy', objects(BATCH_PREFIX.requests), OBJECTS],
    ['Machines/ManyRole/DefaultPolicy', objects(BATCH_PREFIX.results), OBJECTS],
    ['MayDiagnose', executions(one), EXECUTIONS],
    ['MayDiagnose', executions(many), EXECUTIONS],
    ['MayDiagnose', objects(BATCH_PREFIX.requests), OBJECTS],
    ['MayDiagnose', objects(BATCH_PREFIX.results), OBJECTS],
    ...logWildcards(deployment),
  ];
  return [
    {
      path: 'FailedEvents',
      rule: 'AwsSolutions::AwsSolutions-SQS3',
      reason: 'This queue is where failed events end; nothing consumes it but an operator',
    },
    {
      path: 'FailedEvents',
      rule: 'Serverless::Serverless-SQSRedrivePolicy',
      reason: 'This queue is where failed events end; nothing consumes it but an operator',
    },
    {
      path: 'Diagnosis/Function',
      rule: 'Serverless::Serverless-LambdaDLQ',
      reason:
        'The alias has a failure destination, which unlike a dead-letter queue holds the error',
    },
    ...['Cancellation', 'RunRecord'].map((id) => ({
      path: `${id}/Function`,
      rule: 'Serverless::Serverless-LambdaDLQ',
      reason: 'Its answer is all it is for, so that nobody invokes it asynchronously',
    })),
    ...wildcards.map(([path, resource, reason]) => ({
      path,
      rule: `AwsSolutions::AwsSolutions-IAM5[Resource::${resource}]`,
      reason,
    })),
  ];
}

const TRACING = 'X-Ray: AWS knows no resource for writing traces';
const MACHINE = 'X-Ray and the delivery of logs: AWS knows no resource for either';
const EXECUTIONS = 'Executions have names of their callers; those of this one machine';
const OBJECTS = 'Objects have names of their callers; those below this one prefix';

function diagnosisWildcards({ logs, network }: Deployment): string {
  return [
    TRACING,
    ...(logs.kind === 'CLOUDWATCH_LOGS'
      ? ['Logs Insights: AWS knows no resource for reading and stopping a query']
      : []),
    ...(network !== null ? ['VPC: AWS checks network interfaces on every resource'] : []),
  ].join('. ');
}

/** The ARN of a log group ends in `:*`, which stands for its streams. */
function logWildcards({ logs, region }: Deployment): [string, string, string][] {
  if (logs.kind !== 'CLOUDWATCH_LOGS') return [];
  const groups = new Set(logs.topics.flatMap(({ log_groups }) => log_groups));
  return [...groups].map((group) => [
    'Diagnosis/Role/DefaultPolicy',
    group.startsWith('arn:')
      ? `${group}:*`
      : `arn:<AWS::Partition>:logs:${region}:<AWS::AccountId>:log-group:${group}:*`,
    'All streams of this one log group',
  ]);
}
