import { LineTokens } from './line-tokens.ts';
import { type LogLevel, levelRank } from './log-level.ts';
import { CODE, DOTTED, PINNED, VARIABLE, WORD } from './token-kinds.ts';

/** Distinct keys kept apart per level, so that chatter cannot use up the room of errors. */
const MAX_KEYS_PER_LEVEL = 4_096;
/** Groups per level for what comes later: told apart by first words and pinned words only. */
const MAX_OVERFLOW_PER_LEVEL = 512;
/** Positions of a key at which a word may turn out to be a variable. */
const MAX_POSITIONS = 24;
/** Different words seen at one position, all else equal, make it a variable. */
const VARIABLE_FROM = 5;
/** Different error codes that may stand in one place; beyond that they are some other number. */
const MAX_CODES = 64;
/** How much one value at a position counts: one more beside a variable is enough, two dotted names are. */
const WEIGHTS: Readonly<Record<number, number>> = {
  [WORD]: 1,
  [DOTTED]: 3,
  [VARIABLE]: VARIABLE_FROM - 1,
  [CODE]: VARIABLE_FROM / MAX_CODES,
};
/** A key must keep this many words when one of its words becomes a variable. */
const MIN_WORDS_LEFT = 2;
/** Characters of an example that are kept; more than a pattern is made of. */
const MAX_EXAMPLE_CHARS = 1_280;

/** A stretch of a pattern: text of its example, or a place where its messages differ. */
export interface PatternPart {
  readonly text: string;
  readonly isVariable: boolean;
}

/**
 * Groups messages by the words they share, in one pass and online. Equal keys are one pattern;
 * patterns that differ in one word become one as soon as enough different words were seen there.
 */
export class PatternMiner {
  readonly tokens = new LineTokens(); // of the message that was added last
  readonly #keys = new Map<number, number>();
  readonly #gaps = new Map<number, Gap>();
  readonly #nodes: Node[] = [];
  readonly #mixed = new Float64Array(128);
  readonly #used = new Map<LogLevel | null, Usage>();

  /** Adds a message (from `start` of the text on) and returns its group; see `patternOf`. */
  add(text: string, start: number, level: LogLevel | null): number {
    this.tokens.read(text, start);
    const key = this.#key(level);
    return this.#keys.get(key) ?? this.#place(key, { text, start, level });
  }

  /** The pattern a group ended up in; final once every message is added. */
  patternOf(group: number): number {
    return this.#root(group);
  }

  /** The message that began a group, or the beginning of it. */
  exampleOf(group: number): string {
    return this.#nodes[group]?.example ?? '';
  }

  /** The parts of a pattern, in order: gap and token by turns. */
  partsOf(pattern: number): PatternPart[] {
    const node = this.#nodes[this.#root(pattern)];
    return node === undefined ? [] : partsOf(this.tokens, node);
  }

  #key(level: LogLevel | null): number {
    const { count, kinds, hashes } = this.tokens;
    let key = levelSeed(level) + count * 1_000_003;
    for (let at = 0; at < count; at += 1) {
      const mixed = mix(kinds[at] === VARIABLE ? 0 : (hashes[at] ?? 0), at);
      this.#mixed[at] = mixed;
      key += mixed;
    }
    return key;
  }

  #place(key: number, message: Message): number {
    const usage = this.#usage(message.level);
    const positions = this.#openPositions();
    for (const at of positions) {
      const merged = this.#gaps.get(this.#gapKey(key, at))?.merged;
      if (merged !== undefined) return this.#remember(key, merged, usage);
    }
    if (usage.keys >= MAX_KEYS_PER_LEVEL) return this.#overflow(message, usage);
    const node = this.#remember(key, this.#create(message), usage);
    for (const at of positions) this.#widen(this.#gapKey(key, at), at, node);
    return node;
  }

  #remember(key: number, node: number, usage: Usage): number {
    if (usage.keys < MAX_KEYS_PER_LEVEL) {
      usage.keys += 1;
      this.#keys.set(key, node);
    }
    return node;
  }

  #usage(level: LogLevel | null): Usage {
    const known = this.#used.get(level);
    if (known !== undefined) return known;
    const usage = { keys: 0, overflow: 0 };
    this.#used.set(level, usage);
    return usage;
  }

  #openPositions(): number[] {
    const { count, kinds } = this.tokens;
    let words = 0;
    for (let at = 0; at < count; at += 1) if (kinds[at] !== VARIABLE) words += 1;
    const positions: number[] = [];
    for (let at = 0; at < count && at < MAX_POSITIONS; at += 1) {
      const left = kinds[at] === VARIABLE ? words : words - 1;
      if (kinds[at] !== PINNED && left >= MIN_WORDS_LEFT) positions.push(at);
    }
    return positions;
  }

  #gapKey(key: number, at: number): number {
    return key - (this.#mixed[at] ?? 0) + mix(1, at);
  }

  /** Where numbers stood once, a word is one more value of the variable. */
  #widen(gapKey: number, at: number, node: number): void {
    const weight = WEIGHTS[this.tokens.kinds[at] ?? WORD] ?? 1;
    const gap = this.#gaps.get(gapKey) ?? { members: [], weight: 0, merged: undefined };
    this.#gaps.set(gapKey, gap);
    gap.members.push(node);
    gap.weight += weight;
    if (gap.weight < VARIABLE_FROM || gap.members.length < 2) return;
    gap.merged = gap.members.reduce((one, other) => this.#merge(one, other));
    this.#nodes[this.#root(gap.merged)]?.wild.add(at);
    gap.members = [];
  }

  #merge(one: number, other: number): number {
    const [a, b] = [this.#root(one), this.#root(other)];
    const [to, from] = [this.#nodes[Math.min(a, b)], this.#nodes[Math.max(a, b)]];
    if (a === b || to === undefined || from === undefined) return a;
    from.parent = Math.min(a, b);
    for (const at of from.wild) to.wild.add(at);
    return Math.min(a, b);
  }

  #overflow(message: Message, usage: Usage): number {
    const { count, hashes, kinds } = this.tokens;
    let key = levelSeed(message.level) - 1_000_000_007;
    for (let at = 0; at < count; at += 1) {
      if (kinds[at] === PINNED || kinds[at] === CODE || (at < 2 && kinds[at] !== VARIABLE))
        key -= mix(hashes[at] ?? 0, at);
    }
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    if (usage.overflow >= MAX_OVERFLOW_PER_LEVEL) return this.#lastResort(message);
    usage.overflow += 1;
    const node = this.#create(message);
    this.#keys.set(key, node);
    return node;
  }

  #lastResort(message: Message): number {
    const key = -levelSeed(message.level) - 1;
    const known = this.#keys.get(key) ?? this.#create(message);
    this.#keys.set(key, known);
    return known;
  }

  #create({ text, start }: Message): number {
    const example = ownCopy(text.slice(start, start + MAX_EXAMPLE_CHARS));
    this.#nodes.push({ parent: -1, example, wild: new Set() });
    return this.#nodes.length - 1;
  }

  #root(group: number): number {
    let at = group;
    for (;;) {
      const parent = this.#nodes[at]?.parent ?? -1;
      if (parent < 0) return at;
      at = parent;
    }
  }
}

interface Message {
  readonly text: string;
  readonly start: number;
  readonly level: LogLevel | null;
}

interface Usage {
  keys: number;
  overflow: number;
}

interface Gap {
  members: number[];
  weight: number;
  merged: number | undefined;
}

interface Node {
  parent: number;
  readonly example: string;
  readonly wild: Set<number>;
}

function partsOf(tokens: LineTokens, { example, wild }: Node): PatternPart[] {
  tokens.read(example, 0);
  const parts: PatternPart[] = [];
  let at = 0;
  let variable = '';
  for (let token = 0; token < tokens.count; token += 1) {
    const [start, end] = [tokens.starts[token] ?? at, tokens.ends[token] ?? at];
    const text = example.slice(start, end);
    const isVariable = tokens.kinds[token] === VARIABLE || wild.has(token);
    parts.push({ text: gapBehind(variable, example.slice(at, start)), isVariable: false });
    parts.push({ text, isVariable });
    variable = isVariable ? text : '';
    at = end;
  }
  return [...parts, { text: gapBehind(variable, example.slice(at)), isVariable: false }];
}

/** The text behind a variable, without a bracket that the variable opened. */
function gapBehind(variable: string, gap: string): string {
  const opened = variable.lastIndexOf('[') > variable.lastIndexOf(']') ? ']' : '';
  const isClosing = opened !== '' && gap.startsWith(opened);
  return withoutAsides(isClosing ? gap.slice(1) : gap);
}

/** Digits between two tokens can only be those of an aside that belongs to no token. */
function withoutAsides(gap: string): string {
  return /\d/.test(gap) ? gap.replace(/ ?\([^()]{0,80}\)/g, '') : gap;
}

/** A text that does not keep the longer text alive which it was cut from. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function levelSeed(level: LogLevel | null): number {
  return (level === null ? 7 : levelRank(level) * 31) * 2_654_435_761;
}

function mix(hash: number, at: number): number {
  const low = Math.imul(hash ^ Math.imul(at + 1, 0x9e3779b1), 0x85ebca6b);
  const high = Math.imul((low ^ (low >>> 13)) + at, 0xc2b2ae35);
  return ((high ^ (high >>> 16)) >>> 0) * 65_536 + ((low ^ (low >>> 15)) & 0xffff);
}
