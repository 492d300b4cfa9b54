import { LineTokens } from './line-tokens.ts';
import type { PatternMiner } from './pattern-miner.ts';
import { VARIABLE } from './token-kinds.ts';

/**
 * Finds the variables of a pattern that have one and the same value in all of its messages. Costs a
 * comparison per message and variable that has not differed yet.
 */
export class PatternValues {
  readonly #miner: PatternMiner;
  readonly #tokens = new LineTokens();
  /** By group: what is still the same in all of its messages; null while there is only one. */
  readonly #shared: (SharedValues | null)[] = [];

  constructor(miner: PatternMiner) {
    this.#miner = miner;
  }

  /** Takes the message that the miner was given last, and the group that it went to. */
  see(group: number, message: string): void {
    const known = this.#shared[group];
    if (known === undefined) {
      this.#shared[group] = null; // The message is the group's example.
      return;
    }
    const shared = known ?? this.#valuesOfExample(group);
    this.#shared[group] = shared;
    if (shared.values.size > 0) keepEqual(shared, this.#miner.tokens, message);
  }

  /** Numbers of the tokens that every message of these groups, which are one pattern, has alike. */
  constantsOf(pattern: number, groups: Iterable<number>): ReadonlySet<number> {
    const constants = new Map(this.#valuesOf(pattern).values);
    for (const group of groups) {
      if (constants.size === 0) break;
      const { values } = this.#valuesOf(group);
      for (const [token, value] of constants) {
        if (values.get(token) !== value) constants.delete(token);
      }
    }
    return new Set(constants.keys());
  }

  #valuesOf(group: number): SharedValues {
    return this.#shared[group] ?? this.#valuesOfExample(group);
  }

  #valuesOfExample(group: number): SharedValues {
    const example = this.#miner.exampleOf(group);
    const tokens = this.#tokens;
    tokens.read(example, 0);
    const values = new Map<number, string>();
    for (let token = 0; token < tokens.count; token += 1) {
      const value = example.slice(tokens.starts[token], tokens.ends[token]);
      if (tokens.kinds[token] === VARIABLE && !value.includes('[')) values.set(token, value);
    }
    return { tokenCount: tokens.count, values };
  }
}

interface SharedValues {
  readonly tokenCount: number;
  /** By number of the token. */
  readonly values: Map<number, string>;
}

/** Messages of another shape come together where the miner has no room left. */
function keepEqual({ tokenCount, values }: SharedValues, tokens: LineTokens, text: string): void {
  if (tokens.count !== tokenCount) values.clear();
  for (const [token, value] of values) {
    const start = tokens.starts[token] ?? 0;
    const isEqual = tokens.ends[token] === start + value.length && text.startsWith(value, start);
    if (!isEqual) values.delete(token);
  }
}
