/** What is looked at, in the order in which it is told. */
export const CHECK_NAMES = [
  'form',
  'seal',
  'ids',
  'request',
  'steps',
  'invocations',
  'budget',
  'outcome',
  'draft',
  'projection',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** What came of one check. */
export type Finding =
  | { readonly name: CheckName; readonly kind: 'holds'; readonly what: string }
  | { readonly name: CheckName; readonly kind: 'doubtful'; readonly doubts: readonly string[] }
  | { readonly name: CheckName; readonly kind: 'not_checked'; readonly why: string };

/** Collects what speaks against a record; what is in order leaves nothing. */
export class Doubts {
  readonly #doubts: string[] = [];

  /** Notes the doubt unless the statement holds. */
  unless(holds: boolean, doubt: string): void {
    if (!holds) this.#doubts.push(doubt);
  }

  get all(): readonly string[] {
    return this.#doubts;
  }
}

/** The finding of a check that was made. */
export function foundBy(name: CheckName, what: string, doubts: readonly string[]): Finding {
  return doubts.length === 0 ? { name, kind: 'holds', what } : { name, kind: 'doubtful', doubts };
}
