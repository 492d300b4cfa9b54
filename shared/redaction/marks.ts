/** Infrastructure may be looked up by an operator, so its marks stand in the legend and resolve. */
const INFRASTRUCTURE_KINDS = [
  'host',
  'pod',
  'node',
  'ip',
  'mac',
  'container',
  'instance',
  'resource',
  'account',
] as const;

/** Credentials, personal data and SQL literals vanish for good. From the most secret kind downward. */
const VANISHING_KINDS = ['secret', 'id-card', 'bank-card', 'phone', 'email', 'literal'] as const;

/** What a mark stands for; `<pod:3>` is the third pod of a run. */
export type MarkKind = (typeof INFRASTRUCTURE_KINDS)[number] | (typeof VANISHING_KINDS)[number];

/** What came of putting the values of marks back into a text. */
export type MarkResolution =
  | { readonly kind: 'resolved'; readonly text: string }
  | { readonly kind: 'unknown_mark'; readonly mark: string };

/** One line of the legend. */
export interface LegendEntry {
  readonly mark: string;
  readonly value: string;
}

const KIND_NAMES = [...VANISHING_KINDS, ...INFRASTRUCTURE_KINDS].join('|');
const MARK = new RegExp(`<(${KIND_NAMES}):([0-9]{1,9})>`, 'g');
// The count behind the mark of a folded list belongs to it; lists have fewer literals than 100,000.
const COUNTED_MARK = new RegExp(
  `${MARK.source}(?:(?<=<literal:[0-9]{1,9}>) ×[0-9]{1,5}(?![0-9]))?`,
  'g',
);
const MARK_HERE = new RegExp(MARK.source, 'y');
// Models change the case of what they copy; such a mark is unknown rather than searched for verbatim.
const MARK_IN_ANY_CASE = new RegExp(MARK.source, 'gi');

/** Numbers start behind no higher one, so that every mark of a run has few enough digits to be one. */
const HIGHEST_START = 99_999_999;

/** Ranges of a text that redaction wrote, in order: marks, and the counts of folded lists. */
export function findWritten(text: string): readonly Range[] {
  return rangesOf(COUNTED_MARK, text);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function rangesOf(pattern: RegExp, text: string): readonly Range[] {
  if (!text.includes('<')) return [];
  return Array.from(text.matchAll(pattern), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** True where a mark begins at this place. */
export function isMarkAt(text: string, at: number): boolean {
  MARK_HERE.lastIndex = at;
  return text[at] === '<' && MARK_HERE.test(text);
}

/** True for kinds whose marks an operator may resolve. */
export function isInfrastructure(kind: MarkKind): boolean {
  return (INFRASTRUCTURE_KINDS as readonly string[]).includes(kind);
}

/** Place in the order of secrecy: where two findings overlap, the lower rank names the mark. */
export function secrecyRank(kind: MarkKind): number {
  const rank = (VANISHING_KINDS as readonly string[]).indexOf(kind);
  return rank === -1 ? VANISHING_KINDS.length : rank;
}

/**
 * The marks of one run: equal things get equal marks, numbered per kind in order of appearance.
 *
 * Text that reads as a mark but was not minted here stays as it is, is unknown when resolved, and its
 * number is never given to anything else.
 */
export class Marks {
  readonly #numbers = new Map<MarkKind, Map<string, string>>();
  readonly #highest = new Map<string, number>();
  readonly #foreign = new Set<string>();
  readonly #values = new Map<string, string>();
  readonly #minted = new Set<string>();

  /** Numbers start behind the highest one that `spokenBefore` spells for a kind and a run can mint. */
  constructor(spokenBefore: string) {
    for (const [, kind, digits] of spokenBefore.matchAll(MARK_IN_ANY_CASE)) {
      const name = String(kind).toLowerCase();
      const number = Number(digits);
      if (number > HIGHEST_START) continue; // no run came that far, and none will
      this.#highest.set(name, Math.max(this.#highest.get(name) ?? 0, number));
    }
  }

  /** Keeps the numbers that a source text spells from being minted. */
  reserve(text: string): void {
    for (const { start, end } of rangesOf(MARK, text)) {
      const mark = text.slice(start, end);
      if (!this.#minted.has(mark)) this.#foreign.add(mark);
    }
  }

  /** The mark for an identity; `value` is the part of the text that the mark stands for. */
  mint(kind: MarkKind, identity: string, value: string): string {
    const known = this.#numbers.get(kind)?.get(identity);
    if (known !== undefined) return known;
    const mark = this.#nextFree(kind);
    const ofKind = this.#numbers.get(kind) ?? new Map<string, string>();
    this.#numbers.set(kind, ofKind.set(identity, mark));
    this.#minted.add(mark);
    if (isInfrastructure(kind)) this.#values.set(mark, value);
    return mark;
  }

  /** Puts values back in; the first mark that has none decides against the whole text. */
  resolve(text: string): MarkResolution {
    for (const [mark] of text.matchAll(MARK_IN_ANY_CASE)) {
      if (!this.#values.has(mark)) return { kind: 'unknown_mark', mark };
    }
    const resolved = text.replace(MARK, (mark) => this.#values.get(mark) ?? mark);
    return { kind: 'resolved', text: resolved };
  }

  /** Infrastructure marks in the order of minting. */
  legend(): readonly LegendEntry[] {
    return Array.from(this.#values, ([mark, value]) => ({ mark, value }));
  }

  #nextFree(kind: MarkKind): string {
    let number = this.#highest.get(kind) ?? 0;
    let mark: string;
    do {
      number += 1;
      mark = `<${kind}:${number}>`;
    } while (this.#foreign.has(mark));
    this.#highest.set(kind, number);
    return mark;
  }
}
