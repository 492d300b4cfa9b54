import type { LogEntry } from './log-file.ts';
import { accessEntry, upstreamTimeoutEntry } from './nginx-log.ts';
import type { Pod } from './pods.ts';
import type { SeededRandom } from './seeded-random.ts';
import { arrivals, type Span } from './span.ts';
import { SECOND_MS } from './wall-clock.ts';

const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15',
  'Mozilla/5.0 (Linux; Android 15; V2309A) AppleWebKit/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36',
  'okhttp/4.12.0',
] as const;
/** Seconds after which the gateway gives up, and after which some clients do. */
const GATEWAY_SECONDS = 10;
const PATIENCE_SECONDS = 6;
const IMPATIENT = 0.4;

/** What passes through a gateway. */
export interface GatewayTraffic {
  readonly host: string;
  readonly upstreams: readonly Pod[];
  readonly paths: readonly string[];
  readonly gapMs: readonly [least: number, most: number];
  /** Seconds that the upstream takes for a request that arrives at an instant. */
  readonly seconds: (path: string, at: number) => number;
}

/** Access and error log of a gateway that answers 504 after ten seconds; some clients leave before. */
export function gatewayLog(random: SeededRandom, span: Span, traffic: GatewayTraffic): LogEntry[] {
  return arrivals(random, span, () => traffic.gapMs).flatMap((arrivedAt) => {
    const path = random.pick(traffic.paths);
    const needed = traffic.seconds(path, arrivedAt);
    const { status, seconds, upstreamSeconds } = endingOf(random, needed);
    const request = {
      at: arrivedAt + Math.round(seconds * SECOND_MS),
      client: `203.0.113.${random.integer(2, 250)}`,
      request: `GET ${path} HTTP/1.1`,
      status,
      bytes: status === 200 ? random.integer(900, 18_400) : 167,
      agent: random.pick(AGENTS),
      seconds,
      upstreamSeconds,
      upstream: `${random.pick(traffic.upstreams).address}:8080`,
    };
    if (status !== 504) return [accessEntry(request)];
    const details = { connection: random.integer(410_000, 990_000), host: traffic.host };
    return [accessEntry(request), upstreamTimeoutEntry(request, details)];
  });
}

function endingOf(random: SeededRandom, needed: number) {
  if (needed > PATIENCE_SECONDS && random.chance(IMPATIENT)) {
    const seconds = PATIENCE_SECONDS + random.integer(1, 900) / 1_000;
    return { status: 499, seconds, upstreamSeconds: null };
  }
  if (needed > GATEWAY_SECONDS) {
    return {
      status: 504,
      seconds: GATEWAY_SECONDS + random.integer(0, 4) / 1_000,
      upstreamSeconds: null,
    };
  }
  return { status: 200, seconds: needed, upstreamSeconds: needed };
}
