import { type LogEntry, plainEntry } from './log-file.ts';
import type { SeededRandom } from './seeded-random.ts';
import { instants, type Span } from './span.ts';
import { redisTime } from './wall-clock.ts';

/** What a healthy Redis server writes: a background save now and then, and nothing else. */
export function healthyRedisLog(random: SeededRandom, span: Span, everyMs: number): LogEntry[] {
  return instants(span, random.integer(20_000, 200_000), everyMs).flatMap((at) => {
    const child = random.integer(18_000, 32_000);
    const took = random.integer(900, 2_600);
    return [
      redisEntry(at, `${random.integer(1_000, 9_000)} changes in 300 seconds. Saving...`),
      redisEntry(at + 4, `Background saving started by pid ${child}`),
      redisEntry(at + took, 'DB saved on disk', child),
      redisEntry(
        at + took + 6,
        `RDB: ${random.integer(3, 9)} MB of memory used by copy-on-write`,
        child,
      ),
      redisEntry(at + took + 90, 'Background saving terminated with success'),
    ];
  });
}

/** A line of the server's log; `child` is the process of a background save, 1 the server itself. */
export function redisEntry(at: number, message: string, child = 1): LogEntry {
  const role = child === 1 ? 'M' : 'C';
  return plainEntry(at, `${child}:${role} ${redisTime(at)} * ${message}`);
}
