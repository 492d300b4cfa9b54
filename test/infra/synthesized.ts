import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { readDeployment } from '../../infra/deployment-file.ts';
import { DiagnosisApp } from '../../infra/diagnosis-app.ts';
import { type Deployment, DeploymentSchema } from '../../shared/contracts/deployment.ts';

/** What a template says of one resource. */
export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties of every resource type there is
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface Synthesized {
  readonly app: DiagnosisApp;
  readonly records: Template;
  readonly service: Template;
}

/** The shipped stage, with whatever a test is about. */
export function aDeployment(overrides: Partial<Deployment> = {}): Deployment {
  const { deployment } = readDeployment('infra/config/sample.json');
  return DeploymentSchema.parse({ ...deployment, ...overrides });
}

/** The example stage: live sources, a VPC, alarms that notify. */
export function theExample(overrides: Partial<Deployment> = {}): Deployment {
  const { deployment } = readDeployment('infra/config/example.json');
  return DeploymentSchema.parse({ ...deployment, ...overrides });
}

export const SECRET_ARN = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:shop-AbCdEf';

/** A MySQL server that is reached with a secret. */
export function withSecret(): Deployment['mysql'] {
  return {
    kind: 'MYSQL',
    writer: {
      host: 'shop.example.internal',
      port: 3_307,
      database: 'shop',
      login: {
        kind: 'SECRETS_MANAGER',
        secret_arn: SECRET_ARN,
        key_arn: 'arn:aws:kms:eu-central-1:111122223333:key/abc',
      },
    },
    application_schemas: [],
  };
}

/** The example's VPC, with a NAT in the place of its endpoints. */
export function throughNat(): Deployment['network'] {
  const { network } = theExample();
  return network && { ...network, route: { kind: 'NAT' } };
}

/** Both templates of a stage, over assets that hold one line each. */
export function synthesized(deployment: Deployment = aDeployment()): Synthesized {
  const app = anApp(deployment);
  return {
    app,
    records: Template.fromStack(app.records),
    service: Template.fromStack(app.service),
  };
}

export function anApp(deployment: Deployment): DiagnosisApp {
  const folder = mkdtempSync(join(tmpdir(), 'assets-'));
  writeFileSync(join(folder, 'index.mjs'), 'export const handler = () => null;\n');
  const assets = { diagnosis: folder, cancellation: folder, 'run-record': folder };
  const outdir = mkdtempSync(join(tmpdir(), 'cdk-'));
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object }; // ours
  return new DiagnosisApp({ deployment, assets, app: { context, outdir, autoSynth: false } });
}

/** All resources of a type, by logical id. */
export function resourcesOf(template: Template, type?: string): Record<string, Resource> {
  const { Resources } = template.toJSON() as { Resources: Record<string, Resource> }; // a template
  return Object.fromEntries(
    Object.entries(Resources).filter(([, { Type }]) => type === undefined || Type === type),
  );
}

/** The one resource of a type whose logical id begins so. */
export function resourceOf(template: Template, type: string, idPrefix = ''): Resource {
  const found = Object.entries(resourcesOf(template, type)).filter(([id]) =>
    id.startsWith(idPrefix),
  );
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new Error(`${found.length} of ${type} begin with ${idPrefix}`);
  }
  return only[1];
}
