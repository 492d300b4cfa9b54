import type { SeededRandom } from './seeded-random.ts';

export interface Pod {
  readonly name: string;
  readonly address: string;
}

/** Pods of one network, such as `10.46.7`, each with an address of its own. */
export class PodNetwork {
  readonly #random: SeededRandom;
  readonly #network: string;
  #host: number;

  constructor(random: SeededRandom, network: string) {
    this.#random = random;
    this.#network = network;
    this.#host = random.integer(11, 30);
  }

  /** @throws RangeError once the network has no address left */
  pods(service: string, count: number): Pod[] {
    return Array.from({ length: count }, () => {
      this.#host += this.#random.integer(1, 17);
      if (this.#host > 254) throw new RangeError(`${this.#network} has no address left`);
      return {
        name: this.#random.podName(service),
        address: `${this.#network}.${this.#host}`,
      };
    });
  }
}

/** @throws RangeError when there is none */
export function firstOf(pods: readonly Pod[]): Pod {
  const [first] = pods;
  if (first === undefined) throw new RangeError('no pod');
  return first;
}
