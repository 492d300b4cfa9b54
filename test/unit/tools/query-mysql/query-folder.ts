import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes files by relative path into a new temporary folder that goes with the test; returns the folder. */
export async function aFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'query-mysql-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** A query file with a valid header for what the test does not name. */
export function aQueryFile(
  statement: string,
  { header = {}, parameters = '' }: { header?: Record<string, string>; parameters?: string } = {},
): string {
  const lines = Object.entries({
    description: 'Orders by state.',
    target: 'reader',
    temporal: 'live',
    row_limit: '20',
    timeout_ms: '5000',
    ...header,
  }).map(([key, value]) => `-- ${key}: ${value}`);
  const declared = parameters === '' ? [] : ['parameters:', ...parameters.split('\n')];
  return [...lines, ...declared.map((line) => `-- ${line}`), '', statement, ''].join('\n');
}

/** The lookback every windowed query declares. */
export const LOOKBACK = `  lookback_minutes:
    type: integer
    bind: model
    min: 1
    max: 1440
    default: 60
    description: Minutes before as_of`;

/** A tenant that only the caller may fix. */
export const TENANT = `  tenant_id:
    type: string
    bind: caller
    max_bytes: 16`;
