import { javaEntry, type LogEntry } from '../log-file.ts';
import { platformNoise } from '../platform-noise.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { MINUTE_MS, SECOND_MS } from '../wall-clock.ts';
import { batchNoOf, RUN_EVERY_MINUTES, type Scenario } from './scenario.ts';

/** Payments between two lines of progress. */
const PROGRESS_ROWS = 500;

/** The settlement service: it complains of nothing, and holds every lock. */
export function settlementLog(random: SeededRandom, scenario: Scenario): LogEntry[] {
  const write = writer(scenario);
  const healthyRuns = [3, 2, 1].map(
    (back) => scenario.onset - back * RUN_EVERY_MINUTES * MINUTE_MS,
  );
  return [
    ...healthyRuns.flatMap((at) => healthyRun(random, scenario, at)),
    ...restart(random, scenario),
    ...endlessRun(scenario),
    write(
      scenario.onset + 95 * SECOND_MS,
      '清算文件通道心跳正常 host=sftp.clearing.internal',
      'sftp-1',
    ),
    ...platformNoise(random, scenario, [scenario.settlementPod]),
  ].filter(({ at }) => at >= scenario.from && at < scenario.asOf);
}

function writer(scenario: Scenario) {
  return (at: number, message: string, thread = 'settle-job-1', decisive = false) =>
    javaEntry({
      at,
      level: 'INFO',
      thread,
      pod: scenario.settlementPod.name,
      logger: `c.${scenario.names.company.charAt(0)}.settle.job.SettlementJob`,
      message,
      decisive,
    });
}

/** Before the deployment: small chunks, each committed within a second. */
function healthyRun(random: SeededRandom, scenario: Scenario, start: number): LogEntry[] {
  const write = writer(scenario);
  const batchNo = batchNoOf(start);
  const chunks = Math.ceil(random.integer(9_000, 13_000) / scenario.chunkBefore);
  const commits = Array.from({ length: Math.floor(chunks / 6) }, (_, index) =>
    write(
      start + (index + 1) * 6 * random.integer(560, 740),
      `结算分片已提交 batchNo=${batchNo} chunk=${(index + 1) * 6}/${chunks} rows=${scenario.chunkBefore}`,
    ),
  );
  const end = start + chunks * 760;
  return [
    write(
      start,
      `结算批次开始 batchNo=${batchNo} chunkSize=${scenario.chunkBefore} chunks=${chunks}`,
    ),
    ...commits,
    write(end, `结算批次完成 batchNo=${batchNo} chunks=${chunks} costMs=${end - start}`),
  ];
}

function restart(random: SeededRandom, scenario: Scenario): LogEntry[] {
  const write = writer(scenario);
  const at = scenario.settlementDeployedAt + 21 * SECOND_MS;
  const [, version] = scenario.settlementVersion;
  const { address, name } = scenario.settlementPod;
  return [
    write(
      at,
      `Starting SettlementApplication ${version} using Java 21.0.5 on ${name} with PID 1`,
      'main',
    ),
    // A made-up password: it must not leave the redactor.
    write(
      at + 2_300,
      `数据源初始化 url=jdbc:mysql://mysql-writer.internal:3306/${scenario.names.schema}?user=settlement_rw&password=Stl-${random.hex(10)}&useSSL=true 本机=${address}`,
      'main',
    ),
    write(at + 2_420, `settlement.chunk-size=${scenario.chunkAfter}`, 'main', true),
    write(
      at + 4_870,
      `Started SettlementApplication in 4.${random.integer(102, 918)} seconds`,
      'main',
    ),
  ];
}

/** After it: one chunk holds everything, so nothing is committed before the last row. */
function endlessRun(scenario: Scenario): LogEntry[] {
  const { batchNo, chunkAfter, pendingRows, handledRows, onset, asOf } = scenario;
  const msPerRow = (asOf - onset) / handledRows;
  const write = writer(scenario);
  const steps = Math.floor(handledRows / PROGRESS_ROWS);
  return [
    write(
      onset,
      `结算批次开始 batchNo=${batchNo} chunkSize=${chunkAfter} chunks=1 pending=${pendingRows}`,
      'settle-job-1',
      true,
    ),
    ...Array.from({ length: steps }, (_, index) => {
      const rows = (index + 1) * PROGRESS_ROWS;
      return write(
        onset + Math.floor(rows * msPerRow),
        `结算处理中 batchNo=${batchNo} chunk=1/1 rows=${rows}/${pendingRows} 尚未提交`,
        'settle-job-1',
        true,
      );
    }),
  ];
}
