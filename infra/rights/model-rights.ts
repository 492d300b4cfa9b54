import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Deployment } from '../../shared/contracts/deployment.ts';
import {
  foundationModelOf,
  type ModelChoice,
  modelIdOf,
} from '../../shared/contracts/deployment-model.ts';

/**
 * `bedrock:InvokeModel`, which Converse asks for, on exactly the model of the stage. A profile needs
 * itself and the foundation model wherever it may send a request, there only through the profile.
 */
export function modelRights({
  model,
  region,
}: Pick<Deployment, 'model' | 'region'>): PolicyStatement[] {
  switch (model.kind) {
    case 'IN_REGION':
      return [invoke('InvokeModel', [foundationModelArn(region, model)])];
    case 'GEOGRAPHIC_PROFILE':
      return [
        invoke('InvokeProfile', [profileArn(region, model)]),
        invoke(
          'InvokeModelThroughProfile',
          model.destination_regions.map((destination) => foundationModelArn(destination, model)),
          { 'bedrock:InferenceProfileArn': profileArn(region, model) },
        ),
      ];
    case 'GLOBAL_PROFILE':
      return [
        invoke('InvokeProfile', [profileArn(region, model)], { 'aws:RequestedRegion': region }),
        invoke('InvokeModelOfRegion', [foundationModelArn(region, model)], {
          'aws:RequestedRegion': region,
          'bedrock:InferenceProfileArn': profileArn(region, model),
        }),
        // A request that leaves the region is asked for under an ARN without one.
        invoke('InvokeModelAnywhere', [foundationModelArn('', model)], {
          'aws:RequestedRegion': 'unspecified',
          'bedrock:InferenceProfileArn': profileArn(region, model),
        }),
      ];
  }
}

function invoke(
  sid: string,
  resources: string[],
  equals?: Readonly<Record<string, string>>,
): PolicyStatement {
  return new PolicyStatement({
    sid,
    actions: ['bedrock:InvokeModel'],
    resources,
    ...(equals !== undefined && { conditions: { StringEquals: equals } }),
  });
}

function profileArn(region: string, model: ModelChoice): string {
  return `arn:${Aws.PARTITION}:bedrock:${region}:${Aws.ACCOUNT_ID}:inference-profile/${modelIdOf(model)}`;
}

function foundationModelArn(region: string, model: ModelChoice): string {
  return `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${foundationModelOf(model)}`;
}
