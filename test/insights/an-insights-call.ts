import { vi } from 'vitest';
import type {
  AdapterResult,
  CallContext,
} from '../../functions/diagnosis/evidence/tool-adapter.ts';
import { InsightsAdapter } from '../../functions/diagnosis/tools/query-logs/insights-adapter.ts';
import { logProjector } from '../../functions/diagnosis/tools/query-logs/log-projector.ts';
import {
  type RawLogEntry,
  type RawLogHead,
  RawLogReader,
} from '../../functions/diagnosis/tools/query-logs/log-raw.ts';
import type { CloudWatchLogs } from '../../shared/contracts/cloudwatch-logs-source.ts';
import { createRedactor } from '../../shared/redaction/redactor.ts';
import type { LogEvent } from '../support/insights-language.ts';
import {
  type InsightsScript,
  type InsightsServer,
  startInsights,
} from '../support/insights-server.ts';

export const AS_OF = Date.parse('2026-11-30T10:00:00Z');
export const ACROSS = 'arn:aws:logs:eu-central-1:210987654321:log-group:/aws/ecs/ledger';

/** What one test is about; everything else is usual. */
export interface InsightsSetting {
  readonly script?: InsightsScript;
  readonly source?: Partial<CloudWatchLogs>;
  readonly now?: number;
  readonly pollMs?: number;
}

export interface InsightsQuestion {
  readonly query?: string;
  readonly minutes?: number;
  readonly topic?: string;
  readonly signal?: AbortSignal;
  readonly asOf?: number;
}

/** An adapter over a stand-in, and the calls of one run. */
export async function anInsightsRun(setting: InsightsSetting = {}) {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-canary-5Lm');
  const server: InsightsServer = await startInsights(setting.script);
  const faults: string[] = [];
  const { now = AS_OF + 3_600_000, pollMs = 1 } = setting;
  const adapter = new InsightsAdapter({
    source: {
      kind: 'CLOUDWATCH_LOGS',
      log_groups: { pay: ['/aws/ecs/pay', ACROSS] },
      region: 'eu-central-1',
      endpoint: server.url,
      max_scanned_bytes: 1_000_000,
      ...setting.source,
    },
    clock: { now: () => now },
    reportFault: ({ name }) => faults.push(name),
    pollMs,
  });
  const atRunEnd = new AsyncDisposableStack();
  const ask = (question: InsightsQuestion = {}, run = atRunEnd): Promise<AdapterResult> => {
    const { query = '', minutes = 60, topic = 'pay', asOf = AS_OF } = question;
    const signal = question.signal ?? new AbortController().signal;
    const context: CallContext = { signal, asOf, bindings: {}, atRunEnd: run };
    return adapter.call({ topic, query, lookback_minutes: minutes }, context);
  };
  return { ask, server, faults, atRunEnd };
}

/** An event so many seconds before the end of the window. */
export function anEvent(secondsBefore: number, message: string, logStream = 's1'): LogEvent {
  return { epochMs: AS_OF - secondsBefore * 1_000, message, logStream };
}

/** Head and entries of a result; an error for anything else. */
export function readResult(result: AdapterResult): {
  readonly head: RawLogHead;
  readonly entries: readonly RawLogEntry[];
} {
  const reader = RawLogReader.open(result.kind === 'result' ? result.raw : new Uint8Array());
  const entries: RawLogEntry[] = [];
  const isWhole = reader?.forEach((entry) => {
    entries.push(entry);
  });
  if (reader === null || isWhole !== true) throw new Error(`no result: ${JSON.stringify(result)}`);
  return { head: reader.head, entries };
}

export function textsOf(result: AdapterResult): string[] {
  return readResult(result).entries.map(({ text }) => text);
}

/** What the model is shown of a result. */
export function shownOf(result: AdapterResult) {
  const projection = logProjector.project(
    result.kind === 'result' ? result.raw : new Uint8Array(),
    {
      input: { topic: 'pay', query: '', lookback_minutes: 60 },
      window: null,
      redactor: createRedactor(),
      maxBodyBytes: 11_000,
    },
  );
  if (projection.kind === 'malformed') throw new Error('malformed');
  return projection;
}
