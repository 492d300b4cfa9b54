import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type {
  GetLogRecordResponse,
  GetQueryResultsRequest,
  GetQueryResultsResponse,
  StartQueryRequest,
  StartQueryResponse,
  StopQueryRequest,
  StopQueryResponse,
} from '@aws-sdk/client-cloudwatch-logs';
import { onTestFinished } from 'vitest';
import { type LogEvent, type Row, runInsights } from './insights-language.ts';

export type InsightsAction = 'StartQuery' | 'GetQueryResults' | 'StopQuery' | 'GetLogRecord';

/** A request as it came, in order. */
export interface InsightsRequest {
  readonly action: InsightsAction;
  readonly body: unknown;
}

/** Something else than the answer: an error of the service, no answer at all, or one that comes late. */
export type InsightsTrouble =
  | { readonly kind: 'error'; readonly name: string; readonly status?: number }
  | { readonly kind: 'silence' }
  | { readonly kind: 'late'; readonly until: Promise<unknown> };

/** What a stand-in is told; without anything it answers every query at once. */
export interface InsightsScript {
  readonly events?: readonly LogEvent[];
  /** What a look at a query says, by its number from 0; nothing for the truth. */
  readonly look?: (query: StartedQuery, look: number) => Partial<GetQueryResultsResponse>;
  readonly pageRows?: number;
  /** Code points of `@message` that a row shows. */
  readonly messageChars?: number;
  readonly bytesScanned?: number;
  readonly trouble?: (request: InsightsRequest, earlier: number) => InsightsTrouble | undefined;
}

export interface StartedQuery {
  readonly queryId: string;
  readonly request: StartQueryRequest;
  readonly isSample: boolean;
  readonly rows: readonly Row[];
}

/** Logs Insights over HTTP; gone with the test. */
export class InsightsServer {
  readonly requests: InsightsRequest[] = [];
  readonly queries: StartedQuery[] = [];
  readonly stopped: string[] = [];
  /** Queries that were neither complete nor stopped, at most so many at once. */
  mostAtOnce = 0;
  readonly #script: InsightsScript;
  readonly #events: readonly LogEvent[];
  readonly #looks = new Map<string, number>();
  readonly #open = new Set<string>();
  #waiting: { readonly action: InsightsAction; readonly come: () => void }[] = [];
  url = '';

  constructor(script: InsightsScript) {
    this.#script = script;
    this.#events = (script.events ?? []).map((event, at) => ({ ...event, pointer: `ptr-${at}` }));
  }

  /** Resolves at the next request of this kind. */
  nextRequest(action: InsightsAction): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ action, come: resolve });
    return promise;
  }

  requestsOf(action: InsightsAction): readonly InsightsRequest[] {
    return this.requests.filter((request) => request.action === action);
  }

  async answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message);
    const earlier = this.requestsOf(request.action).length;
    this.requests.push(request);
    this.#notice(request);
    const trouble = this.#script.trouble?.(request, earlier);
    if (trouble?.kind === 'silence') return;
    if (trouble?.kind === 'late') await trouble.until;
    if (trouble?.kind === 'error') return fail(response, trouble.name, trouble.status);
    send(response, 200, this.#respond(request));
  }

  #notice({ action }: InsightsRequest): void {
    for (const waiting of this.#waiting) if (waiting.action === action) waiting.come();
    this.#waiting = this.#waiting.filter((waiting) => waiting.action !== action);
  }

  #respond({ action, body }: InsightsRequest): object {
    switch (action) {
      case 'StartQuery':
        return this.#start(body as StartQueryRequest); // the SDK wrote it
      case 'GetQueryResults':
        return this.#look(body as GetQueryResultsRequest); // the SDK wrote it
      case 'StopQuery':
        return this.#stop(body as StopQueryRequest); // the SDK wrote it
      case 'GetLogRecord':
        return this.#record(String(Object.values(body as object)[0])); // the SDK wrote it
    }
  }

  #start(request: StartQueryRequest): StartQueryResponse {
    const { queryString = '', startTime = 0, endTime = 0 } = request;
    const inWindow = this.#events.filter(
      ({ epochMs }) => epochMs >= startTime * 1_000 && epochMs <= endTime * 1_000,
    );
    const query = {
      queryId: `query-${this.queries.length + 1}`,
      request,
      isSample: !queryString.includes('stats '),
      rows: runInsights(queryString, inWindow),
    };
    this.queries.push(query);
    this.#open.add(query.queryId);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#open.size);
    return { queryId: query.queryId };
  }

  #look({ queryId = '', nextToken }: GetQueryResultsRequest): GetQueryResultsResponse {
    const query = this.queries.find((started) => started.queryId === queryId);
    if (query === undefined) throw new Error('no such query');
    const look = this.#looks.get(queryId) ?? 0;
    this.#looks.set(queryId, look + 1);
    const { pageRows = 10_000, bytesScanned = 0 } = this.#script;
    const from = Number(nextToken ?? 0);
    const rows = query.rows.slice(from, from + pageRows).map((row) => this.#shown(row));
    const answer = {
      status: 'Complete' as const,
      results: rows,
      statistics: { bytesScanned },
      ...(from + pageRows < query.rows.length && { nextToken: String(from + pageRows) }),
      ...this.#script.look?.(query, look),
    };
    if (answer.status === 'Complete') this.#open.delete(queryId);
    return answer;
  }

  #stop({ queryId = '' }: StopQueryRequest): StopQueryResponse {
    this.stopped.push(queryId);
    return { success: this.#open.delete(queryId) };
  }

  #record(pointer: string): GetLogRecordResponse {
    const event = this.#events.find((candidate) => candidate.pointer === pointer);
    return { logRecord: { '@message': event?.message ?? '', '@ptr': pointer } };
  }

  #shown(row: Row): { field: string; value: string }[] {
    const chars = this.#script.messageChars;
    if (chars === undefined) return [...row];
    const cut = (value: string) => [...value].slice(0, chars).join('');
    return row.map(({ field, value }) => ({
      field,
      value: field === '@message' ? cut(value) : value,
    }));
  }
}

export async function startInsights(script: InsightsScript = {}): Promise<InsightsServer> {
  const insights = new InsightsServer(script);
  const server = createServer((message, response) => insights.answer(message, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP port was expected');
  insights.url = `http://127.0.0.1:${address.port}`;
  return insights;
}

async function readRequest(message: IncomingMessage): Promise<InsightsRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const target = String(message.headers['x-amz-target']).replace('Logs_20140328.', '');
  return {
    action: target as InsightsAction, // the SDK wrote it
    body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
  };
}

function fail(response: ServerResponse, name: string, status = 400): void {
  send(response, status, { __type: name, message: 'message-canary-8Wp of 123456789012' });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(body));
}
