import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Deployment, DeploymentSchema } from '../shared/contracts/deployment.ts';
import { HarnessError } from '../shared/kernel/errors.ts';

/** A stage, and the folder that paths in its file are relative to. */
export interface DeploymentFile {
  readonly deployment: Deployment;
  readonly folder: string;
}

/**
 * Reads the file of a stage.
 *
 * @throws HarnessError `CONFIGURATION_INVALID` naming the file and every field at fault
 */
export function readDeployment(file: string): DeploymentFile {
  const parsed = DeploymentSchema.safeParse(readJson(file));
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw refused(file, faults);
  }
  return { deployment: parsed.data, folder: dirname(resolve(file)) };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw refused(file, ['it cannot be read as JSON'], cause);
  }
}

function refused(file: string, faults: readonly string[], cause?: unknown): HarnessError {
  const text = faults.map((fault) => `\n  ${fault}`).join('');
  return new HarnessError('CONFIGURATION_INVALID', `deployment ${file}${text}`, { cause });
}
