import { type LogEntry, plainEntry } from './log-file.ts';
import type { SeededRandom } from './seeded-random.ts';
import { instants, type Span } from './span.ts';
import { jvmTime } from './wall-clock.ts';

/** One collection as the JVM's unified logging tells it, sizes in MB. */
export interface Collection {
  readonly at: number;
  readonly number: number;
  readonly cause: string;
  readonly before: number;
  readonly after: number;
  readonly heap: number;
  readonly pauseMs: number;
}

export function gcEntry({ at, number, cause, before, after, heap, pauseMs }: Collection): LogEntry {
  return gcLine(
    at,
    `GC(${number}) ${cause} ${before}M->${after}M(${heap}M) ${pauseMs.toFixed(3)}ms`,
  );
}

/** Any line of the collector. */
export function gcLine(at: number, message: string): LogEntry {
  return plainEntry(at, `[${jvmTime(at)}][info][gc] ${message}`);
}

export const YOUNG = 'Pause Young (Normal) (G1 Evacuation Pause)';

/** Young collections of a heap whose live part is what `liveMb` says at each instant. */
export function youngCollections(
  random: SeededRandom,
  span: Span,
  { everyMs, heapMb, liveMb }: { everyMs: number; heapMb: number; liveMb: (at: number) => number },
): LogEntry[] {
  const first = random.integer(200, 2_000);
  return instants(span, random.integer(1_000, everyMs), everyMs).map((start, index) => {
    const at = start + random.integer(0, Math.floor(everyMs / 3));
    const after = Math.floor(liveMb(at) * (1 + random.fraction() / 20));
    const before = Math.min(heapMb, after + Math.floor(heapMb * (0.4 + random.fraction() / 10)));
    const pauseMs = random.integer(3_100, 17_900) / 1_000;
    return gcEntry({
      at,
      number: first + index,
      cause: YOUNG,
      before,
      after,
      heap: heapMb,
      pauseMs,
    });
  });
}
