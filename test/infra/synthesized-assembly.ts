import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Resource } from './synthesized.ts';

/** What the CDK command would deploy: templates as text, and where each function's asset lies. */
export interface Assembly {
  readonly folder: string;
  /** What the app printed: findings and warnings. */
  readonly printed: string;
  readonly records: string;
  readonly service: string;
  readonly resources: Readonly<Record<string, Resource>>;
}

/** Starts the app as the CDK command does, without a network it could need, and reads what it wrote. */
export async function synthesize(stage: string): Promise<Assembly> {
  const folder = await mkdtemp(join(tmpdir(), 'assembly-'));
  const { context } = JSON.parse(await readFile('cdk.json', 'utf8')) as { context: object }; // ours
  const ofTheCommand = { 'aws:cdk:enable-asset-metadata': true }; // as the CDK command has it
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['infra/app.ts'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...ofTheCommand, stage }),
      HTTPS_PROXY: 'http://127.0.0.1:9', // nothing listens there
    },
  });
  const read = (part: string) =>
    readFile(join(folder, `diagnosis-${stage}-${part}.template.json`), 'utf8');
  const [records, service] = await Promise.all([read('records'), read('service')]);
  const resources = [records, service].map(
    (template) => (JSON.parse(template) as { Resources: Record<string, Resource> }).Resources, // CDK wrote it
  );
  return {
    folder,
    printed: stdout + stderr,
    records,
    service,
    resources: Object.assign({}, ...resources),
  };
}

/** The folder of a function's asset. */
export function assetOf({ folder, resources }: Assembly, functionName: string): string {
  const found = Object.values(resources).find(
    ({ Properties }) => Properties?.FunctionName === functionName && Properties.Code !== undefined,
  );
  return join(folder, String(found?.Metadata?.['aws:asset:path']));
}
