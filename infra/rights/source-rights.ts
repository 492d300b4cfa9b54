import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Deployment } from '../../shared/contracts/deployment.ts';
import { endpointsOf } from '../../shared/contracts/deployment-sources.ts';
import { viaService } from '../retained-key.ts';

/** What the diagnosis function may ask of the evidence sources of a stage: nothing but those. */
export function sourceRights(
  deployment: Pick<Deployment, 'region' | 'logs' | 'knowledge' | 'mysql'>,
): PolicyStatement[] {
  return [...logRights(deployment), ...knowledgeRights(deployment), ...mysqlRights(deployment)];
}

function logRights({ logs, region }: Pick<Deployment, 'logs' | 'region'>): PolicyStatement[] {
  if (logs.kind !== 'CLOUDWATCH_LOGS') return [];
  const groups = new Set(logs.topics.flatMap(({ log_groups }) => log_groups));
  return [
    new PolicyStatement({
      sid: 'StartLogQuery',
      actions: ['logs:StartQuery'],
      resources: [...groups].map((group) =>
        group.startsWith('arn:') ? `${group}:*` : arn(`logs:${region}`, `log-group:${group}:*`),
      ),
    }),
    new PolicyStatement({
      sid: 'FollowLogQuery',
      actions: ['logs:GetLogRecord', 'logs:GetQueryResults', 'logs:StopQuery'],
      resources: ['*'], // AWS knows no resource for a query or a record; their ids come from a query that was allowed
    }),
  ];
}

function knowledgeRights({
  knowledge,
  region,
}: Pick<Deployment, 'knowledge' | 'region'>): PolicyStatement[] {
  if (knowledge.kind !== 'BEDROCK_KNOWLEDGE_BASE') return [];
  return [
    new PolicyStatement({
      sid: 'RetrieveKnowledge',
      actions: ['bedrock:Retrieve'],
      resources: [arn(`bedrock:${region}`, `knowledge-base/${knowledge.knowledge_base_id}`)],
    }),
  ];
}

function mysqlRights({ mysql, region }: Pick<Deployment, 'mysql' | 'region'>): PolicyStatement[] {
  const logins = endpointsOf(mysql).map(({ login }) => login);
  const users = logins.flatMap((login) =>
    login.kind === 'RDS_IAM'
      ? [arn(`rds-db:${region}`, `dbuser:${login.resource_id}/${login.user}`)]
      : [],
  );
  const secrets = logins.filter((login) => login.kind === 'SECRETS_MANAGER');
  const keys = secrets.flatMap(({ key_arn }) => (key_arn === undefined ? [] : [key_arn]));
  return [
    ...allow('ConnectMysql', 'rds-db:connect', users),
    ...allow(
      'ReadMysqlSecret',
      'secretsmanager:GetSecretValue',
      secrets.map(({ secret_arn }) => secret_arn),
    ),
    ...allow('OpenMysqlSecret', 'kms:Decrypt', keys, {
      StringEquals: { 'kms:ViaService': viaService('secretsmanager') },
    }),
  ];
}

/** One statement, or none where there is nothing to allow it on. */
function allow(
  sid: string,
  action: string,
  resources: readonly string[],
  conditions?: Record<string, Record<string, string>>,
): PolicyStatement[] {
  if (resources.length === 0) return [];
  return [
    new PolicyStatement({
      sid,
      actions: [action],
      resources: [...new Set(resources)],
      ...(conditions !== undefined && { conditions }),
    }),
  ];
}

function arn(serviceAndRegion: string, resource: string): string {
  return `arn:${Aws.PARTITION}:${serviceAndRegion}:${Aws.ACCOUNT_ID}:${resource}`;
}
