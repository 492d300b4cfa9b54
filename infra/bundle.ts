import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * How a function becomes one ES module. Dependencies that are CommonJS call `require`, which an ES
 * module does not have: the banner makes one. Names are kept, since error names are part of the
 * contract.
 */
const OPTIONS: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
};

/** Builds the diagnosis function with its playbooks into `folder`, which is emptied first. */
export async function bundleDiagnosis(folder: string): Promise<void> {
  await bundleFunction('diagnosis', folder);
  await cp(`${ROOT}/skills`, `${folder}/skills`, { recursive: true });
}

/** Builds the function that asks a run to stop into `folder`, which is emptied first. */
export async function bundleCancellation(folder: string): Promise<void> {
  await bundleFunction('cancellation', folder);
}

/** Builds the function that reads runs into `folder`, which is emptied first. */
export async function bundleRunRecord(folder: string): Promise<void> {
  await bundleFunction('run-record', folder);
}

/** What a bundle holds does not depend on where it is put: its source map tells the way from `dist/`. */
async function bundleFunction(name: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [`functions/${name}/handler.ts`],
    outfile: `${ROOT}dist/${name}/index.mjs`,
    write: false,
  });
  for (const { path, contents } of outputFiles) {
    await writeFile(join(folder, basename(path)), contents);
  }
}

if (import.meta.main) {
  const dist = `${ROOT}dist`;
  await bundleDiagnosis(`${dist}/diagnosis`);
  await bundleCancellation(`${dist}/cancellation`);
  await bundleRunRecord(`${dist}/run-record`);
  process.stdout.write(`built diagnosis, cancellation and run-record in ${dist}\n`);
}
