import { cp, rm } from 'node:fs/promises';
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
  await rm(folder, { recursive: true, force: true });
  await build({
    ...OPTIONS,
    entryPoints: ['functions/diagnosis/handler.ts'],
    outfile: `${folder}/index.mjs`,
  });
  await cp(`${ROOT}/skills`, `${folder}/skills`, { recursive: true });
}

if (import.meta.main) {
  const folder = `${ROOT}/dist/diagnosis`;
  await bundleDiagnosis(folder);
  process.stdout.write(`built ${folder}\n`);
}
