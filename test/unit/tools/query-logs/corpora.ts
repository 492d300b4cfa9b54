import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Logs that may be measured with but not kept in the project. */
export const CORPUS_LOGS = new URL('../../../../../shared/corpora/logs/', import.meta.url);

export const hasCorpora = existsSync(CORPUS_LOGS);

/** Says in a test's name why it is skipped. */
export const corporaNote = hasCorpora ? '' : ' (skipped: ../shared/corpora is not there)';

export function corpusLogs(): string[] {
  return hasCorpora ? readdirSync(CORPUS_LOGS).filter((name) => name.endsWith('.log')) : [];
}

export function corpusBytes(name: string): Buffer {
  return readFileSync(new URL(name, CORPUS_LOGS));
}

/** Number of entries by log, where it is known. */
export function corpusEntryCounts(): [string, number][] {
  if (!hasCorpora) return [];
  const labels: unknown = JSON.parse(corpusBytes('labels.json').toString('utf8'));
  return Object.entries(labels as Record<string, { entries: number | null }>) // The corpus' own file.
    .flatMap(([name, { entries }]) => (entries === null ? [] : [[name, entries] as const]))
    .map(([name, entries]) => [name, entries]);
}

/** True event of each line, in order. */
export function corpusEvents(name: string): string[] {
  const rows = corpusBytes(`truth/${name}.csv`).toString('utf8').split('\n').slice(1);
  return rows.flatMap((row) => /^\d+,([^,]+),/.exec(row)?.[1] ?? []);
}
