import type { JsonObject } from './conversation.ts';

/** What a tool description says of one parameter of a catalogued query. */
interface ListedParameter {
  readonly name: string;
  readonly hasDefault: boolean;
  readonly min: number;
  readonly max: number;
  readonly values: readonly string[];
}

const PARAMETER =
  /\b([a-z][a-z0-9_]{0,63})[`*]{0,3}\s{0,2}[:：(（]\s{0,2}(integer|decimal|string|enum|one of|RFC 3339|datetime|boolean)\b([^;；\n]{0,600})/gu;
const RANGE = /(-?\d{1,15})\s{0,2}(?:\.{2,3}|-|–|~|至|到|to)\s{0,2}(-?\d{1,15})/u;
const DEFAULT = /default|默认/iu;
const REQUIRED = /\brequired\b|必填/iu;
const VALUE = /[A-Za-z0-9_-]{1,64}/gu;

/**
 * The parameters that can be filled in from the request alone: the look-back, and an enum value that
 * the request spells. Defaults are left to the query. Null when one is required and can't be known.
 */
export function fillParameters(
  listing: string,
  { minutes, query }: { readonly minutes: number | null; readonly query: string },
): JsonObject | null {
  const filled: Record<string, string | number> = {};
  for (const parameter of parametersIn(listing)) {
    const value = isLookback(parameter)
      ? lookbackOf(parameter, minutes)
      : parameter.values.find((candidate) => namesWord(query, candidate));
    if (value !== undefined) filled[parameter.name] = value;
    else if (!parameter.hasDefault) return null;
  }
  return filled;
}

function parametersIn(listing: string): readonly ListedParameter[] {
  return [...listing.matchAll(PARAMETER)].map(([, name = '', type, tail = '']) => {
    const [, min = '1', max = '60'] = RANGE.exec(tail) ?? [];
    const isEnum = type === 'enum' || type === 'one of';
    const [listed = ''] = tail.split(/default|默认|required|必填/iu);
    const values = isEnum ? [...listed.matchAll(VALUE)] : [];
    return {
      name,
      hasDefault: DEFAULT.test(tail) && !REQUIRED.test(tail),
      min: Number(min),
      max: Number(max),
      values: values.map(([value]) => value),
    };
  });
}

function isLookback({ name }: ListedParameter): boolean {
  return name === 'lookback_minutes';
}

function lookbackOf(
  { hasDefault, min, max }: ListedParameter,
  minutes: number | null,
): number | undefined {
  if (minutes === null) return hasDefault ? undefined : max;
  return Math.min(Math.max(minutes, min), max);
}

function namesWord(text: string, word: string): boolean {
  const words: readonly string[] = text.toUpperCase().match(/[A-Z0-9_-]{1,64}/gu) ?? [];
  return words.includes(word.toUpperCase());
}
