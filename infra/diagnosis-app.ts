import { App, type AppProps, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { Deployment } from '../shared/contracts/deployment.ts';
import { acknowledge } from './acknowledgements.ts';
import type { FunctionKind } from './names.ts';
import { RecordsStack } from './records-stack.ts';
import { ServiceStack } from './service-stack.ts';

/** What an app is made from. */
export interface DiagnosisAppOptions {
  readonly deployment: Deployment;
  /** The folder of each function's asset. */
  readonly assets: Readonly<Record<FunctionKind, string>>;
  readonly app?: AppProps;
}

/** Both stacks of a stage, with the checks that every synthesis passes. */
export class DiagnosisApp extends App {
  readonly records: RecordsStack;
  readonly service: ServiceStack;

  constructor({ deployment, assets, app }: DiagnosisAppOptions) {
    super({ analyticsReporting: false, treeMetadata: false, ...app });
    const { account, region } = deployment;
    const env = { region, ...(account !== undefined && { account }) };
    this.records = new RecordsStack(this, deployment, {
      env,
      description: 'Records of incident diagnoses; kept',
    });
    this.service = new ServiceStack(
      this,
      { deployment, records: this.records, assets },
      { env, description: 'Incident diagnosis: functions, callers, alarms' },
    );
    for (const [key, value] of Object.entries(deployment.tags)) {
      // Dashboards take no tags in every region yet.
      Tags.of(this).add(key, value, { excludeResourceTypes: ['AWS::CloudWatch::Dashboard'] });
    }
    acknowledge(this, deployment);
    Validations.of(this).addPlugins(new AwsSolutionsChecks(this), new ServerlessChecks(this));
  }
}
