import { minePatterns } from '../../functions/diagnosis/tools/query-logs/log-patterns.ts';
import { createRedactor } from '../../shared/redaction/redactor.ts';
import { playTrial } from '../support/decisive-line.ts';
import { collectedLines, generatedLines, randomTemplate } from './bench-lines.ts';
import { cpuSeconds, cpuSecondsOf, perSecond, print, printGrowth } from './cpu.ts';
import { mineByMask } from './mining-baseline.ts';
import { measureProjection } from './projection.ts';
import { openSecretlint, type Secretlint } from './secretlint-baseline.ts';

const MINED_LINES = 300_000;
const WARM_UP_LINES = 100_000;
const REDACTED_LINES = 6_000;
const LINTED_LINES = 1_500;
const LONG_LINE_CHARS = 200_000;
/** `LONG=1` plays the thousand that the acceptance of log evidence asks for. */
const DECISIVE_TRIALS = process.env['LONG'] === '1' ? 1_000 : 20;
const DECISIVE_NOISE = 100_000;

process.stdout.write('CPU time of this process, since other programs may share the cores\n\n');
const generated = generatedLines(MINED_LINES);
const collected = collectedLines();
if (collected === null) process.stdout.write('no collected logs at ../shared/corpora/logs\n');
const secretlint = await openSecretlint();

mining('generated lines', generated);
if (collected !== null) mining('collected lines', repeated(collected, MINED_LINES));
await redaction('generated lines', generated.slice(0, REDACTED_LINES), secretlint);
if (collected !== null) await redaction('collected lines', sparse(collected), secretlint);
worstCases();
measureProjection('generated lines', (at) => generated[at % MINED_LINES] ?? '', 100_000);
measureProjection('lines, each a new template', randomTemplate, 100_000);
decisiveLine();

function mining(name: string, lines: readonly string[]): void {
  minePatterns(lines.slice(0, WARM_UP_LINES));
  mineByMask(lines.slice(0, WARM_UP_LINES));
  const ours = cpuSeconds(() => minePatterns(lines));
  const masked = cpuSeconds(() => mineByMask(lines));
  print(`header + mining, ${name}`, perSecond(lines.length, ours));
  print('  baseline: one masking expression and a map', perSecond(lines.length, masked));
}

async function redaction(name: string, lines: readonly string[], lint: Secretlint | null) {
  redactAll(lines.slice(0, 1_000));
  const ours = cpuSeconds(() => redactAll(lines));
  print(`redaction, ${name}`, perSecond(lines.length, ours));
  if (lint === null) return;
  const some = lines.slice(0, LINTED_LINES);
  const theirs = await cpuSecondsOf(async () => {
    for (const line of some) await lint(line);
  });
  print('  baseline: secretlint, recommended preset, line by line', perSecond(some.length, theirs));
  const whole = await cpuSecondsOf(() => lint(some.join('\n')));
  print('  baseline: the same, all lines as one text', perSecond(some.length, whole));
  const text = some.join('\n');
  const once = cpuSeconds(() => createRedactor().redact(text));
  print('  ours, all lines as one text', perSecond(some.length, once));
}

function worstCases(): void {
  const templates = Array.from({ length: 200_000 }, (_none, at) => randomTemplate(at));
  minePatterns(templates.slice(0, WARM_UP_LINES));
  printGrowth('mine 100,000 lines, each a new template', [
    cpuSeconds(() => minePatterns(templates.slice(0, 100_000))),
    cpuSeconds(() => minePatterns(templates)),
  ]);
  const [line, twice] = [longLine(LONG_LINE_CHARS), longLine(2 * LONG_LINE_CHARS)];
  printGrowth('mine 2,000 lines of 200 KB', [
    cpuSeconds(() => minePatterns(new Array<string>(2_000).fill(line))),
    cpuSeconds(() => minePatterns(new Array<string>(4_000).fill(line))),
  ]);
  createRedactor().redact(line);
  printGrowth('redact one line of 200 KB', [
    cpuSeconds(() => createRedactor().redact(line)),
    cpuSeconds(() => createRedactor().redact(twice)),
  ]);
}

function decisiveLine(): void {
  const trials = Array.from({ length: DECISIVE_TRIALS }, (_none, seed) =>
    playTrial(seed + 1, DECISIVE_NOISE),
  );
  const shown = trials.filter(({ isShown }) => isShown).length;
  print(
    `one decisive line among ${DECISIVE_NOISE.toLocaleString('en')}, ${DECISIVE_TRIALS} times`,
    `shown ${shown} times, ${((100 * shown) / DECISIVE_TRIALS).toFixed(1)} %`,
  );
  for (const { seed, format, decisive } of trials.filter(({ isShown }) => !isShown)) {
    print(`  not shown: seed ${seed}`, `${format}: ${decisive}`);
  }
}

function redactAll(lines: readonly string[]): void {
  const redactor = createRedactor();
  for (const line of lines) redactor.redact(line);
}

function repeated(lines: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_none, at) => lines[at % lines.length] ?? '');
}

/** Some lines of every log. */
function sparse(lines: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(lines.length / REDACTED_LINES));
  return lines.filter((_line, at) => at % step === 0);
}

/** One line that looks like a log that was never broken into lines. */
function longLine(chars: number): string {
  const words = generated.slice(0, Math.ceil(chars / 60)).join(' ');
  return words.slice(0, chars);
}
