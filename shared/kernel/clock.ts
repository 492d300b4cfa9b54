/** Where the time comes from; handed in so that tests move it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 in UTC with milliseconds, the one form in which instants are stored. */
export function toInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
