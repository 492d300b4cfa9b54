import { findEchoes } from './echoes.ts';
import { cutAround, type Finding, type Report, settleOverlaps } from './finding.ts';
import { type FoldedFinding, foldRuns } from './folding.ts';
import {
  findWritten,
  isInfrastructure,
  type LegendEntry,
  type MarkResolution,
  Marks,
} from './marks.ts';
import { RULES } from './rules.ts';
import { readingsOf, withoutInvisible } from './visible-text.ts';

declare const brand: unique symbol;

/** Text that has been through a redactor; nothing else makes one. */
export type RedactedText = string & { readonly [brand]: true };

/** Takes out of a run's texts what must not leave, and keeps what an engineer works with. */
export interface Redactor {
  /** Idempotent: what has been redacted comes out unchanged. */
  redact(text: string): RedactedText;
  /** Puts infrastructure back for a tool; any mark that this redactor did not mint is unknown. */
  resolveMarks(text: string): MarkResolution;
  /** Infrastructure marks only, in order of appearance; credentials and personal data are in none. */
  legend(): readonly LegendEntry[];
}

/** What the caller wrote: identifiers `query` spells out stay readable, marks in both are not reused. */
export interface RedactorOptions {
  readonly query?: string;
  readonly previousTurn?: string;
}

/** One redactor per run, so that equal secrets get equal marks throughout it. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  return new MarkingRedactor(options.query ?? '', options.previousTurn ?? '');
}

// A mark is a new edge that can complete a pattern next to it. Texts settle at the second pass; the
// bound only keeps a made-up text from going on.
const MAX_PASSES = 8;

class MarkingRedactor implements Redactor {
  readonly #marks: Marks;
  readonly #query: string;
  readonly #spelled = new Map<string, boolean>();

  constructor(query: string, previousTurn: string) {
    this.#query = query;
    this.#marks = new Marks(`${query}\n${previousTurn}`);
  }

  redact(text: string): RedactedText {
    let current = withoutInvisible(text);
    this.#marks.reserve(current);
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const next = this.#pass(current);
      if (next === current) break;
      current = withoutInvisible(next); // a mark gives such a character a neighbour that is ASCII
    }
    return current as RedactedText; // the one place where the brand is given
  }

  resolveMarks(text: string): MarkResolution {
    return this.#marks.resolve(text);
  }

  legend(): readonly LegendEntry[] {
    return this.#marks.legend();
  }

  #pass(text: string): string {
    const found: Finding[] = [];
    const report: Report = (finding) => {
      if (finding.end > finding.start) found.push(this.#unlessSpelled(text, finding));
    };
    for (const reading of readingsOf(text)) findIn(reading, text, report);
    if (found.length === 0) return text;
    findEchoes(text, [...found], report);
    const settled = settleOverlaps(found);
    return this.#rewrite(text, foldRuns(text, cutAround(settled, findWritten(text))));
  }

  #rewrite(text: string, findings: readonly FoldedFinding[]): string {
    let written = '';
    let from = 0;
    for (const finding of findings) {
      written += text.slice(from, finding.start) + this.#replacement(text, finding);
      from = finding.end;
    }
    return written + text.slice(from);
  }

  #replacement(text: string, { start, end, kind, identity, count }: FoldedFinding): string {
    const value = text.slice(start, end);
    if (kind === 'spelled') return value;
    if (kind === 'frame') return '[frames]';
    const mark = this.#marks.mint(kind, identity ?? value, value);
    return count === undefined ? mark : `${mark} ×${count}`;
  }

  #unlessSpelled(text: string, finding: Finding): Finding {
    const { start, end, kind, identity } = finding;
    if (kind === 'frame' || kind === 'spelled' || !isInfrastructure(kind)) return finding;
    const name = identity ?? text.slice(start, end);
    if (!this.#isSpelledOut(name)) return finding;
    return { start: end - name.length, end, kind: 'spelled' };
  }

  #isSpelledOut(name: string): boolean {
    if (this.#query === '') return false;
    const known = this.#spelled.get(name);
    if (known !== undefined) return known;
    const spelled = standsIn(this.#query, name);
    this.#spelled.set(name, spelled);
    return spelled;
  }
}

/** What the rules find in a reading of a text; a reading of its own adds no stack frames. */
function findIn(reading: string, text: string, report: Report): void {
  const isText = reading === text;
  const told: Report = (finding) => {
    if (isText || finding.kind !== 'frame') report(finding);
  };
  for (const rule of RULES) rule(reading, told);
}

function standsIn(query: string, name: string): boolean {
  for (let at = query.indexOf(name); at !== -1; at = query.indexOf(name, at + 1)) {
    const before = query.slice(Math.max(0, at - 2), at);
    const after = query.slice(at + name.length, at + name.length + 2);
    if (!/[\w-]$|[\w-]\.$/.test(before) && !/^[\w-]|^\.[\w-]/.test(after)) return true;
  }
  return false;
}
