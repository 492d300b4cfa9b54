import { gcEntry, gcLine, YOUNG, youngCollections } from '../gc-log.ts';
import type { LogEntry } from '../log-file.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { arrivals, instants, type Span } from '../span.ts';
import { MINUTE_MS, SECOND_MS } from '../wall-clock.ts';

const HEAP_MB = 4_096;
const LIVE_MB = 1_120;

/** A heap whose live part grows from a release on, until full collections free next to nothing. */
export function leakingHeap(
  random: SeededRandom,
  span: Span,
  { releasedAt, fullAt }: { readonly releasedAt: number; readonly fullAt: number },
): LogEntry[] {
  const liveMb = (at: number) => {
    const share = (at - releasedAt) / (fullAt - releasedAt);
    return Math.min(HEAP_MB - 60, Math.round(LIVE_MB + share * (HEAP_MB - 140 - LIVE_MB)));
  };
  const calm = { ...span, asOf: fullAt - 30 * MINUTE_MS };
  return [
    ...youngCollections(random, calm, { everyMs: 24 * SECOND_MS, heapMb: HEAP_MB, liveMb }),
    ...instants(calm, 11 * MINUTE_MS, 35 * MINUTE_MS).map((at) =>
      gcLine(at, 'Concurrent Mark Cycle 412.118ms'),
    ),
    ...arrivals(random, { from: calm.asOf, asOf: span.asOf }, (at) =>
      at < fullAt ? [100_000, 170_000] : [18_000, 30_000],
    ).flatMap((at, index) => fullCollection(random, { at, index, after: liveMb(at) })),
  ];
}

function fullCollection(
  random: SeededRandom,
  { at, index, after }: { readonly at: number; readonly index: number; readonly after: number },
): LogEntry[] {
  const number = 4_900 + index * 3;
  const heap = HEAP_MB;
  const before = heap - random.integer(1, 12);
  return [
    gcEntry({ at: at - 40, number, cause: YOUNG, before, after: before, heap, pauseMs: 21.4 }),
    gcLine(at - 39, `GC(${number}) To-space exhausted`),
    gcEntry({
      at,
      number: number + 1,
      cause: 'Pause Full (G1 Compaction Pause)',
      before,
      after: after + index,
      heap,
      pauseMs: random.integer(2_900_000, 6_400_000) / 1_000,
    }),
  ];
}
