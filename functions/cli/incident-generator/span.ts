import type { SeededRandom } from './seeded-random.ts';

/** The logged hours of an incident; both in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  /** The instant of the question: nothing is logged at it or later. */
  readonly asOf: number;
}

/** Instants of the logged hours, the first after `offsetMs`, then every `everyMs`. */
export function instants({ from, asOf }: Span, offsetMs: number, everyMs: number): number[] {
  const first = from + offsetMs;
  const count = Math.max(0, Math.ceil((asOf - first) / everyMs));
  return Array.from({ length: count }, (_, index) => first + index * everyMs);
}

/** Instants that come by chance; `gapMs` gives the least and most until the next one. */
export function arrivals(
  random: SeededRandom,
  { from, asOf }: Span,
  gapMs: (at: number) => readonly [least: number, most: number],
): number[] {
  const found: number[] = [];
  let at = from;
  for (;;) {
    const [least, most] = gapMs(at);
    at += random.integer(least, most);
    if (at >= asOf) return found;
    found.push(at);
  }
}
