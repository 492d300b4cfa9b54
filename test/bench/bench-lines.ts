import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Dice, Noise } from '../support/noise.ts';

const LOGS = new URL('../../../shared/corpora/logs/', import.meta.url);

/** Lines as services write them: six formats, each with messages of its own; always the same. */
export function generatedLines(count: number): string[] {
  const logs = Array.from({ length: 12 }, (_none, seed) => new Noise(new Dice(seed + 1)));
  const lines = Array.from({ length: count }, (_none, at) => logs[at % logs.length]?.line(at * 7));
  return lines.join('\n').split('\n'); // Flat texts, as a reader gives them, and not pieces to be joined.
}

/** Lines of the collected logs, where they lie beside the project; null without them. */
export function collectedLines(): string[] | null {
  if (!existsSync(LOGS)) return null;
  const names = readdirSync(LOGS).filter((name) => name.endsWith('.log'));
  return names.flatMap((name) =>
    readFileSync(new URL(name, LOGS), 'utf8')
      .split(/\r?\n/)
      .filter((line) => line !== ''),
  );
}

/** A text of letters that is a template of its own for each number. */
export function randomTemplate(at: number): string {
  const dice = new Dice(at);
  const word = () =>
    dice
      .below(2 ** 31)
      .toString(36)
      .replace(/\d/g, 'x');
  return `2026-11-30 17:02:03.572 ERROR [exec-1] a.Desk - ${Array.from({ length: 9 }, word).join(' ')}`;
}
