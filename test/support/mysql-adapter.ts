import { onTestFinished } from 'vitest';
import type {
  AdapterResult,
  CallContext,
} from '../../functions/diagnosis/evidence/tool-adapter.ts';
import { MysqlAdapter } from '../../functions/diagnosis/tools/query-mysql/mysql-adapter.ts';
import {
  decodeMysqlResult,
  type MysqlResult,
} from '../../functions/diagnosis/tools/query-mysql/mysql-result.ts';
import {
  type CataloguedQuery,
  QueryCatalog,
} from '../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import type { MysqlServer } from '../../shared/contracts/mysql-source.ts';
import { type QueryHeader, QueryHeaderSchema } from '../../shared/contracts/query-header.ts';

/** An adapter over statements of the test's own, past the guard, and what it reported. */
export interface AdapterInHand {
  readonly adapter: MysqlAdapter;
  readonly faults: readonly string[];
  /** Asks a query by name, in a run of its own unless a context says otherwise. */
  ask(
    name: string,
    context?: Partial<CallContext>,
    parameters?: Parameters,
  ): Promise<AdapterResult>;
}

type Parameters = Readonly<Record<string, string | number | boolean>>;

export const AS_OF = Date.parse('2026-11-30T12:00:00Z');

export function aQuery(
  name: string,
  statement: string,
  header: Partial<QueryHeader> = {},
): CataloguedQuery {
  const defaults = { description: name, target: 'writer', temporal: 'live', row_limit: 50 };
  return {
    name,
    statement,
    header: QueryHeaderSchema.parse({ ...defaults, timeout_ms: 10_000, ...header }),
  };
}

export function anAdapter(
  server: Pick<MysqlServer, 'writer' | 'reader'>,
  queries: readonly CataloguedQuery[],
): AdapterInHand {
  const faults: string[] = [];
  const adapter = new MysqlAdapter({
    catalog: new QueryCatalog(queries),
    server,
    reportFault: ({ name }) => faults.push(name),
  });
  return {
    adapter,
    faults,
    ask: (name, context = {}, parameters = {}) =>
      adapter.call({ query_name: name, parameters }, aContext(context)),
  };
}

/** The context of a call whose run ends with the test, if it does not end before. */
export function aContext(context: Partial<CallContext> = {}): CallContext {
  const atRunEnd = new AsyncDisposableStack();
  onTestFinished(() => atRunEnd.disposeAsync());
  const { signal } = new AbortController();
  return { signal, asOf: AS_OF, bindings: {}, atRunEnd, ...context };
}

/**
 * What a result holds.
 *
 * @throws Error with the code where there is none
 */
export function contentOf(result: AdapterResult): MysqlResult {
  if (result.kind === 'failed') throw new Error(result.code);
  const content = decodeMysqlResult(result.raw);
  if (content === undefined) throw new Error('the raw result is malformed');
  return content;
}

export function codeOf(result: AdapterResult): string {
  return result.kind === 'failed' ? result.code : 'a result';
}
