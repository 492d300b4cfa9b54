import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import {
  type Alias,
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Deployment } from '../shared/contracts/deployment.ts';
import { METRICS_NAMESPACE } from '../shared/contracts/metrics.ts';
import { ALIAS, type FunctionKind, namesOf } from './names.ts';

/** Where a function stands in a VPC. */
export interface Placement {
  readonly vpc: IVpc;
  readonly vpcSubnets: SubnetSelection;
  readonly securityGroups: ISecurityGroup[];
}

/** What makes a function. */
export interface AliasedFunctionOptions {
  readonly deployment: Deployment;
  readonly kind: FunctionKind;
  readonly description: string;
  /** The folder with `index.mjs`. */
  readonly asset: string;
  readonly logKey: Key;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly rights: readonly PolicyStatement[];
  readonly reservedConcurrency?: number | undefined;
  readonly placement?: Placement | undefined;
}

/** A function with a role and a log group of its own, and the alias that callers use. */
export class AliasedFunction extends Construct {
  readonly function: LambdaFunction;
  readonly alias: Alias;
  readonly role: Role;

  constructor(scope: Construct, id: string, options: AliasedFunctionOptions) {
    super(scope, id);
    const { deployment, kind } = options;
    const names = namesOf(deployment);
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${names.functions[kind]}`,
      retention: deployment.retention.log_days as RetentionDays, // the enum is of these numbers
      encryptionKey: options.logKey,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', {
      roleName: names.functionRoles[kind],
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    const rights = [logRight(logGroup), ...options.rights];
    for (const right of rights) this.role.addToPolicy(right);
    if (options.placement !== undefined) this.role.addToPolicy(networkRight());
    this.function = this.#make(options, logGroup);
    this.alias = this.function.addAlias(ALIAS); // of the current version
  }

  #make(options: AliasedFunctionOptions, logGroup: LogGroup): LambdaFunction {
    const { deployment, kind, environment, placement, reservedConcurrency } = options;
    return new LambdaFunction(this, 'Function', {
      functionName: namesOf(deployment).functions[kind],
      description: options.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(options.asset),
      role: this.role,
      memorySize: options.memoryMb,
      timeout: Duration.seconds(options.timeoutSeconds),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: LOG_LEVELS[deployment.log_level],
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: Tracing.ACTIVE,
      environment: {
        NODE_OPTIONS: '--enable-source-maps',
        POWERTOOLS_SERVICE_NAME: namesOf(deployment).functions[kind],
        POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
        // Errors and answers hold words of the run; a trace gets neither.
        POWERTOOLS_TRACER_CAPTURE_RESPONSE: 'false',
        POWERTOOLS_TRACER_CAPTURE_ERROR: 'false',
        ...environment,
      },
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
      ...(reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: reservedConcurrency,
      }),
      ...placement,
    });
  }
}

const LOG_LEVELS = {
  DEBUG: ApplicationLogLevel.DEBUG,
  INFO: ApplicationLogLevel.INFO,
  WARN: ApplicationLogLevel.WARN,
  ERROR: ApplicationLogLevel.ERROR,
} as const satisfies Record<Deployment['log_level'], ApplicationLogLevel>;

function logRight(logGroup: LogGroup): PolicyStatement {
  return new PolicyStatement({
    sid: 'WriteLogs',
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
}

/** Lambda makes network interfaces as the function; AWS checks these on every resource. */
function networkRight(): PolicyStatement {
  return new PolicyStatement({
    sid: 'UseNetwork',
    actions: [
      'ec2:AssignPrivateIpAddresses',
      'ec2:CreateNetworkInterface',
      'ec2:DeleteNetworkInterface',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSubnets',
      'ec2:UnassignPrivateIpAddresses',
    ],
    resources: ['*'],
  });
}
