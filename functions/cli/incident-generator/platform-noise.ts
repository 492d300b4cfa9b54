import { javaEntry, type LogEntry, plainEntry } from './log-file.ts';
import type { Pod } from './pods.ts';
import type { SeededRandom } from './seeded-random.ts';
import { instants, type Span } from './span.ts';
import { accessLogTime, jvmTime, MINUTE_MS, SECOND_MS } from './wall-clock.ts';

/** What any Java pod writes all day: health checks, metrics scrapes, garbage collections. */
export function platformNoise(random: SeededRandom, span: Span, pods: readonly Pod[]): LogEntry[] {
  return pods.flatMap((pod) => [
    ...healthChecks(random, span, pod),
    ...collections(random, span),
    ...clientEvictions(random, span, pod),
  ]);
}

/** Probes and metrics scrapes of one pod, in the format of an access log. */
export function healthChecks(random: SeededRandom, span: Span, pod: Pod): LogEntry[] {
  const node = pod.address.replace(/\d{1,3}$/, '1');
  return instants(span, random.integer(1, 59) * SECOND_MS, 90 * SECOND_MS).map((at, index) => {
    const path = index % 3 === 0 ? '/actuator/prometheus' : '/actuator/health/liveness';
    const bytes = index % 3 === 0 ? random.integer(21_000, 23_400) : 49;
    const agent = index % 3 === 0 ? 'Prometheus/2.53.1' : 'kube-probe/1.30';
    const line = `${node} - - [${accessLogTime(at)}] "GET ${path} HTTP/1.1" 200 ${bytes} "-" "${agent}" ${random.integer(1, 9)}`;
    return plainEntry(at, line);
  });
}

function collections(random: SeededRandom, span: Span): LogEntry[] {
  let number = random.integer(180, 900);
  const heapMb = random.pick([512, 1_024]);
  return instants(span, random.integer(5, 100) * SECOND_MS, 110 * SECOND_MS).map((start) => {
    const at = start + random.integer(0, 9_000);
    const before = Math.floor(heapMb * (0.55 + random.fraction() / 10));
    const after = Math.floor(before * (0.3 + random.fraction() / 10));
    number += 1;
    const pause = (random.integer(3_100, 14_900) / 1_000).toFixed(3);
    return plainEntry(
      at,
      `[${jvmTime(at)}][info][gc] GC(${number}) Pause Young (Normal) (G1 Evacuation Pause) ${before}M->${after}M(${heapMb}M) ${pause}ms`,
    );
  });
}

function clientEvictions(random: SeededRandom, span: Span, pod: Pod): LogEntry[] {
  return instants(span, random.integer(60, 900) * SECOND_MS, 17 * MINUTE_MS).map((at) =>
    javaEntry({
      at,
      level: 'INFO',
      thread: 'lettuce-nioEventLoop-5-1',
      pod: pod.name,
      logger: 'i.l.core.protocol.ConnectionWatchdog',
      message: `Reconnecting, last destination was ${pod.address.replace(/\.\d{1,3}\.\d{1,3}$/, '.9.6')}:6379`,
    }),
  );
}
