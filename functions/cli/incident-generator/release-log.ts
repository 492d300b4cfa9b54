import { type LogEntry, plainEntry } from './log-file.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Span } from './span.ts';
import { nakedLocalTime, SECOND_MS } from './wall-clock.ts';

/** One release or change of settings. */
export interface Release {
  readonly at: number;
  readonly service: string;
  readonly change: string;
}

const EVERYDAY = [
  '依赖升级，无配置变更',
  '日志格式调整',
  '接口增加埋点',
  '修复分页边界问题',
  '文案更新',
  '健康检查路径调整',
] as const;
const HOURS_OF_HISTORY = 60;
const QUIET_HOURS = 3;

/** The releases given, and the everyday ones of `others` in the two days before, in local time. */
export function releaseLog(
  random: SeededRandom,
  span: Span,
  { releases, others }: { releases: readonly Release[]; others: readonly string[] },
): LogEntry[] {
  const everyday = others.flatMap((service) =>
    Array.from({ length: 2 }, () => ({
      at: span.asOf - random.integer(QUIET_HOURS * 3_600, HOURS_OF_HISTORY * 3_600) * SECOND_MS,
      service,
      change: random.pick(EVERYDAY),
    })),
  );
  const versions = new Map<string, Version>();
  return [...everyday, ...releases]
    .sort((left, right) => left.at - right.at)
    .map((release) => {
      const before = versions.get(release.service) ?? firstVersion(random);
      const after = { ...before, minor: before.minor + 1, patch: 0 };
      versions.set(release.service, after);
      return releaseEntry(release, before, after);
    });
}

interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

function firstVersion(random: SeededRandom): Version {
  return {
    major: random.integer(1, 6),
    minor: random.integer(2, 40),
    patch: random.integer(0, 6),
  };
}

function releaseEntry({ at, service, change }: Release, before: Version, after: Version): LogEntry {
  const [from, to] = [before, after].map(
    ({ major, minor, patch }) => `v${major}.${minor}.${patch}`,
  );
  return plainEntry(
    at,
    `${nakedLocalTime(at)} INFO deploy-bot - 发布成功 env=prod service=${service} version=${from} -> ${to} 变更说明=${change}`,
  );
}
