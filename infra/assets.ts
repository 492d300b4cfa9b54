import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { bundleCancellation, bundleDiagnosis, bundleRunRecord } from './bundle.ts';
import type { DeploymentFile } from './deployment-file.ts';
import { ASSET_FOLDER, lambdaConfigurationOf } from './lambda-configuration.ts';
import type { FunctionKind } from './names.ts';

/**
 * Builds what each function is deployed as into a folder below `target`: the bundle; for the diagnosis
 * function also playbooks, configuration and the evidence that the stage takes from files.
 */
export async function buildAssets(
  { deployment, folder }: DeploymentFile,
  target: string,
): Promise<Record<FunctionKind, string>> {
  const assets = {
    diagnosis: join(target, 'diagnosis'),
    cancellation: join(target, 'cancellation'),
    'run-record': join(target, 'run-record'),
  };
  await Promise.all([
    bundleDiagnosis(assets.diagnosis),
    bundleCancellation(assets.cancellation),
    bundleRunRecord(assets['run-record']),
  ]);
  const codeVersion = await hashOf(join(assets.diagnosis, 'index.mjs'));
  const configuration = lambdaConfigurationOf(deployment, codeVersion);
  await writeFile(
    join(assets.diagnosis, 'configuration.json'),
    `${JSON.stringify(configuration, null, 2)}\n`,
  );
  for (const [from, to] of foldersOf({ deployment, folder })) {
    await cp(from, join(assets.diagnosis, to), { recursive: true });
  }
  return assets;
}

/** Folders that the stage names, and where they go. */
function foldersOf({ deployment, folder }: DeploymentFile): [string, string][] {
  const { logs, knowledge, mysql, queries_folder: queries } = deployment;
  const from = (path: string) => (isAbsolute(path) ? path : join(folder, path));
  return [
    ...(logs.kind === 'FILES' ? [pair(from(logs.folder), ASSET_FOLDER.logs)] : []),
    ...(knowledge.kind === 'MARKDOWN'
      ? [pair(from(knowledge.folder), ASSET_FOLDER.knowledge)]
      : []),
    ...(mysql.kind === 'SNAPSHOT' ? [pair(from(mysql.folder), ASSET_FOLDER.mysql)] : []),
    ...(queries !== undefined ? [pair(from(queries), ASSET_FOLDER.queries)] : []),
  ];
}

function pair(from: string, to: string): [string, string] {
  return [from, to];
}

/** Names the code that a run was executed by: the same bundle, the same version. */
async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
    .slice(0, 16);
}
