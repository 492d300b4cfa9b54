import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { HarnessError } from '../shared/kernel/errors.ts';
import { buildAssets } from './assets.ts';
import { readDeployment } from './deployment-file.ts';
import { DiagnosisApp } from './diagnosis-app.ts';

// The CDK command starts this file; `-c stage=<name>` picks infra/config/<name>.json.

const stage = new App({ autoSynth: false }).node.tryGetContext('stage');
try {
  if (typeof stage !== 'string' || !/^[a-z][a-z0-9-]{0,15}$/.test(stage)) {
    throw new HarnessError('CONFIGURATION_INVALID', 'name a stage: npx cdk synth -c stage=sample');
  }
  const file = readDeployment(fileURLToPath(new URL(`config/${stage}.json`, import.meta.url)));
  const folder = mkdtempSync(join(tmpdir(), 'assets-'));
  const assets = await buildAssets(file, folder);
  new DiagnosisApp({ deployment: file.deployment, assets, app: { autoSynth: false } }).synth();
  rmSync(folder, { recursive: true }); // the synthesis has copied it
} catch (error) {
  if (!(error instanceof HarnessError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
