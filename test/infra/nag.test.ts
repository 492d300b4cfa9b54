import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import type { DiagnosisApp } from '../../infra/diagnosis-app.ts';
import type { Deployment } from '../../shared/contracts/deployment.ts';
import { aDeployment, anApp, theExample } from './synthesized.ts';

const role = 'arn:aws:iam::111122223333:role/somebody';
const STAGES: readonly [string, Deployment][] = [
  ['the shipped stage', aDeployment()],
  ['the example', theExample()],
  [
    'a stage with every option',
    theExample({ trusted_role_arns: [role], break_glass_role_arns: [role] }),
  ],
];

describe('the rule packs', () => {
  it.each(STAGES)(
    'find nothing in %s but what is acknowledged with a reason',
    (_name, deployment) => {
      const { packs, open, reasons } = reportOf(anApp(deployment));

      expect(packs).toEqual(['AwsSolutions', 'Serverless']);
      expect(open).toEqual([]);
      expect(reasons.filter((reason) => reason.length < 20)).toEqual([]);
    },
  );

  it.each(STAGES)('find in %s everything that is acknowledged', (_name, deployment) => {
    const app = anApp(deployment);

    const { suppressed } = reportOf(app);

    expect(new Set(suppressed)).toEqual(new Set(acknowledgedIn(app)));
  });

  it('stop the synthesis at a finding', () => {
    const app = anApp(aDeployment());
    new Queue(app.service, 'Another');

    expect(() => app.synth()).toThrow();
  });
});

interface Report {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly violations: readonly unknown[];
    readonly suppressedViolations: readonly {
      readonly acknowledgedId: string;
      readonly acknowledgedAt: string;
      readonly reason: string;
    }[];
  }[];
}

function reportOf(app: DiagnosisApp) {
  const file = join(app.synth().directory, 'validation-report.json');
  const { pluginReports } = JSON.parse(readFileSync(file, 'utf8')) as Report; // CDK wrote it
  const suppressed = pluginReports.flatMap(({ suppressedViolations }) => suppressedViolations);
  return {
    packs: pluginReports.map(({ pluginName }) => pluginName),
    open: pluginReports.flatMap(({ violations }) => violations),
    reasons: suppressed.map(({ reason }) => reason),
    suppressed: suppressed.map(({ acknowledgedId, acknowledgedAt }) =>
      [acknowledgedId, acknowledgedAt].join(' at '),
    ),
  };
}

function acknowledgedIn(app: DiagnosisApp): string[] {
  return app.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.keys(data))
      .filter((id) => !id.startsWith('Annotation::')) // the CDK's own warnings, in no pack's report
      .map((id) => `${id} at ${node.path}`),
  );
}
