import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Expected, ExpectedSchema } from '../../../shared/contracts/expected.ts';
import { type Incident, IncidentSchema } from '../../../shared/contracts/incident.ts';
import { type LogEntry, logFile } from './log-file.ts';
import { type TableSnapshot, tableFile } from './table-snapshot.ts';

/** The files of a capsule as texts by path. */
export type CapsuleFiles = ReadonlyMap<string, string>;

/** An incident as its scenario tells it. */
export interface CapsuleParts {
  readonly incident: Incident;
  readonly expected: Expected;
  /** Events by topic. */
  readonly logs: Readonly<Record<string, readonly LogEntry[]>>;
  /** Tables by `<schema>/<table>`. */
  readonly tables: ReadonlyMap<string, TableSnapshot>;
  /** Documents by file name. */
  readonly documents: ReadonlyMap<string, string>;
  /** True for a copy that lacks the events without which the cause can't be told. */
  readonly omitDecisiveEvents?: boolean;
}

/**
 * The files of an incident, events before the question only.
 * @throws ZodError when the manifest or the expectation breaks its contract.
 */
export function capsuleFiles(parts: CapsuleParts): CapsuleFiles {
  const { incident, expected, logs, tables, documents, omitDecisiveEvents = false } = parts;
  const asOf = Date.parse(incident.as_of);
  const past = (entries: readonly LogEntry[]) => entries.filter(({ at }) => at < asOf);
  return new Map([
    ['incident.json', jsonFile(IncidentSchema.parse(incident))],
    ['expected.json', jsonFile(ExpectedSchema.parse(expected))],
    ...Object.entries(logs).map(
      ([topic, entries]) =>
        [`logs/${topic}.log`, logFile(past(entries), omitDecisiveEvents)] as const,
    ),
    ...[...tables].map(([name, table]) => [`mysql/${name}.json`, tableFile(table)] as const),
    ...[...documents].map(([name, text]) => [`knowledge/${name}`, text] as const),
  ]);
}

/** Writes a capsule into `folder`, which is made if it does not exist; files of other names stay. */
export function writeFiles(folder: string, files: CapsuleFiles): void {
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function jsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
