import { globSync, readFileSync } from 'node:fs';
import { App, CustomResource, NestedStack, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../shared/contracts/deployment.ts';
import { publicRoutesIn, type RoutedTemplate } from './public-routes.ts';
import { aDeployment, anApp, theExample } from './synthesized.ts';

const role = 'arn:aws:iam::111122223333:role/somebody';

describe.each<[string, Deployment]>([
  ['the shipped stage', aDeployment()],
  ['the example', theExample()],
  [
    'a stage with every option',
    theExample({ trusted_role_arns: [role], break_glass_role_arns: [role] }),
  ],
])('%s', (_name, deployment) => {
  const templates = templatesOf(anApp(deployment));

  it('has no public route in any template', () => {
    expect(templates.flatMap(publicRoutesIn)).toEqual([]);
  });

  it('has two templates, none of them nested', () => {
    expect(templates).toHaveLength(2);
  });
});

describe('the search for routes', () => {
  const allow = (Principal: unknown) => ({
    PolicyDocument: { Statement: [{ Effect: 'Allow', Action: 'sqs:*', Principal }] },
  });

  it.each<[string, string, unknown]>([
    ['a function URL', 'AWS::Lambda::Url', {}],
    ['a permission on a function', 'AWS::Lambda::Permission', {}],
    ['a REST API', 'AWS::ApiGateway::RestApi', {}],
    ['an HTTP API', 'AWS::ApiGatewayV2::Api', {}],
    ['a classic load balancer', 'AWS::ElasticLoadBalancing::LoadBalancer', {}],
    ['a load balancer', 'AWS::ElasticLoadBalancingV2::LoadBalancer', {}],
    ['a target group', 'AWS::ElasticLoadBalancingV2::TargetGroup', {}],
    ['a distribution', 'AWS::CloudFront::Distribution', {}],
    ['a GraphQL API', 'AWS::AppSync::GraphQLApi', {}],
    ['a lattice service', 'AWS::VpcLattice::Service', {}],
    ['an IoT rule', 'AWS::IoT::TopicRule', {}],
    ['an identity pool', 'AWS::Cognito::IdentityPool', {}],
    ['a custom resource', 'AWS::CloudFormation::CustomResource', {}],
    ['a named custom resource', 'Custom::Anything', {}],
    ['a macro', 'AWS::CloudFormation::Macro', {}],
    ['a nested stack that was not looked at', 'AWS::CloudFormation::Stack', {}],
    ['a SAM function', 'AWS::Serverless::Function', {}],
    ['an Allow for everyone', 'AWS::SQS::QueuePolicy', allow('*')],
    ['an Allow for every account', 'AWS::SQS::QueuePolicy', allow({ AWS: '*' })],
    ['an Allow for everyone among others', 'AWS::KMS::Key', allow({ AWS: [role, '*'] })],
    [
      'an Allow for all but some',
      'AWS::S3::BucketPolicy',
      { PolicyDocument: { Statement: [{ Effect: 'Allow', NotPrincipal: { AWS: role } }] } },
    ],
    ['a website', 'AWS::S3::Bucket', { WebsiteConfiguration: { IndexDocument: 'index.html' } }],
  ])('finds %s', (_case, Type, Properties) => {
    expect(publicRoutesIn({ Resources: { It: { Type, Properties } } })).toHaveLength(1);
  });

  it('finds a transform', () => {
    const template = { Transform: 'AWS::Serverless-2016-10-31', Resources: {} };

    expect(publicRoutesIn(template)).toHaveLength(1);
  });

  it.each([
    ['a Deny for everyone', { Effect: 'Deny', Principal: '*' }],
    ['an Allow for a role', { Effect: 'Allow', Principal: { AWS: role } }],
  ])('lets %s pass', (_case, statement) => {
    const Properties = { PolicyDocument: { Statement: [statement] } };

    const resource = { Type: 'AWS::SQS::QueuePolicy', Properties };
    expect(publicRoutesIn({ Resources: { It: resource } })).toEqual([]);
  });

  it('looks into the template of a nested stack', () => {
    const app = new App({ autoSynth: false });
    const nested = new NestedStack(new Stack(app, 'Outer'), 'Inner');
    new Bucket(nested, 'Site', { websiteIndexDocument: 'index.html' });
    new CustomResource(nested, 'Custom', { serviceToken: 'arn:aws:sns:eu-central-1:1:x' });

    const found = templatesOf(app).flatMap(publicRoutesIn);

    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringContaining('a website'),
        expect.stringContaining('AWS::CloudFormation::CustomResource'),
        expect.stringContaining('AWS::CloudFormation::Stack'),
      ]),
    );
  });
});

/** Every template of an app, nested ones too. */
function templatesOf(app: App): RoutedTemplate[] {
  const { directory } = app.synth();
  return globSync(`${directory}/**/*.template.json`).map(
    (file) => JSON.parse(readFileSync(file, 'utf8')) as RoutedTemplate, // CDK wrote it
  );
}
