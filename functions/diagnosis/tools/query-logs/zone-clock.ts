const MINUTE_MS = 60_000;
/** Zones change their offset on quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;

/** Turns wall-clock times of one IANA time zone into instants. */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  /** @throws RangeError for a zone that this machine does not know. */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** Milliseconds since the epoch of a wall-clock time given as if it were UTC. */
  toEpochMs(wallMs: number): number {
    const near = wallMs - this.#offsetMs(wallMs);
    return wallMs - this.#offsetMs(near);
  }

  /** The wall-clock time at an instant, as if it were UTC. */
  toWallMs(epochMs: number): number {
    return epochMs + this.#offsetMs(epochMs);
  }

  #offsetMs(epochMs: number): number {
    const quarter = Math.floor(epochMs / QUARTER_MS);
    const known = this.#offsets.get(quarter);
    if (known !== undefined) return known;
    const offset = this.#readOffset(quarter * QUARTER_MS);
    this.#offsets.set(quarter, offset);
    return offset;
  }

  #readOffset(epochMs: number): number {
    const parts = new Map(
      this.#format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]),
    );
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const wall = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return wall - epochMs;
  }
}
