import type { Finding, Report } from './finding.ts';
import { looksRandom, looksTyped } from './randomness.ts';

/** More names than these are not looked for again in one text, which bounds the work on made-up ones. */
const MAX_NAMES = 16;
const SHORTEST_NAME = 6;

/** Finds again what a text names once with its label and once without: `node-246 … node node-246 down`. */
export function findEchoes(text: string, findings: readonly Finding[], report: Report): void {
  const names = new Map<string, Finding>();
  for (const finding of findings) {
    if (names.size >= MAX_NAMES) break;
    const name = finding.identity ?? text.slice(finding.start, finding.end);
    if (isWorthFinding(finding, name)) names.set(name, finding);
  }
  for (const [name, finding] of names) reportEchoes(text, name, finding, report);
}

function isWorthFinding({ kind }: Finding, name: string): boolean {
  if (kind === 'frame' || kind === 'literal' || kind === 'spelled') return false;
  if (name.length < SHORTEST_NAME || !/[0-9]/.test(name)) return false;
  return kind !== 'secret' || looksRandom(name) || looksTyped(name);
}

function reportEchoes(text: string, name: string, found: Finding, report: Report): void {
  const role = found.identity === undefined ? 0 : name.length - (found.end - found.start);
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (/[\w.-]/.test(text[at - 1] ?? '') || /[\w-]/.test(text[end] ?? '')) continue;
    report({ ...found, start: at + role, end });
  }
}
