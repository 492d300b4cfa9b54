const HEX = '0123456789abcdef';
const POD_LETTERS = 'bcdfghjklmnpqrstvwxz2456789'; // the alphabet Kubernetes draws pod suffixes from

/** Numbers that are the same for the same seed on every machine; nothing here is secret. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A fraction in [0, 1): the mulberry32 sequence. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** One of `values`. @throws RangeError when there is none. */
  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.integer(0, values.length - 1)];
    if (value === undefined) throw new RangeError('nothing to pick from');
    return value;
  }

  /** Lower-case hex digits. */
  hex(length: number): string {
    return this.#letters(HEX, length);
  }

  /** A pod name as a Kubernetes deployment makes it: `<service>-<replica set>-<suffix>`. */
  podName(service: string): string {
    return `${service}-${this.#letters(POD_LETTERS, 10)}-${this.#letters(POD_LETTERS, 5)}`;
  }

  #letters(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet.charAt(this.integer(0, alphabet.length - 1))).join(
      '',
    );
  }
}
