import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { scriptedBrain } from '../../functions/cli/stand-in/scripted-brain.ts';
import type { EvidenceTool } from '../../functions/diagnosis/evidence/evidence-tool.ts';
import { KnowledgeBaseAdapter } from '../../functions/diagnosis/tools/lookup-knowledge/knowledge-base-adapter.ts';
import { createLookupKnowledgeTool } from '../../functions/diagnosis/tools/lookup-knowledge/lookup-knowledge-tool.ts';
import { LogFileAdapter } from '../../functions/diagnosis/tools/query-logs/log-file-adapter.ts';
import { createQueryLogsTool } from '../../functions/diagnosis/tools/query-logs/query-logs-tool.ts';
import { MysqlAdapter } from '../../functions/diagnosis/tools/query-mysql/mysql-adapter.ts';
import { QueryCatalog } from '../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import { createQueryMysqlTool } from '../../functions/diagnosis/tools/query-mysql/query-mysql-tool.ts';
import { MysqlEndpointSchema } from '../../shared/contracts/mysql-source.ts';
import { recordOf, THE_REQUEST } from '../support/bench-view.ts';
import { type Bench, startBench } from '../support/diagnosis-bench.ts';
import { conclude } from '../support/drafts.ts';
import { anEnding, endingOf } from '../support/ending.ts';
import { aQuery } from '../support/mysql-adapter.ts';
import { type Asked, askKnowledge, askMysql, rawCall, round } from '../support/played.ts';
import { startSilentService, startSilentSource } from '../support/silent-source.ts';

const TOPICS = [{ name: 'orders', description: '订单', max_lookback_minutes: 10_080 }];
/** Enough for the scan of it to be seen under way: it takes some hundred reads. */
const BIG_FILE_BYTES = 32 * 1_024 * 1_024;
const CANCELLED = anEnding({ status: 'STOPPED', stop: 'CANCELLED', toolCalls: 1 });

it.runIf(existsSync('/proc/self/fd'))(
  'a cancel aborts the scan of a big log file and lets go of the file',
  async () => {
    const folder = aFolder();
    const line = '2026-11-30T00:00:00Z INFO nothing to see here\n';
    writeFileSync(join(folder, 'orders.log'), line.repeat(BIG_FILE_BYTES / line.length));
    const adapter = new LogFileAdapter({
      folder,
      topics: TOPICS,
      timeZone: 'UTC',
      sourceKind: 'FILE',
    });
    const tool = createQueryLogsTool({ topics: TOPICS, adapter });
    const input = { topic: 'orders', query: 'timeout', lookback_minutes: 60 };
    await using run = await startRun(tool, rawCall('query_logs', { input }));

    await vi.waitUntil(() => openFiles(folder).length === 1, { interval: 1 });
    const outcome = await run.cancelled();

    expect(endingOf(outcome)).toEqual(CANCELLED);
    expect(await recordOf(run.bench)).toMatchObject([{ status: 'ERROR', error_code: 'ABORTED' }]);
    await vi.waitUntil(() => openFiles(folder).length === 0);
  },
);

it('a cancel aborts a request to a knowledge base, and the service sees it closed', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'stand-in');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'stand-in');
  onTestFinished(() => void vi.unstubAllEnvs());
  await using source = await startSilentService();
  const adapter = new KnowledgeBaseAdapter({
    knowledgeBase: {
      kind: 'BEDROCK_KNOWLEDGE_BASE',
      knowledge_base_id: 'KB1',
      region: 'us-east-1',
      endpoint: source.url,
    },
    reportFault: () => {},
  });
  await using run = await startRun(createLookupKnowledgeTool({ adapter }), askKnowledge('锁等待'));

  await vi.waitUntil(() => source.asked === 1);
  const outcome = await run.cancelled();

  expect(endingOf(outcome)).toEqual(CANCELLED);
  expect(await recordOf(run.bench)).toMatchObject([{ status: 'ERROR', error_code: 'ABORTED' }]);
  await vi.waitUntil(() => source.closed === 1);
});

it('a cancel aborts a query of a server that never speaks and closes its socket', async () => {
  await using source = await startSilentSource();
  const file = join(aFolder(), 'password');
  writeFileSync(file, 'not-used');
  const writer = MysqlEndpointSchema.parse({
    host: '127.0.0.1',
    port: source.port,
    database: 'shop',
    tls: 'off',
    login: { kind: 'PASSWORD_FILE', user: 'reader', file },
  });
  const catalog = new QueryCatalog([aQuery('one', 'SELECT 1')]);
  const adapter = new MysqlAdapter({ catalog, server: { writer }, reportFault: () => {} });
  await using run = await startRun(createQueryMysqlTool({ catalog, adapter }), askMysql('one'));

  await vi.waitUntil(() => source.connected === 1);
  const outcome = await run.cancelled();

  expect(endingOf(outcome)).toEqual(CANCELLED);
  expect(await recordOf(run.bench)).toMatchObject([{ status: 'ERROR', error_code: 'ABORTED' }]);
  await vi.waitUntil(() => source.closed === 1);
});

/** A run whose first round asks this tool, and the way to cancel it. */
async function startRun(tool: EvidenceTool, call: Asked) {
  const cancel = new AbortController();
  const bench: Bench = await startBench({
    brain: scriptedBrain(round(call), conclude()),
    evidence: [tool],
  });
  const running = bench.run(THE_REQUEST, { cancel: cancel.signal });
  return {
    bench,
    cancelled: () => {
      cancel.abort();
      return running;
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'real-source-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Files of a folder that this process holds open. */
function openFiles(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd')
    .map(target)
    .filter((path) => path.startsWith(folder));
}

function target(descriptor: string): string {
  try {
    return readlinkSync(join('/proc/self/fd', descriptor));
  } catch {
    return ''; // the descriptor of the listing itself is closed by now
  }
}
