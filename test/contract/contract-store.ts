import { afterEach, beforeEach } from 'vitest';
import type { Clock } from '../../shared/kernel/clock.ts';
import type { RunStore } from '../../shared/store/run-store.ts';

/** A store under the contract, with the views on its insides that only tests have. */
export interface OpenedStore {
  readonly store: RunStore;
  /** The compressed pieces of a raw result, joined. */
  readRaw(runId: string, toolCallId: string): Promise<Uint8Array>;
  readLegend(runId: string): Promise<string | null>;
  /** Everything the record keeps of a run, as one text; nothing of the raw results' side. */
  dumpRecord(runId: string): Promise<string>;
  close(): Promise<void>;
}

export type StoreOpener = (clock: Clock) => Promise<OpenedStore>;

/** A clock that stands still until it is moved. */
export class HandClock implements Clock {
  #now: number;

  constructor(instant: string) {
    this.#now = Date.parse(instant);
  }

  now(): number {
    return this.#now;
  }

  moveTo(instant: string): void {
    this.#now = Date.parse(instant);
  }
}

/** What the tests of one suite work on; fresh for each of them. */
export interface StoreUnderTest {
  readonly opened: OpenedStore;
  readonly store: RunStore;
  readonly clock: HandClock;
}

/** Opens a store before each test of the suite, at the given instant, and closes it afterwards. */
export function useStore(open: StoreOpener, instant: string): StoreUnderTest {
  let clock = new HandClock(instant);
  let opened: OpenedStore;
  beforeEach(async () => {
    clock = new HandClock(instant);
    opened = await open(clock);
  });
  afterEach(() => opened.close());

  return {
    get opened() {
      return opened;
    },
    get store() {
      return opened.store;
    },
    get clock() {
      return clock;
    },
  };
}
