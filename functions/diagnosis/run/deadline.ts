import { HarnessError } from '../../../shared/kernel/errors.ts';

/** Kept back from the Lambda's own end for settling the run; milliseconds. */
export const SETTLING_RESERVE_MS = 10_000;
/** Less than this and one round with its settling does not fit; milliseconds. */
export const SHORTEST_RUN_MS = 20_000;
/** The least time kept for the final round; milliseconds. */
const COMPLETION_RESERVE_MS = 60_000;
/** A final round may take this much longer than the slowest so far. */
const SLOWEST_ROUND_FACTOR = 1.5;

/** The instants of one run after which no round, and no tool work, may go on. Epoch milliseconds. */
export class Deadline {
  readonly startedAt: number;
  readonly at: number;
  /** The Lambda's own end: settling must be done by then. */
  readonly settleBy: number;
  #slowestRoundMs = 0;

  private constructor(startedAt: number, runMs: number, remainingMs: number) {
    this.startedAt = startedAt;
    this.at = startedAt + runMs;
    this.settleBy = startedAt + remainingMs;
  }

  /**
   * Taken once, on entry.
   *
   * @param remainingMs - what the Lambda has left; a terminal counts 900 s
   * @param limitMs - the run's own time limit
   * @throws HarnessError `DEADLINE_TOO_SHORT` under 20 s
   */
  static open(now: number, remainingMs: number, limitMs: number): Deadline {
    const runMs = Math.min(remainingMs - SETTLING_RESERVE_MS, limitMs);
    if (runMs < SHORTEST_RUN_MS) {
      throw new HarnessError(
        'DEADLINE_TOO_SHORT',
        `a run needs ${SHORTEST_RUN_MS} ms and ${SETTLING_RESERVE_MS} ms to settle; ${Math.max(0, Math.trunc(remainingMs))} ms remain`,
      );
    }
    return new Deadline(now, runMs, remainingMs);
  }

  recordRound(durationMs: number): void {
    this.#slowestRoundMs = Math.max(this.#slowestRoundMs, durationMs);
  }

  hasPassed(now: number): boolean {
    return now >= this.at;
  }

  /**
   * Milliseconds until settling must be done: a timer's whole number, and never more than there were
   * on entry, however far the clock was put back meanwhile.
   */
  untilSettled(now: number): number {
    const wholeMs = Math.trunc(Math.min(this.settleBy - now, this.settleBy - this.startedAt));
    return Math.max(1, wholeMs);
  }

  /** The instant after which no tool works: what remains is kept for the final round. */
  toolCutoff(): number {
    const wanted = Math.max(COMPLETION_RESERVE_MS, SLOWEST_ROUND_FACTOR * this.#slowestRoundMs);
    return this.at - Math.min(wanted, (this.at - this.startedAt) / 2);
  }
}
