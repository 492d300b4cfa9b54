import { type LogEntry, plainEntry } from '../log-file.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { MINUTE_MS, nakedLocalTime, SECOND_MS } from '../wall-clock.ts';
import type { Scenario } from './scenario.ts';

const OTHERS = ['inventory-service', 'search-service', 'coupon-service', 'gateway'] as const;
const CHANGES = [
  '依赖升级，无配置变更',
  '修复分页边界问题',
  '日志格式调整',
  '接口增加埋点',
  '缓存时间调整为十分钟',
] as const;
const HOURS_OF_HISTORY = 46;
const RELEASES_EACH = 3;

/** What was released lately, in local time and without a zone, as the tool writes it. */
export function deploymentsLog(random: SeededRandom, scenario: Scenario): LogEntry[] {
  const { settlementDeployedAt, bystanderDeployedAt, names } = scenario;
  return [
    ...earlierReleases(random, scenario),
    {
      ...release(
        settlementDeployedAt,
        names.settlement,
        scenario.settlementVersion,
        settlementChange(scenario),
      ),
      decisive: true,
    },
    release(
      bystanderDeployedAt,
      names.bystander,
      scenario.bystanderVersion,
      '短信模板文案更新，不涉及数据库',
    ),
  ];
}

function settlementChange(scenario: Scenario): string {
  return `结算批次 settlement.chunk-size ${scenario.chunkBefore} -> ${scenario.chunkAfter}，减少提交次数`;
}

function earlierReleases(random: SeededRandom, scenario: Scenario): LogEntry[] {
  const quietUntil = scenario.from - 20 * MINUTE_MS;
  const everyMs = (HOURS_OF_HISTORY * 60 * MINUTE_MS) / (OTHERS.length * RELEASES_EACH);
  return OTHERS.flatMap((service, index) => {
    const line = `v${random.integer(1, 5)}.${random.integer(2, 30)}`;
    return Array.from({ length: RELEASES_EACH }, (_, nth) => {
      const back = (RELEASES_EACH - nth) * OTHERS.length - index;
      const at = quietUntil - Math.floor(everyMs * back) + random.integer(0, 1_800) * SECOND_MS;
      return release(at, service, [`${line}.${nth}`, `${line}.${nth + 1}`], random.pick(CHANGES));
    });
  });
}

function release(
  at: number,
  service: string,
  [before, after]: readonly [string, string],
  change: string,
): LogEntry {
  return plainEntry(
    at,
    `${nakedLocalTime(at)} INFO deploy-bot - 发布成功 env=prod service=${service} version=${before} -> ${after} 变更说明=${change}`,
  );
}
