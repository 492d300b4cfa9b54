import { z } from 'zod';
import { endpointsOf, type MysqlSourceSchema } from './deployment-sources.ts';

/** AWS services that the diagnosis function may call from inside a VPC. */
const EndpointSchema = z.enum([
  'bedrock-runtime',
  'bedrock-agent-runtime',
  'dynamodb',
  'logs',
  'secretsmanager',
]);
export type Endpoint = z.infer<typeof EndpointSchema>;

/** The VPC of the diagnosis function, and how its subnets reach AWS services. */
export const NetworkSchema = z.strictObject({
  vpc_id: z.string().regex(/^vpc-[0-9a-f]{8,17}$/, 'must be vpc-…'),
  // MySQL is reached within this range alone.
  vpc_cidr: z.cidrv4(),
  private_subnets: z
    .array(
      z.strictObject({
        subnet_id: z.string().regex(/^subnet-[0-9a-f]{8,17}$/, 'must be subnet-…'),
        availability_zone: z.string().regex(/^[a-z]{2}-[a-z]{4,12}-[0-9][a-z]$/, 'must be a zone'),
      }),
    )
    .min(2, 'must be at least two, in two zones')
    .max(6),
  route: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('NAT') }),
    z.strictObject({
      kind: z.literal('ENDPOINTS'),
      endpoints: z.array(EndpointSchema).max(EndpointSchema.options.length),
    }),
  ]),
});

/** The endpoints that a function with these sources can't do without. */
export function neededEndpoints(sources: {
  readonly logs: { readonly kind: string };
  readonly knowledge: { readonly kind: string };
  readonly mysql: z.infer<typeof MysqlSourceSchema>;
}): readonly Endpoint[] {
  const hasSecret = endpointsOf(sources.mysql).some(
    ({ login }) => login.kind === 'SECRETS_MANAGER',
  );
  return [
    'bedrock-runtime',
    'dynamodb',
    ...(sources.logs.kind === 'CLOUDWATCH_LOGS' ? (['logs'] as const) : []),
    ...(sources.knowledge.kind === 'BEDROCK_KNOWLEDGE_BASE'
      ? (['bedrock-agent-runtime'] as const)
      : []),
    ...(hasSecret ? (['secretsmanager'] as const) : []),
  ];
}
