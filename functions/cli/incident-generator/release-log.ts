import { type LogEntry, plainEntry } from './log-file.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Span } from './span.ts';
import { MINUTE_MS, nakedLocalTime } from './wall-clock.ts';

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
      at: span.asOf - random.integer(QUIET_HOURS * 60, HOURS_OF_HISTORY * 60) * MINUTE_MS,
      service,
      change: random.pick(EVERYDAY),
    })),
  );
  return [...everyday, ...releases].map((release) => releaseEntry(random, release));
}

function releaseEntry(random: SeededRandom, { at, service, change }: Release): LogEntry {
  const [major, minor] = [random.integer(1, 6), random.integer(2, 40)];
  const version = `v${major}.${minor}.${random.integer(0, 6)} -> v${major}.${minor + 1}.0`;
  return plainEntry(
    at,
    `${nakedLocalTime(at)} INFO deploy-bot - 发布成功 env=prod service=${service} version=${version} 变更说明=${change}`,
  );
}
