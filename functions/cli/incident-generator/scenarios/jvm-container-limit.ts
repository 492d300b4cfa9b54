import { type CapsuleFiles, capsuleFiles } from '../capsule.ts';
import { documents } from '../documents/jvm-container-limit.ts';
import { gcLine, youngCollections } from '../gc-log.ts';
import { jsonEntry } from '../json-log.ts';
import { javaEntry, type LogEntry } from '../log-file.ts';
import { AS_CAUSE, expectation, manifest, says } from '../manifest.ts';
import { pooledSessions, serverSessions } from '../mysql-session.ts';
import { mysqlSnapshot, serverTable } from '../mysql-snapshot.ts';
import { healthChecks } from '../platform-noise.ts';
import { type Pod, PodNetwork } from '../pods.ts';
import { releaseLog } from '../release-log.ts';
import { SeededRandom } from '../seeded-random.ts';
import { arrivals, instants, type Span } from '../span.ts';
import { MINUTE_MS, SECOND_MS, spokenTime } from '../wall-clock.ts';

const AS_OF = Date.UTC(2026, 10, 27, 8, 44);
const SPAN: Span = { from: AS_OF - 150 * MINUTE_MS, asOf: AS_OF };
const RELEASED_AT = AS_OF - 97 * MINUTE_MS;

/** Pods killed by the kernel at the container's limit while the Java heap is half empty. */
export function jvmContainerLimit(): CapsuleFiles {
  const random = new SeededRandom(20_261_127);
  const pods = new PodNetwork(random, '10.91.3').pods('image-api', 3);
  const kills = drawKills(random, pods);
  const releases = [
    {
      at: RELEASED_AT,
      service: 'image-api',
      change: 'decode workers 8 -> 32, heap and container limit unchanged',
    },
    { at: AS_OF - 310 * MINUTE_MS, service: 'upload-web', change: 'progress bar' },
  ];
  return capsuleFiles({
    incident: manifest({
      name: 'jvm-container-limit',
      title: 'image-api pods restart over and over',
      query: `image-api pods (Java) keep restarting since about ${spokenTime(RELEASED_AT + 12 * MINUTE_MS)} local time, memory alerts fire. Somebody found "OutOfMemoryError" in the log and says the heap leaks. No Full GC that I can see. Should we raise -Xmx to 2560m?`,
      asOf: AS_OF,
      topics: {
        'image-api': '图片服务 image service：应用日志与启动参数',
        'image-api-gc': '图片服务的 GC 日志 JVM unified logging',
        'cluster-events': '容器事件：Kubernetes 事件 JSON，重启、被杀、调度',
        deployments: '发布记录 releases：各服务的部署与配置变更',
      },
    }),
    expected: EXPECTED,
    logs: {
      'image-api': imageLog(random, pods, kills),
      'image-api-gc': pods.flatMap(() => steadyHeap(random)),
      'cluster-events': clusterEvents(random, kills),
      deployments: releaseLog(random, SPAN, { releases, others: ['gateway', 'cdn-sync'] }),
    },
    tables: mysqlSnapshot(random, {
      schema: 'media',
      asOf: AS_OF,
      maxConnections: 300,
      abortedConnects: 31,
      sessions: [
        ...serverSessions(random, '10.91.3.240'),
        ...pooledSessions(random, { user: 'media_rw', pods, each: 8, firstPid: 15_230 }),
      ],
      digests: DIGESTS,
      tables: [serverTable('picture', 30_114_870, { PRIMARY: 'id', uk_hash: 'sha256' })],
    }),
    documents,
  });
}

interface Kill {
  readonly at: number;
  readonly pod: Pod;
}

function drawKills(random: SeededRandom, pods: readonly Pod[]): Kill[] {
  const from = RELEASED_AT + 11 * MINUTE_MS;
  return arrivals(random, { from, asOf: AS_OF - MINUTE_MS }, () => [150_000, 460_000]).map(
    (at) => ({
      at,
      pod: random.pick(pods),
    }),
  );
}

function imageLog(random: SeededRandom, pods: readonly Pod[], kills: readonly Kill[]): LogEntry[] {
  return [
    ...arrivals(random, SPAN, () => [5_000, 13_000]).map((at) => resized(random, pods, at)),
    ...pods.flatMap((pod) => [
      ...started(random, pod, RELEASED_AT + random.integer(4, 40) * SECOND_MS),
      ...healthChecks(random, SPAN, pod),
    ]),
    ...kills.flatMap(({ at, pod }) => started(random, pod, at + random.integer(6, 14) * SECOND_MS)),
  ];
}

function resized(random: SeededRandom, pods: readonly Pod[], at: number): LogEntry {
  const format = random.pick(['JPEG', 'JPEG', 'WEBP', 'AVIF']);
  const busy = at < RELEASED_AT ? random.integer(1, 8) : random.integer(9, 32);
  return javaEntry({
    at,
    level: 'INFO',
    thread: `decode-${random.integer(1, busy)}`,
    pod: random.pick(pods).name,
    traceId: random.hex(16),
    logger: 'c.l.image.resize.Resizer',
    message: `resized ${format} ${random.integer(900, 8_000)}x${random.integer(900, 8_000)} in ${random.integer(60, 940)} ms, busy workers ${busy}`,
  });
}

/** The lines of a start; the options of the JVM hold the words that somebody took for an error. */
function started(random: SeededRandom, pod: Pod, at: number): LogEntry[] {
  const shared = { level: 'INFO' as const, thread: 'main', pod: pod.name };
  const logger = 'c.l.image.ImageApplication';
  return [
    javaEntry({
      ...shared,
      at,
      logger,
      message: 'Starting ImageApplication using Java 21.0.5 with PID 1',
    }),
    javaEntry({
      ...shared,
      at: at + 40,
      logger: 'c.l.image.boot.JvmOptions',
      message:
        'JVM options: -Xms2g -Xmx2g -XX:+UseG1GC -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=/dump -XX:MaxMetaspaceSize=256m',
    }),
    javaEntry({
      ...shared,
      at: at + random.integer(5_100, 7_900),
      logger,
      message: `Started ImageApplication in ${random.integer(51, 79) / 10} seconds`,
    }),
  ];
}

function steadyHeap(random: SeededRandom): LogEntry[] {
  return [
    ...youngCollections(random, SPAN, {
      everyMs: 45 * SECOND_MS,
      heapMb: 2_048,
      liveMb: () => 640,
    }),
    gcLine(
      RELEASED_AT + 9 * SECOND_MS,
      'GC(0) Pause Young (Concurrent Start) (Metadata GC Threshold) 102M->31M(2048M) 9.214ms',
    ),
  ];
}

function clusterEvents(random: SeededRandom, kills: readonly Kill[]): LogEntry[] {
  const event = (
    at: number,
    pod: string,
    { level, reason, message }: { level: 'INFO' | 'WARN'; reason: string; message: string },
  ) =>
    jsonEntry({
      at,
      level,
      service: 'event-exporter',
      pod,
      logger: 'events',
      message: `${reason}: ${message}`,
      fields: { namespace: 'media', container: 'image-api' },
    });
  return [
    ...kills.flatMap(({ at, pod }, index) => [
      event(at, pod.name, {
        level: 'WARN',
        reason: 'OOMKilled',
        message: `container image-api terminated, exit code 137, memory limit 3Gi, working set ${random.integer(3_040, 3_071)}Mi`,
      }),
      event(at + 900, pod.name, {
        level: 'WARN',
        reason: 'BackOff',
        message: `restarting failed container, restart count ${index + 1}`,
      }),
    ]),
    ...instants(SPAN, 40 * SECOND_MS, 13 * MINUTE_MS).map((at) =>
      event(at, `cdn-sync-${random.hex(5)}`, {
        level: 'INFO',
        reason: 'Completed',
        message: 'job completed, exit code 0',
      }),
    ),
  ];
}

const EXPECTED = expectation({
  true_cause:
    'The kernel kills the containers at their 3Gi limit: with 32 decode workers instead of 8 the memory outside the Java heap no longer fits beside a 2g heap. The heap itself stays around 640 MB after each collection.',
  told_apart_by:
    'OOMKilled with exit code 137 in the cluster events from eleven minutes after the release; no OutOfMemoryError was ever thrown (the words come from a start-up option), no Pause Full, a level heap in the GC log.',
  must_conclude: [
    says('killed at a limit', 'oomkilled|137|被杀|killed|kill'),
    says('of the container', '容器|container|cgroup|3gi'),
  ],
  may_conclude: [says('by memory outside the heap', '堆外|off-heap|native|worker|decode')],
  must_not_blame: [
    says(
      'a leaking heap',
      '堆泄漏|堆内存泄漏|堆耗尽|heap leak|heap is exhausted|heap exhaustion|java heap space',
    ),
    says('too small a heap', 'xmx|堆太小|heap too small', AS_CAUSE),
    says('metaspace', 'metaspace|元空间'),
  ],
});

const DIGESTS = [
  {
    text: 'SELECT * FROM `picture` WHERE `sha256` = ?',
    calls: 3_340_118,
    avgMs: 0.7,
    maxMs: 130,
    sent: 1,
    examined: 1,
  },
];
