import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Deployment } from '../../shared/contracts/deployment.ts';

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
      resources: [...groups].map((group) => arn(`logs:${region}`, `log-group:${group}:*`)),
    }),
    new PolicyStatement({
      sid: 'FollowLogQuery',
      actions: ['logs:GetQueryResults', 'logs:StopQuery'],
      resources: ['*'], // AWS knows no resource for a query; its id is 128 random bits
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
  if (mysql.kind !== 'MYSQL') return [];
  return [
    new PolicyStatement({
      sid: 'ConnectMysql',
      actions: ['rds-db:connect'],
      resources: mysql.targets.map(({ resource_id, user }) =>
        arn(`rds-db:${region}`, `dbuser:${resource_id}/${user}`),
      ),
    }),
  ];
}

function arn(serviceAndRegion: string, resource: string): string {
  return `arn:${Aws.PARTITION}:${serviceAndRegion}:${Aws.ACCOUNT_ID}:${resource}`;
}
