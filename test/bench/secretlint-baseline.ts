import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FOLDER = fileURLToPath(new URL('secretlint/', import.meta.url));
const PRESET = '@secretlint/secretlint-rule-preset-recommend';

/** Looks one text through with secretlint's recommended preset. */
export type Secretlint = (text: string) => Promise<void>;

interface Core {
  lintSource(order: object): Promise<unknown>;
}

/** Installs secretlint beside the bench if it is not there; null when it can't be, which is said. */
export async function openSecretlint(): Promise<Secretlint | null> {
  if (!existsSync(`${FOLDER}node_modules`) && !isInstalled()) return null;
  const core = (await load('@secretlint/core')) as Core; // its documented entry point
  const { creator } = (await load(PRESET)) as { readonly creator: unknown }; // likewise
  const config = { rules: [{ id: PRESET, rule: creator, options: {} }] };
  return async (text) => {
    const source = { filePath: 'pay.log', content: text, ext: '.log', contentType: 'text' };
    await core.lintSource({ source, options: { config, maskSecrets: true } });
  };
}

function isInstalled(): boolean {
  process.stdout.write('installing secretlint into test/bench/secretlint (once) …\n');
  try {
    execFileSync('npm', ['ci', '--silent'], {
      cwd: FOLDER,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return true;
  } catch {
    process.stdout.write('secretlint could not be installed: redaction is measured without it\n');
    return false;
  }
}

function load(name: string): Promise<unknown> {
  const path = createRequire(`${FOLDER}package.json`).resolve(name);
  return import(pathToFileURL(path).href);
}
