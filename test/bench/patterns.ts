import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { minePatterns } from '../../functions/diagnosis/tools/query-logs/log-patterns.ts';

const LOGS = new URL('../../../shared/corpora/logs/', import.meta.url);
const REPEATS_FOR_SPEED = 20;

if (existsSync(LOGS)) run();
else process.stdout.write(`bench:patterns skipped: no corpora at ${LOGS.pathname}\n`);

function run(): void {
  const files = readdirSync(LOGS).filter((name) => name.startsWith('loghub_'));
  const results = files.map((file) => ({ file, ...measure(file) }));
  for (const { file, accuracy, groups, truth } of results) {
    process.stdout.write(
      `${file.padEnd(26)} ${accuracy.toFixed(4)}  ${groups} groups, ${truth} true\n`,
    );
  }
  const mean = results.reduce((sum, { accuracy }) => sum + accuracy, 0) / results.length;
  process.stdout.write(`mean grouping accuracy     ${mean.toFixed(4)}\n`);
  process.stdout.write(`lines per second of CPU    ${linesPerSecond(files)}\n`);
}

function measure(file: string) {
  const { assignments, templates } = minePatterns(linesOf(file));
  const truth = eventsOf(file);
  return {
    accuracy: groupingAccuracy(assignments, truth),
    groups: templates.length,
    truth: new Set(truth).size,
  };
}

function linesOf(file: string): string[] {
  return readFileSync(new URL(file, LOGS), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function eventsOf(file: string): string[] {
  const rows = readFileSync(new URL(`truth/${file}.csv`, LOGS), 'utf8')
    .split('\n')
    .slice(1);
  return rows.flatMap((row) => row.match(/^\d+,([^,]+),/)?.[1] ?? []);
}

/** The share of lines whose group holds exactly the lines of one true event. */
function groupingAccuracy(groups: readonly number[], truth: readonly string[]): number {
  const byGroup = Map.groupBy(groups.keys(), (line) => groups[line]);
  const sizes = Map.groupBy(truth, (event) => event);
  let right = 0;
  for (const lines of byGroup.values()) {
    const events = new Set(lines.map((line) => truth[line]));
    const [event] = events;
    if (events.size === 1 && sizes.get(event ?? '')?.length === lines.length) right += lines.length;
  }
  return right / truth.length;
}

/** CPU time rather than the clock's, since other work may share the core. */
function linesPerSecond(files: readonly string[]): number {
  const lines = files.flatMap(linesOf);
  const many = Array.from({ length: REPEATS_FOR_SPEED }, () => lines).flat();
  minePatterns(lines);
  const before = process.cpuUsage();
  minePatterns(many);
  const { user, system } = process.cpuUsage(before);
  return Math.round((many.length / (user + system)) * 1_000_000);
}
