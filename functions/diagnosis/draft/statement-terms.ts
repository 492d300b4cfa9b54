import type { AnalysisItem } from '../../../shared/contracts/diagnosis-draft.ts';

/** Terms reported of one item at most; the outcome's own limit. */
const MAX_TERMS = 64;

/**
 * Identifiers of a statement that no cited observation holds, in order of appearance, each once.
 * Letter case is ignored, and a term must stand alone: `call-12` does not hold `call-1`. All of an
 * observation counts but its `scope`; a negative statement may name what was looked for, so there
 * `scope` counts too.
 */
export function unmatchedTerms(
  { type, statement }: AnalysisItem,
  observations: readonly unknown[],
): string[] {
  const withScope = type === 'NEGATIVE_OBSERVATION';
  const held = new Set(
    observations.flatMap((observation) => words(observation, withScope)).flatMap(pieces),
  );

  return [...new Set(identifiersIn(statement))]
    .filter((term) => !pieces(term).every((piece) => held.has(piece)))
    .slice(0, MAX_TERMS);
}

/** A mark such as `<pod:1>`, or a word with the signs that names are joined by. */
const WORD = /<[a-z_-]{1,32}:[0-9]{1,6}>|[A-Za-z0-9_](?:[A-Za-z0-9_.$-]{0,254}[A-Za-z0-9_])?/g;

/** Dates, times, shares and measures: `2026-11-30`, `99.5`, `30min`; a figure under three digits. */
const FIGURE = /^(?:[0-9]{1,2}|[0-9]+[.-][0-9.-]*|[0-9.]+[A-Za-z]{1,3})$/;

const IDENTIFIER_SIGNS = [
  /[0-9]/,
  /_/,
  /[a-z][A-Z]/, // camel case
  /[A-Za-z][.$][A-Za-z][A-Za-z]/, // dotted
  /^[A-Z][A-Z-]{4}/, // codes; shorter ones are the trade's own words: CPU, HTTP
  /^</,
];

const ADDRESS = /^[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$/;

function identifiersIn(statement: string): readonly string[] {
  return (statement.match(WORD) ?? []).filter(
    (word) =>
      (ADDRESS.test(word) || !FIGURE.test(word)) &&
      IDENTIFIER_SIGNS.some((sign) => sign.test(word)),
  );
}

function words(value: unknown, withScope: boolean): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'scope' && !withScope ? [] : [key, ...words(member, withScope)],
  );
}

/**
 * The runs of letters and digits in a text, and each two of them that stand close together with what
 * joins them. A text holds a term when it holds all of the term's pieces: one look-up for each, where
 * a search for each term would take seconds on a hostile statement.
 */
function pieces(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const runs = [...lower.matchAll(/[a-z0-9_]+/g)].map(({ 0: run, index }) => ({
    run,
    start: index,
    end: index + run.length,
  }));
  const pairs = runs.flatMap(({ start, end }, index) =>
    runs
      .slice(index + 1, index + 2)
      .filter((next) => next.start - end <= MAX_JOINT)
      .map((next) => lower.slice(start, next.end)),
  );
  return [...runs.map(({ run }) => run), ...pairs];
}

/** Characters that may join two parts of one name. */
const MAX_JOINT = 2;
