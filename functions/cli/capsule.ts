import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Incident, IncidentSchema } from '../../shared/contracts/incident.ts';
import { HarnessError } from '../../shared/kernel/errors.ts';

/** An incident capsule: its manifest, and the folder its evidence lies in. */
export interface Capsule {
  readonly folder: string;
  readonly incident: Incident;
}

const MANIFEST = 'incident.json';
const SHIPPED = fileURLToPath(new URL('./incidents', import.meta.url));

/**
 * Opens a shipped incident by name, or any folder that holds an `incident.json`.
 *
 * @throws HarnessError `USAGE` saying what is missing or wrong, and where
 */
export function openCapsule(nameOrPath: string): Capsule {
  const folder = capsuleFolder(nameOrPath);
  const file = join(folder, MANIFEST);
  const parsed = IncidentSchema.safeParse(readJson(file));
  if (parsed.success) return { folder, incident: parsed.data };
  const faults = parsed.error.issues.map(({ path, message }) =>
    `${path.join('.')} ${message}`.trim(),
  );
  throw unusable(`${file}: ${faults.join('; ')}`);
}

/** What a diagnosis of this capsule will not find: sources without files, files without a topic. */
export function gapsOf({ folder, incident }: Capsule): string[] {
  const logFiles = filesIn(join(folder, 'logs'));
  const topics = incident.topics.map(({ name }) => name);
  const topicOf = (file: string) => file.replace(/\.(?:log(?:\.\d+)?|jsonl)$/, '');
  return [
    ...topics
      .filter((topic) => !logFiles.some((file) => topicOf(file) === topic))
      .map((topic) => `topic ${topic} has no file in logs/`),
    ...logFiles
      .filter((file) => !topics.includes(topicOf(file)))
      .map((file) => `logs/${file} belongs to no topic of ${MANIFEST}`),
    ...['mysql', 'knowledge']
      .filter((source) => !existsSync(join(folder, source)))
      .map((source) => `there is no ${source}/; questions to it end in SOURCE_UNAVAILABLE`),
  ];
}

function capsuleFolder(nameOrPath: string): string {
  const names = shippedNames();
  if (names.includes(nameOrPath)) return join(SHIPPED, nameOrPath);
  const path = resolve(nameOrPath);
  const folder = basename(path) === MANIFEST ? dirname(path) : path;
  if (existsSync(join(folder, MANIFEST))) return folder;
  throw unusable(
    `there is no incident "${nameOrPath}": shipped are ${names.join(', ')}, and ${folder} holds no ${MANIFEST}`,
  );
}

function shippedNames(): string[] {
  return readdirSync(SHIPPED).filter((name) => existsSync(join(SHIPPED, name, MANIFEST)));
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
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
