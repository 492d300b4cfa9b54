import type { Expected } from '../../../../shared/contracts/expected.ts';
import type { Incident } from '../../../../shared/contracts/incident.ts';
import { type CapsuleFiles, capsuleFiles, writeFiles } from '../capsule.ts';
import { SeededRandom } from '../seeded-random.ts';
import { sessionTables } from '../server-tables.ts';
import type { TableSnapshot } from '../table-snapshot.ts';
import { spokenTime, TIME_ZONE } from '../wall-clock.ts';
import { deploymentsLog } from './deployments-log.ts';
import { expectedBare, expectedWhole } from './expected.ts';
import { knowledgeDocuments } from './knowledge-documents.ts';
import { LOCKED, mysqlSessions } from './mysql-sessions.ts';
import { orderLog } from './order-log.ts';
import { drawAttempts, type PaymentAttempt } from './payment-attempts.ts';
import { paymentLog } from './payment-log.ts';
import { type CapsuleNames, DEFAULT_NAMES, drawScenario, type Scenario } from './scenario.ts';
import { settlementLog } from './settlement-log.ts';
import { shopStatistics } from './shop-statistics.ts';
import { shopTables } from './shop-tables.ts';

/** Which half of the decisive evidence is left out; the noise and the symptoms stay. */
type OmittedEvidence = 'LOGS' | 'MYSQL';

export interface CapsuleOptions {
  /** Draws every number, instant, pod, address and id; default 20261118. */
  readonly seed?: number;
  readonly names?: Partial<CapsuleNames>;
  /** Default none: the capsule carries its cause. */
  readonly omitDecisive?: readonly OmittedEvidence[];
}

const DEFAULT_SEED = 20_261_118;

/**
 * An incident capsule as texts by path: a settlement run that commits nothing holds row locks, and
 * payments time out. Same options, same bytes.
 */
export function generateCapsule(options: CapsuleOptions = {}): CapsuleFiles {
  const { seed = DEFAULT_SEED, names, omitDecisive = [] } = options;
  const random = new SeededRandom(seed);
  const scenario = drawScenario(random, { ...DEFAULT_NAMES, ...names });
  const attempts = drawAttempts(random, scenario);
  return capsuleFiles({
    incident: manifest(scenario),
    expected: expectation(scenario, omitDecisive),
    logs: logs(random, scenario, attempts),
    tables: tables(random, scenario, attempts, omitDecisive.includes('MYSQL')),
    documents: knowledgeDocuments(scenario),
    omitDecisiveEvents: omitDecisive.includes('LOGS'),
  });
}

/** Writes a capsule into `folder`, which is made if it does not exist; files of other names stay. */
export function writeCapsule(folder: string, options: CapsuleOptions = {}): void {
  writeFiles(folder, generateCapsule(options));
}

/** Either half alone still shows the lock or the run that holds it. */
function expectation(scenario: Scenario, omitDecisive: readonly OmittedEvidence[]): Expected {
  const isBare = omitDecisive.includes('LOGS') && omitDecisive.includes('MYSQL');
  return isBare ? expectedBare(scenario) : expectedWhole(scenario);
}

function manifest({ names, asOf, onset, boundTenant }: Scenario): Incident {
  const topic = (name: string, description: string) => ({
    name,
    description,
    max_lookback_minutes: 1_440,
  });
  return {
    schema_version: 1,
    name: 'payment-timeout',
    title: '下单支付大面积超时',
    query: `${spokenTime(onset)} 左右开始下单支付大量超时，客户端一直转圈，订单停在“支付中”，目前还没恢复。${names.order} 告警调用 ${names.payment} 读超时。请帮忙定位原因：是渠道的问题还是我们自己的问题？和刚才的发布有没有关系？`,
    as_of: new Date(asOf).toISOString(),
    time_zone: TIME_ZONE,
    shipped_sample: true,
    topics: [
      topic(names.order, '订单服务：下单、发起支付、客诉工单，含访问日志'),
      topic(names.payment, '支付服务：支付确认、渠道调用、渠道回调，含数据库报错'),
      topic(names.settlement, '结算服务：定时结算批次、批处理任务'),
      {
        name: 'deployments',
        description: '发布记录：各服务的部署与配置变更',
        max_lookback_minutes: 10_080,
      },
    ],
    bindings: { tenant_id: boundTenant },
  };
}

function logs(random: SeededRandom, scenario: Scenario, attempts: readonly PaymentAttempt[]) {
  const { names } = scenario;
  return {
    [names.order]: orderLog(random, scenario, attempts),
    [names.payment]: paymentLog(random, scenario, attempts),
    [names.settlement]: settlementLog(random, scenario),
    deployments: deploymentsLog(random, scenario),
  };
}

function tables(
  random: SeededRandom,
  scenario: Scenario,
  attempts: readonly PaymentAttempt[],
  omitDecisive: boolean,
): ReadonlyMap<string, TableSnapshot> {
  const { schema } = scenario.names;
  const sessions = mysqlSessions(random, scenario, attempts, omitDecisive);
  const counts = {
    sessions: sessions.length,
    running: sessions.filter(({ running }) => running !== null).length,
    omitDecisive,
  };
  return new Map([
    ...sessionTables({ schema, ...LOCKED }, sessions),
    ...shopStatistics(random, scenario, counts),
    ...[...shopTables(scenario, attempts)].map(
      ([name, table]) => [`${schema}/${name}`, table] as const,
    ),
  ]);
}
