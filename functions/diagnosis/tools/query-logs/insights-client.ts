import type {
  CloudWatchLogsClient,
  GetQueryResultsCommandOutput,
  StartQueryCommandInput,
} from '@aws-sdk/client-cloudwatch-logs';
import type { CloudWatchLogs } from '../../../../shared/contracts/cloudwatch-logs-source.ts';

/** Time to reach the service; milliseconds. */
const CONNECT_TIMEOUT_MS = 3_000;
/** A socket that is silent for so long is given up, in milliseconds; each request is answered at once. */
const IDLE_TIMEOUT_MS = 30_000;
/** A start is not aborted with the call, or its query would run on unknown; milliseconds. */
const START_TIMEOUT_MS = 5_000;
/** What the cleanup after a call gets; milliseconds. */
const STOP_TIMEOUT_MS = 2_000;

/** The four requests of Logs Insights, one attempt each; the SDK is loaded at the first. */
export class InsightsClient {
  readonly #source: Pick<CloudWatchLogs, 'region' | 'endpoint'>;
  #client: CloudWatchLogsClient | undefined;

  constructor(source: Pick<CloudWatchLogs, 'region' | 'endpoint'>) {
    this.#source = source;
  }

  /** @throws an error of the SDK, or one that names an answer without a query id */
  async start(input: StartQueryCommandInput): Promise<string> {
    const { StartQueryCommand } = await import('@aws-sdk/client-cloudwatch-logs');
    const client = await this.#open();
    const { queryId } = await client.send(new StartQueryCommand(input), {
      abortSignal: AbortSignal.timeout(START_TIMEOUT_MS),
    });
    if (queryId === undefined) throw new Error('a query without an id');
    return queryId;
  }

  /** State of a query and one page of its rows; partial while it runs. */
  async results(
    queryId: string,
    nextToken: string | undefined,
    signal: AbortSignal,
  ): Promise<GetQueryResultsCommandOutput> {
    const { GetQueryResultsCommand } = await import('@aws-sdk/client-cloudwatch-logs');
    const input = { queryId, ...(nextToken !== undefined && { nextToken }) };
    const client = await this.#open();
    return client.send(new GetQueryResultsCommand(input), { abortSignal: signal });
  }

  /** The fields of one event, whole; masked where the log group masks. */
  async record(pointer: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    const { GetLogRecordCommand } = await import('@aws-sdk/client-cloudwatch-logs');
    const client = await this.#open();
    const answer = await client.send(new GetLogRecordCommand({ logRecordPointer: pointer }), {
      abortSignal: signal,
    });
    return answer.logRecord ?? {};
  }

  /** Stops a query, with a short time of its own since the call's is over. */
  async stop(queryId: string): Promise<void> {
    const { StopQueryCommand } = await import('@aws-sdk/client-cloudwatch-logs');
    const client = await this.#open();
    await client.send(new StopQueryCommand({ queryId }), {
      abortSignal: AbortSignal.timeout(STOP_TIMEOUT_MS),
    });
  }

  async #open(): Promise<CloudWatchLogsClient> {
    if (this.#client !== undefined) return this.#client;
    const { CloudWatchLogsClient } = await import('@aws-sdk/client-cloudwatch-logs');
    const { region, endpoint } = this.#source;
    this.#client ??= new CloudWatchLogsClient({
      ...(region !== undefined && { region }),
      ...(endpoint !== undefined && { endpoint }),
      maxAttempts: 1,
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: IDLE_TIMEOUT_MS },
    });
    return this.#client;
  }
}
