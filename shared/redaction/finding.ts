import { type MarkKind, secrecyRank } from './marks.ts';

/** Kinds of a finding beyond marks: a stack frame goes without a mark, a spelled-out name stays. */
export type FindingKind = MarkKind | 'frame' | 'spelled';

/** A range of a text that must not leave as it is. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: FindingKind;
  /** The whole name where `start` leaves its role readable; the text of the range otherwise. */
  readonly identity?: string;
}

/** Where a rule puts what it finds. */
export type Report = (finding: Finding) => void;

/** Finds everything of one concept in a text; rules see the text as it came, never each other's marks. */
export type Rule = (text: string, report: Report) => void;

/**
 * Findings in order and without overlaps: the wider range stays, and the more secret kind names it, so
 * that everything any rule found goes and no credential ends up under a mark that resolves.
 */
export function settleOverlaps(findings: readonly Finding[]): Finding[] {
  const settled: Finding[] = [];
  for (const next of findings.toSorted(byPlace)) {
    const last = settled.at(-1);
    if (last === undefined || next.start >= last.end) settled.push(next);
    else settled[settled.length - 1] = union(last, next);
  }
  return settled;
}

/** What is left of findings outside the given ranges, which are in order and do not overlap. */
export function cutAround(
  findings: readonly Finding[],
  kept: readonly { start: number; end: number }[],
): Finding[] {
  if (kept.length === 0) return [...findings];
  const pieces: Finding[] = [];
  let first = 0;
  for (const finding of findings) {
    while (first < kept.length && (kept[first]?.end ?? 0) <= finding.start) first += 1;
    pieces.push(...piecesOf(finding, kept, first));
  }
  return pieces;
}

function piecesOf(
  finding: Finding,
  kept: readonly { start: number; end: number }[],
  first: number,
): Finding[] {
  const pieces: Finding[] = [];
  let start = finding.start;
  for (let at = first; at < kept.length; at += 1) {
    const range = kept[at];
    if (range === undefined || range.start >= finding.end) break;
    if (range.start > start) pieces.push({ kind: finding.kind, start, end: range.start });
    start = range.end;
  }
  if (start === finding.start) return [finding];
  if (start < finding.end) pieces.push({ kind: finding.kind, start, end: finding.end });
  return pieces;
}

function byPlace(a: Finding, b: Finding): number {
  return a.start - b.start || b.end - a.end || rank(a.kind) - rank(b.kind);
}

function union(wide: Finding, other: Finding): Finding {
  const end = Math.max(wide.end, other.end);
  if (end === wide.end && rank(wide.kind) <= rank(other.kind)) return wide;
  if (end === wide.end && wide.kind === 'spelled' && rank(other.kind) >= INFRASTRUCTURE)
    return wide;
  const kind = rank(wide.kind) <= rank(other.kind) ? wide.kind : other.kind;
  return { start: wide.start, end, kind };
}

const INFRASTRUCTURE = secrecyRank('host');

function rank(kind: FindingKind): number {
  if (kind === 'frame') return -1;
  return kind === 'spelled' ? INFRASTRUCTURE + 1 : secrecyRank(kind);
}
