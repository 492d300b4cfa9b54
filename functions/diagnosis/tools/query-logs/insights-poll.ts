import { setTimeout as sleep } from 'node:timers/promises';
import type {
  GetQueryResultsCommandOutput,
  ResultField,
  StartQueryCommandInput,
} from '@aws-sdk/client-cloudwatch-logs';
import type { InsightsClient } from './insights-client.ts';
import type { InsightsRun } from './insights-run.ts';

/** A query that ended without all of its rows; `name` says how, in the service's word. */
export class QueryEndedError extends Error {
  constructor(status: string) {
    super('a query ended without its rows');
    this.name = `Query${status}`;
  }
}

/** One row as the service names and writes its fields. */
export type InsightsRow = readonly ResultField[];

/** What a query is run with. */
export interface QueryOrder {
  readonly client: InsightsClient;
  readonly run: InsightsRun;
  readonly signal: AbortSignal;
  /** Pause between two looks at a query, in milliseconds. */
  readonly pollMs: number;
}

/** States in which the rows so far are not the rows. */
const UNFINISHED: ReadonlySet<string> = new Set(['Scheduled', 'Running', 'Unknown']);

/**
 * Runs one query to its end and gives all of its rows; rows of a query that is not complete are never
 * used. A query that is given up is stopped.
 *
 * @throws the signal's reason, `ScanLimitError`, `QueryEndedError` or an error of the SDK
 */
export async function runQuery(
  { client, run, signal, pollMs }: QueryOrder,
  input: StartQueryCommandInput,
): Promise<readonly InsightsRow[]> {
  signal.throwIfAborted();
  const query = new RunningQuery(client, await client.start(input), run);
  try {
    let page = await query.look(undefined, signal);
    while (UNFINISHED.has(page.status ?? '')) {
      await sleep(pollMs, undefined, { signal });
      page = await query.look(undefined, signal);
    }
    const rows = [...(page.results ?? [])];
    while (page.nextToken !== undefined) {
      page = await query.look(page.nextToken, signal);
      rows.push(...(page.results ?? []));
    }
    return rows;
  } finally {
    await query.stopUnlessEnded();
  }
}

class RunningQuery {
  readonly #client: InsightsClient;
  readonly #queryId: string;
  readonly #run: InsightsRun;
  #bookedBytes = 0;
  #hasEnded = false;

  constructor(client: InsightsClient, queryId: string, run: InsightsRun) {
    this.#client = client;
    this.#queryId = queryId;
    this.#run = run;
  }

  /** Books what was scanned since the last look. */
  async look(
    nextToken: string | undefined,
    signal: AbortSignal,
  ): Promise<GetQueryResultsCommandOutput> {
    signal.throwIfAborted();
    const page = await this.#client.results(this.#queryId, nextToken, signal);
    const status = page.status ?? 'Unknown';
    this.#hasEnded = !UNFINISHED.has(status);
    this.#book(page.statistics?.bytesScanned ?? 0);
    const isWhole = status === 'Complete' || (!this.#hasEnded && nextToken === undefined);
    if (!isWhole) throw new QueryEndedError(status);
    return page;
  }

  async stopUnlessEnded(): Promise<void> {
    if (this.#hasEnded) return;
    try {
      await this.#client.stop(this.#queryId);
    } catch {
      // It may have ended meanwhile, and if not there is nothing left to do: the service ends it in time.
    }
  }

  #book(bytes: number): void {
    const news = Math.max(0, bytes - this.#bookedBytes);
    this.#bookedBytes += news;
    this.#run.book(news);
  }
}
