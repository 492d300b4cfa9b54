import { type Stack, Validations } from 'aws-cdk-lib';
import { Peer, Port, SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import type { Deployment } from '../shared/contracts/deployment.ts';
import { endpointsOf } from '../shared/contracts/deployment-sources.ts';
import type { Placement } from './aliased-function.ts';

/** The function in the VPC of the stage: HTTPS to AWS services, MySQL within the VPC, nothing else. */
export function placementOf(
  stack: Stack,
  { network, mysql }: Pick<Deployment, 'network' | 'mysql'>,
): Placement | undefined {
  if (network === null) return undefined;
  const vpc = Vpc.fromVpcAttributes(stack, 'Vpc', {
    vpcId: network.vpc_id,
    availabilityZones: network.private_subnets.map(({ availability_zone }) => availability_zone),
    privateSubnetIds: network.private_subnets.map(({ subnet_id }) => subnet_id),
  });
  const group = new SecurityGroup(stack, 'DiagnosisNetwork', {
    vpc,
    description: 'The diagnosis function: HTTPS out, MySQL inside, nothing in',
    allowAllOutbound: false,
  });
  group.addEgressRule(Peer.anyIpv4(), Port.HTTPS, 'AWS services');
  for (const port of new Set(endpointsOf(mysql).map((endpoint) => endpoint.port))) {
    group.addEgressRule(Peer.ipv4(network.vpc_cidr), Port.tcp(port), 'MySQL');
  }
  // Nothing here looks at route tables; how the subnets reach AWS is the stage's own statement.
  Validations.of(vpc).acknowledge({
    id: 'Annotation::@aws-cdk/aws-ec2:noSubnetRouteTableId',
    reason: 'No construct of ours asks for a route table',
  });
  return { vpc, vpcSubnets: { subnets: vpc.privateSubnets }, securityGroups: [group] };
}
