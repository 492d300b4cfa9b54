import type { Clock } from '../../shared/kernel/clock.ts';

/** 2026-11-30T00:00:00Z, where every hand-moved clock begins; milliseconds since the epoch. */
export const CLOCK_START = Date.UTC(2026, 10, 30);

/** Stands still until a test moves it. */
export class HandMovedClock implements Clock {
  #now = CLOCK_START;

  now(): number {
    return this.#now;
  }

  move(ms: number): void {
    this.#now += ms;
  }
}
