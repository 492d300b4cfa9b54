import type { CloudWatchLogs } from '../../../../shared/contracts/cloudwatch-logs-source.ts';
import type { Window } from '../../../../shared/contracts/observation.ts';
import type { Executed } from '../../../../shared/contracts/step.ts';
import type { QueryLogsInput } from '../../../../shared/contracts/tool-inputs.ts';
import { type Clock, toInstant } from '../../../../shared/kernel/clock.ts';
import { nameOf } from '../../../../shared/kernel/errors.ts';
import { cutUtf8 } from '../../../../shared/kernel/utf8.ts';
import type {
  AdapterErrorCode,
  AdapterResult,
  CallContext,
  ToolAdapter,
} from '../../evidence/tool-adapter.ts';
import { sourceCodeOfAws } from '../aws-failure.ts';
import { InsightsClient } from './insights-client.ts';
import { QueryEndedError, runQuery } from './insights-poll.ts';
import { type InsightsQueries, insightsQueries } from './insights-query.ts';
import { rawSample } from './insights-result.ts';
import { countsOf, eventsOf } from './insights-rows.ts';
import { InsightsRun, ScanLimitError } from './insights-run.ts';
import { withWholeTexts } from './insights-whole-text.ts';
import { type LogFilter, parseFilter } from './log-filter.ts';

/** Which log groups are asked, and what the adapter needs beside them. */
export interface InsightsOptions {
  readonly source: CloudWatchLogs;
  readonly clock: Clock;
  /** Told of faults by the name of the SDK's error or of the state a query ended in. */
  readonly reportFault: (fault: { readonly name: string }) => void;
  /** Pause between two looks at a query; milliseconds. */
  readonly pollMs?: number;
}

/** Two queries then take two of the five to ten looks that an account has for each second. */
const POLL_MS = 1_000;
/** Events can take this long from a log stream to the index; milliseconds. */
const INDEX_DELAY_MS = 5 * 60_000;
/** Bytes of the compiled query and of a log group that the record keeps. */
const MAX_STATEMENT_BYTES = 6_000;
const MAX_SOURCE_BYTES = 256;

/** Answers log queries from CloudWatch Logs Insights: two queries for each call, run side by side. */
export class InsightsAdapter implements ToolAdapter<QueryLogsInput> {
  readonly #options: InsightsOptions;
  readonly #client: InsightsClient;
  readonly #runs = new WeakMap<AsyncDisposableStack, InsightsRun>();

  constructor(options: InsightsOptions) {
    this.#options = options;
    this.#client = new InsightsClient(options.source);
  }

  /** @throws the signal's reason once it is aborted; an error for a filter that cannot be read */
  async call(input: QueryLogsInput, context: CallContext): Promise<AdapterResult> {
    const groups = new Map(Object.entries(this.#options.source.log_groups)).get(input.topic);
    if (groups === undefined) return { kind: 'failed', code: 'TOPIC_UNKNOWN', executed: null };
    const order = orderOf(readable(input.query), groups, wholeSeconds(input, context.asOf));
    const run = this.#runOf(context.atRunEnd);
    if (run.isSpent) return { kind: 'failed', code: 'SCAN_LIMIT', executed: order.executed };
    try {
      return await this.#answer(order, run, context.signal);
    } catch (error) {
      context.signal.throwIfAborted();
      this.#options.reportFault({ name: nameOf(error) });
      return { kind: 'failed', code: codeOf(error), executed: order.executed };
    }
  }

  async #answer(order: CallOrder, run: InsightsRun, signal: AbortSignal): Promise<AdapterResult> {
    const { filter, queries, executed, window } = order;
    await run.idle();
    const { counts, sample } = await this.#bothQueries(order, run, signal);
    const events = await withWholeTexts(eventsOf(sample), {
      client: this.#client,
      reportFault: this.#options.reportFault,
      signal,
    });
    const raw = rawSample(events, countsOf(counts, queries), {
      isUnfiltered: filter.kind === 'all',
      newestMayBeMissing: this.#options.clock.now() - Date.parse(window.to) < INDEX_DELAY_MS,
    });
    return { kind: 'result', raw, sourceKind: 'CLOUDWATCH_LOGS', window, executed };
  }

  /** The first of the two that fails takes the other with it. */
  async #bothQueries({ queries, request }: CallOrder, run: InsightsRun, signal: AbortSignal) {
    const given = new AbortController();
    const order = {
      client: this.#client,
      run,
      signal: AbortSignal.any([signal, given.signal]),
      pollMs: this.#options.pollMs ?? POLL_MS,
    };
    const running = [queries.counts, queries.sample].map((queryString) =>
      run.track(runQuery(order, { ...request, queryString })),
    );
    try {
      const [counts = [], sample = []] = await Promise.all(running);
      return { counts, sample };
    } catch (error) {
      given.abort(error);
      await Promise.allSettled(running);
      throw error;
    }
  }

  #runOf(atRunEnd: AsyncDisposableStack): InsightsRun {
    const known = this.#runs.get(atRunEnd);
    if (known !== undefined) return known;
    const run = atRunEnd.use(new InsightsRun(this.#options.source.max_scanned_bytes));
    this.#runs.set(atRunEnd, run);
    return run;
  }
}

interface CallOrder {
  readonly filter: LogFilter;
  readonly window: Window;
  readonly queries: InsightsQueries;
  readonly request: {
    readonly logGroupIdentifiers: string[];
    readonly startTime: number;
    readonly endTime: number;
  };
  readonly executed: Executed;
}

function orderOf(filter: LogFilter, groups: readonly string[], window: Window): CallOrder {
  const [startMs, endMs] = [Date.parse(window.from), Date.parse(window.to)];
  const queries = insightsQueries(filter, endMs - startMs);
  return {
    filter,
    window,
    queries,
    request: {
      logGroupIdentifiers: [...groups],
      startTime: startMs / 1_000,
      endTime: endMs / 1_000,
    },
    executed: {
      statement: cutUtf8(queries.statement, MAX_STATEMENT_BYTES),
      window,
      sources: groups.map((group) => cutUtf8(group, MAX_SOURCE_BYTES)),
    },
  };
}

/** The service takes whole seconds; the window says what was really asked for. */
function wholeSeconds({ lookback_minutes }: QueryLogsInput, asOf: number): Window {
  const to = Math.floor(asOf / 1_000) * 1_000;
  return { from: toInstant(to - lookback_minutes * 60_000), to: toInstant(to) };
}

function readable(query: string): LogFilter {
  const parsed = parseFilter(query);
  if (parsed.kind === 'parsed') return parsed.filter;
  throw new Error(`filter refused: ${parsed.fault.reason}`);
}

function codeOf(error: unknown): AdapterErrorCode {
  if (error instanceof ScanLimitError) return 'SCAN_LIMIT';
  return error instanceof QueryEndedError ? 'SOURCE_FAILED' : sourceCodeOfAws(error);
}
