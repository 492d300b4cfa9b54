import { levelRank } from './log-level.ts';
import type { LogSurvey, SurveyedPattern } from './log-survey.ts';

/** A pattern this often seen within a small part of the time is a burst rather than chatter. */
const BURST_COUNT = 5;
const BURST_SHARE = 0.1;
/** Of the patterns that one class cannot show in full, every third place goes to a frequent one. */
const FREQUENT_EVERY = 3;
/** Share of the places that severe patterns of a lower class may still have. */
const LEFT_TO_LOWER = 0.25;
/** Patterns of the same wording that are placed before those of other wordings. */
const FAMILY_PLACES = 2;
/** Characters that make a wording. */
const FAMILY_CHARS = 80;
const WARNING_RANK = levelRank('WARN');

/**
 * Indexes of the patterns to show, the most telling first: by severity, bursts above chatter, the
 * rare above the frequent. Where a class has more patterns than places, its most frequent stay too.
 */
export function rankPatterns(survey: LogSurvey, limit: number): number[] {
  const span = spanOf(survey.times);
  const ranked = survey.patterns
    .map((pattern, index) => ({ pattern, index, rank: rankOf(pattern, survey.times, span) }))
    .sort(
      (a, b) =>
        b.rank - a.rank || a.pattern.count - b.pattern.count || a.pattern.first - b.pattern.first,
    );
  return placedByClass([...Map.groupBy(ranked, ({ rank }) => rank).values()], limit).map(
    ({ index }) => index,
  );
}

/** True for what points at a failure rather than at work going on. */
export function isSevere(pattern: SurveyedPattern): boolean {
  return pattern.severity >= WARNING_RANK;
}

function rankOf(pattern: SurveyedPattern, times: Float64Array, span: number): number {
  const length = (times[pattern.last] ?? 0) - (times[pattern.first] ?? 0);
  const isBurst = pattern.count >= BURST_COUNT && span > 0 && length <= span * BURST_SHARE;
  return pattern.severity + (isBurst && !isSevere(pattern) ? 0.5 : 0);
}

interface RankedPattern {
  readonly pattern: SurveyedPattern;
  readonly index: number;
  readonly rank: number;
}

/** A class leaves a share of the places to the severe classes below it, for what is rare there. */
function placedByClass(
  classes: readonly (readonly RankedPattern[])[],
  limit: number,
): RankedPattern[] {
  const chosen: RankedPattern[] = [];
  classes.forEach((members, at) => {
    const below = classes.slice(at + 1).flat();
    const severeBelow = below.filter(({ pattern }) => isSevere(pattern)).length;
    const left = limit - chosen.length;
    const reserved = Math.min(severeBelow, Math.floor(left * LEFT_TO_LOWER));
    chosen.push(...placed(members, left - reserved));
  });
  return chosen;
}

/** The members of one class that get a place, in their own order. */
function placed(members: readonly RankedPattern[], places: number): readonly RankedPattern[] {
  if (members.length <= places) return members;
  const frequent = Math.floor(places / FREQUENT_EVERY);
  const kept = new Set(spreadOverFamilies(members).slice(0, places - frequent));
  for (const member of members.toReversed()) {
    if (kept.size >= places) break;
    kept.add(member);
  }
  return members.filter((member) => kept.has(member));
}

/** Many patterns of one wording must not take the places of a single one of another. */
function spreadOverFamilies(members: readonly RankedPattern[]): readonly RankedPattern[] {
  const sizes = new Map<string, number>();
  const [early, late]: [RankedPattern[], RankedPattern[]] = [[], []];
  for (const member of members) {
    const family = familyOf(member.pattern);
    const size = (sizes.get(family) ?? 0) + 1;
    sizes.set(family, size);
    (size <= FAMILY_PLACES ? early : late).push(member);
  }
  return [...early, ...late];
}

/** The words of a pattern's beginning, without its variables and numbers. */
export function familyOf({ parts }: SurveyedPattern): string {
  const words = parts.map(({ text, isVariable }) => (isVariable ? '' : text)).join('');
  return words.replace(/[\d\s]+/g, ' ').slice(0, FAMILY_CHARS);
}

function spanOf(times: Float64Array): number {
  const [first, last] = [times.find((time) => !Number.isNaN(time)), times.at(-1)];
  return first === undefined || last === undefined ? 0 : last - first;
}
