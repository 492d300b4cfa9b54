import type { Finding } from './finding.ts';

/** A finding that may stand for a run of several. */
export interface FoldedFinding extends Finding {
  readonly count?: number;
}

/**
 * Runs that say no more than their length become one finding: consecutive frames, and lists of SQL
 * literals from the third on (`IN ('…','…','…')`).
 */
export function foldRuns(text: string, findings: readonly Finding[]): FoldedFinding[] {
  const folded: FoldedFinding[] = [];
  for (const run of runsOf(text, findings)) {
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) continue;
    if (first.kind === 'frame' || run.length >= SHORTEST_LIST) {
      folded.push({ kind: first.kind, start: first.start, end: last.end, count: run.length });
    } else folded.push(...run);
  }
  return folded;
}

const SHORTEST_LIST = 3;
const PARTS_FRAMES = /^(?:[\s|,;]|\\{1,15}[nrt]){0,64}$/;
const PARTS_LITERALS = /^\\{0,15}['"]?\s{0,8},\s{0,8}(?:[bnx]|_\w{1,12})?\\{0,15}['"]?$/i;

function runsOf(text: string, findings: readonly Finding[]): Finding[][] {
  const runs: Finding[][] = [];
  for (const next of findings) {
    const last = runs.at(-1)?.at(-1);
    if (last !== undefined && belongTogether(text, last, next)) runs.at(-1)?.push(next);
    else runs.push([next]);
  }
  return runs;
}

function belongTogether(text: string, last: Finding, next: Finding): boolean {
  if (last.kind !== next.kind || next.start - last.end > 80) return false;
  const between = text.slice(last.end, next.start);
  if (next.kind === 'frame') return PARTS_FRAMES.test(between);
  return next.kind === 'literal' && PARTS_LITERALS.test(between);
}
