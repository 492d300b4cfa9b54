import type { Pod } from './pods.ts';
import type { SeededRandom } from './seeded-random.ts';

/** One session of the server at the instant of the snapshot. */
export interface MysqlSession {
  readonly pid: number;
  readonly user: string;
  readonly host: string;
  readonly command: 'Sleep' | 'Execute' | 'Query' | 'Binlog Dump GTID' | 'Daemon';
  readonly seconds: number;
  readonly state: string;
  readonly running: string | null;
  readonly lastStatement: string | null;
  readonly transaction?: OpenTransaction;
}

interface OpenTransaction {
  readonly id: number;
  readonly startedAt: number;
  /** Null unless it waits for a row lock. */
  readonly waitingSince: number | null;
  readonly rowsLocked: number;
  readonly rowsModified: number;
}

/** A session that does nothing just now. */
export function idleSession(
  pid: number,
  user: string,
  host: string,
  seconds: number,
): MysqlSession {
  return {
    pid,
    user,
    host,
    command: 'Sleep',
    seconds,
    state: '',
    running: null,
    lastStatement: null,
  };
}

/** What is connected to any writer: the event scheduler and one replica at `replicaHost`. */
export function serverSessions(random: SeededRandom, replicaHost: string): MysqlSession[] {
  return [
    {
      ...idleSession(5, 'event_scheduler', 'localhost', 88_000),
      command: 'Daemon',
      state: 'Waiting on empty queue',
    },
    {
      ...idleSession(random.integer(20, 90), 'repl', `${replicaHost}:51022`, 610_000),
      command: 'Binlog Dump GTID',
      state: 'Source has sent all binlog to replica; waiting for more updates',
    },
  ];
}

/** A statement under way for `seconds`. */
export function runningSession(
  session: MysqlSession,
  { seconds, state, statement }: { seconds: number; state: string; statement: string },
): MysqlSession {
  return {
    ...session,
    command: 'Query',
    seconds,
    state,
    running: statement,
    lastStatement: statement,
  };
}

/** Pooled connections that do nothing just now, `each` per pod, from `firstPid` on. */
export function pooledSessions(
  random: SeededRandom,
  owner: { user: string; pods: readonly Pod[]; each: number; firstPid: number },
): MysqlSession[] {
  return owner.pods
    .flatMap((pod) => Array.from({ length: owner.each }, () => pod))
    .map((pod, index) => ({
      ...idleSession(
        owner.firstPid + index * 23,
        owner.user,
        hostOf(random, pod),
        random.integer(1, 180),
      ),
      lastStatement: 'COMMIT',
    }));
}

/** Address and port of a pod's connection. */
export function hostOf(random: SeededRandom, pod: Pod): string {
  return `${pod.address}:${random.integer(32_800, 60_900)}`;
}
