import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LogReader } from '../../functions/diagnosis/tools/query-logs/log-reader.ts';
import { ZoneClock } from '../../functions/diagnosis/tools/query-logs/zone-clock.ts';
import { IncidentSchema } from '../../shared/contracts/incident.ts';

const INCIDENTS = fileURLToPath(new URL('../../functions/cli/incidents', import.meta.url));

export const shippedNames: readonly string[] = readdirSync(INCIDENTS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** A shipped capsule as it lies in the project: its folder, and its files as texts by path. */
export function shippedIncident(name: string) {
  const folder = join(INCIDENTS, name);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const files = new Map(
    paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const),
  );
  const incident = IncidentSchema.parse(JSON.parse(files.get('incident.json') ?? ''));
  return { folder, files, incident };
}

/** The entries of a log as the log tool reads them, for a question at `asOf`. */
export function logEntries(text: string, asOf: number) {
  const reader = new LogReader({ zone: new ZoneClock('Asia/Shanghai'), asOf });
  const entries = [...reader.push(new TextEncoder().encode(text)), ...reader.finish()];
  return entries.sort((a, b) => a.order - b.order); // interleaved ones are complete in another order
}
