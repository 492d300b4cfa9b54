import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Incident, IncidentSchema } from '../../shared/contracts/incident.ts';
import { HarnessError } from '../../shared/kernel/errors.ts';

/** An incident capsule: its manifest, and the folder its evidence lies in. */
export interface Capsule {
  readonly folder: string;
  readonly incident: Incident;
}

const SHIPPED = fileURLToPath(new URL('./incidents', import.meta.url));

/**
 * Opens a shipped incident by name, or any folder that holds an `incident.json`.
 *
 * @throws HarnessError `USAGE` saying what is missing or wrong, and where
 */
export function openCapsule(nameOrFolder: string): Capsule {
  const folder = capsuleFolder(nameOrFolder);
  const file = join(folder, 'incident.json');
  const parsed = IncidentSchema.safeParse(readJson(file));
  if (!parsed.success) {
    const fault = parsed.error.issues[0];
    throw unusable(`${file}: ${fault?.path.join('.') ?? ''} ${fault?.message ?? ''}`);
  }
  return { folder, incident: parsed.data };
}

function capsuleFolder(nameOrFolder: string): string {
  const shipped = join(SHIPPED, nameOrFolder);
  const isName = /^[a-z0-9][a-z0-9_-]*$/.test(nameOrFolder);
  if (isName && existsSync(join(shipped, 'incident.json'))) return shipped;
  const folder = resolve(nameOrFolder);
  if (existsSync(join(folder, 'incident.json'))) return folder;
  throw unusable(
    `there is no incident "${nameOrFolder}": neither a shipped one nor a folder with an incident.json`,
  );
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw unusable(`${file} cannot be read as JSON`, cause);
  }
}

function unusable(fault: string, cause?: unknown): HarnessError<'USAGE'> {
  return new HarnessError('USAGE', fault, { cause });
}
