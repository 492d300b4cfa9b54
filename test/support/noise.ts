/** A seeded source of random numbers, so that a trial can be played again. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  from(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }
}

/** One line of noise before a format writes it. */
export interface Said {
  readonly level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  readonly message: string;
}

/** How the lines of one log look. */
export type Format = 'logback' | 'spring' | 'json' | 'logfmt' | 'syslog' | 'go';

/** What one log is full of: messages of random wording, some far more frequent than others. */
export class Noise {
  readonly format: Format;
  readonly #dice: Dice;
  readonly #wordings: readonly Wording[];

  constructor(dice: Dice) {
    this.#dice = dice;
    this.format = dice.pick(['logback', 'spring', 'json', 'logfmt', 'syslog', 'go']);
    this.#wordings = [
      ...wordings(dice, 'INFO', dice.from(5, 120)),
      ...wordings(dice, 'DEBUG', dice.from(0, 40)),
      ...wordings(dice, 'WARN', dice.from(0, 30)),
      ...wordings(dice, 'ERROR', dice.from(0, 25)),
      ...(dice.next() < FREE_TEXT_SHARE ? [freeText(dice.pick(FREE_TEXT_LEVELS))] : []),
    ];
  }

  /** The next line, a few wordings being most of it; `at` counts milliseconds from the start. */
  line(at: number): string {
    const share = this.#dice.next() ** 3;
    const wording = this.#wordings[Math.floor(share * this.#wordings.length)];
    const said = { level: wording?.level ?? 'INFO', message: this.#message(wording?.parts ?? []) };
    return written(said, { at, format: this.format, dice: this.#dice });
  }

  #message(parts: readonly Part[]): string {
    return parts.map((part) => (typeof part === 'string' ? part : part(this.#dice))).join(' ');
  }
}

interface Wording {
  readonly level: Said['level'];
  readonly parts: readonly Part[];
}

type Part = string | ((dice: Dice) => string);

const VALUES: readonly [Part, ...Part[]] = [
  (dice) => `id=${dice.below(1e9)}`,
  (dice) => `in ${dice.below(2_000)} ms`,
  (dice) => `user=u${dice.below(1e6)}`,
  (dice) =>
    `from 10.${dice.below(256)}.${dice.below(256)}.${dice.below(256)}:${dice.below(65_536)}`,
  (dice) => `trace=${dice.below(2 ** 31).toString(16)}${dice.below(2 ** 31).toString(16)}`,
  (dice) => `/api/v1/${dice.pick(['order', 'pay', 'cart'])}/${dice.below(1e6)}`,
  (dice) => `amount ${dice.below(1e6) / 100} CNY`,
  (dice) => `attempt ${dice.below(9)} of 9`,
  (dice) => `[${dice.pick(['alice', 'bob', 'carol', 'dave', 'eve', 'frank', 'grace'])}]`,
  (dice) => `单号 ${dice.below(1e9)}`,
];
const VERBS = 'sent took made kept read wrote split joined checked loaded queued moved'.split(' ');
const NOUNS =
  'order cart stock price coupon invoice parcel ledger queue cache page item buyer shop receipt 库存 订单 回调'.split(
    ' ',
  );
const TROUBLES =
  'timed out,refused by peer,rejected,not found,failed,retry exhausted,调用超时,校验失败'.split(
    ',',
  );

function wordings(dice: Dice, level: Said['level'], count: number): Wording[] {
  return Array.from({ length: count }, () => ({ level, parts: partsOf(dice, level) }));
}

function partsOf(dice: Dice, level: Said['level']): Part[] {
  const word = (words: readonly string[]) => words[dice.below(words.length)] ?? '';
  const words: Part[] = [word(NOUNS), word(VERBS), word(NOUNS), word(NOUNS)];
  const trouble = level === 'ERROR' || level === 'WARN' ? [word(TROUBLES)] : [];
  const values = Array.from({ length: dice.from(1, 3) }, () => dice.pick(VALUES));
  return [...words, ...trouble, ...values];
}

/** Share of logs that repeat what people wrote, so that hardly two of those lines share their words. */
const FREE_TEXT_SHARE = 0.3;
const FREE_TEXT_LEVELS: readonly [Said['level'], ...Said['level'][]] = ['INFO', 'WARN', 'ERROR'];

function freeText(level: Said['level']): Wording {
  const words: Part = (dice) =>
    Array.from({ length: dice.from(2, 7) }, () => madeUp(dice)).join(' ');
  return { level, parts: ['remark', 'of', 'buyer', words] };
}

function madeUp(dice: Dice): string {
  return Array.from({ length: dice.from(1, 3) }, () => dice.pick(SYLLABLES)).join('');
}

const SYLLABLES: readonly [string, ...string[]] = [
  'ka',
  'lo',
  'min',
  'ter',
  'shu',
  'ren',
  'bai',
  'os',
];

const START = Date.parse('2026-11-30T09:00:00Z');

/** Where and how a line is written. */
export interface Place {
  readonly at: number;
  readonly format: Format;
  readonly dice: Dice;
}

/** The line as a program of this format writes it. */
export function written(said: Said, { at, format, dice }: Place): string {
  const time = new Date(START + at).toISOString();
  const { level, message } = said;
  switch (format) {
    case 'logback':
      return `${time.slice(0, 10)} ${time.slice(11, 23)} ${level} [exec-${dice.below(64)}] c.a.pay.Desk - ${message}`;
    case 'spring':
      return `${time}  ${level.padStart(5)} 4343 --- [nio-8080-${dice.below(64)}] c.a.pay.StockCache : ${message}`;
    case 'json':
      return JSON.stringify({ '@timestamp': time, level, logger: 'pay.Desk', message });
    case 'logfmt':
      return `time=${time} level=${level.toLowerCase()} msg=${JSON.stringify(message)} shard=${dice.below(16)}`;
    case 'syslog':
      return `Nov 30 ${time.slice(11, 19)} web-${dice.below(9)} pay[${dice.below(9_999)}]: ${level}: ${message}`;
    case 'go':
      return `${level.charAt(0)}1130 ${time.slice(11, 23)} ${dice.below(99)} desk.go:${dice.below(900)}] ${message}`;
  }
}
