import type { MysqlEndpoint, MysqlServer } from '../../../../shared/contracts/mysql-source.ts';
import type { Executed } from '../../../../shared/contracts/step.ts';
import type { QueryMysqlInput } from '../../../../shared/contracts/tool-inputs.ts';
import type { AdapterResult, CallContext, ToolAdapter } from '../../evidence/tool-adapter.ts';
import { MysqlFailure } from './connection/mysql-failure.ts';
import { credentialSource } from './connection/mysql-login.ts';
import { MysqlTarget } from './connection/mysql-target.ts';
import type { FetchedRows } from './connection/row-stream.ts';
import { RunSessions, type TargetName } from './connection/run-sessions.ts';
import { encodeMysqlResult } from './mysql-result.ts';
import { toPositional } from './positional-statement.ts';
import { bindQuery, type QueryBinding } from './query-binding.ts';
import type { CataloguedQuery, QueryCatalog } from './query-catalog.ts';

/** What a live server is asked with. */
export interface MysqlAdapterOptions {
  readonly catalog: QueryCatalog;
  readonly server: Pick<MysqlServer, 'writer' | 'reader'>;
  /** Told of faults by the vendor's code: an error, a user that can write, a statement left running. */
  readonly reportFault: (fault: { readonly name: string }) => void;
}

/** Bytes of a raw result before compression. */
const MAX_RAW_BYTES = 32 * 1_024 * 1_024;

type Bound = Extract<QueryBinding, { kind: 'bound' }>;

/** Answers catalogued queries from MySQL or MariaDB, over one connection for each run and target. */
export class MysqlAdapter implements ToolAdapter<QueryMysqlInput> {
  readonly #options: MysqlAdapterOptions;
  readonly #targets: Readonly<Record<TargetName, MysqlTarget>>;
  readonly #sessions = new WeakMap<AsyncDisposableStack, RunSessions>();

  constructor(options: MysqlAdapterOptions) {
    const { server, reportFault } = options;
    const targetOf = (endpoint: MysqlEndpoint) =>
      new MysqlTarget({ endpoint, credentials: credentialSource(endpoint), reportFault });
    const writer = targetOf(server.writer);
    this.#options = options;
    // Without a reader the writer answers for it: the same data, only fresher.
    this.#targets = {
      writer,
      reader: server.reader === undefined ? writer : targetOf(server.reader),
    };
  }

  async call(
    { query_name, parameters }: QueryMysqlInput,
    context: CallContext,
  ): Promise<AdapterResult> {
    const query = this.#options.catalog.get(query_name);
    if (query === undefined) return { kind: 'failed', code: 'QUERY_UNKNOWN', executed: null };
    const binding = bindQuery(query, parameters, context);
    if (binding.kind === 'failed') return { ...binding, executed: null };
    const executed = executedOf(query, binding);
    try {
      return resultOf(query, await this.#fetch(query, binding, context), executed);
    } catch (error) {
      if (!(error instanceof MysqlFailure)) throw error;
      this.#options.reportFault({ name: error.name });
      return { kind: 'failed', code: error.code, executed };
    }
  }

  async #fetch(
    { header, statement }: CataloguedQuery,
    { values }: Bound,
    { signal, atRunEnd }: CallContext,
  ): Promise<FetchedRows> {
    const session = await this.#sessionsOf(atRunEnd).session(header.target, signal);
    return session.fetch(toPositional(statement, values), {
      rowLimit: header.row_limit,
      timeoutMs: header.timeout_ms,
      signal,
    });
  }

  #sessionsOf(atRunEnd: AsyncDisposableStack): RunSessions {
    const known = this.#sessions.get(atRunEnd);
    if (known !== undefined) return known;
    const sessions = atRunEnd.use(new RunSessions(this.#targets));
    this.#sessions.set(atRunEnd, sessions);
    return sessions;
  }
}

function executedOf({ header, statement }: CataloguedQuery, { window }: Bound): Executed {
  // Values stay out: they may be a caller's, or resolved marks. So does the host.
  return { statement, window, sources: [header.target] };
}

function resultOf(
  { header }: CataloguedQuery,
  { columns, rows, isCut }: FetchedRows,
  executed: Executed,
): AdapterResult {
  const live_state = header.temporal === 'live';
  const raw = encodeMysqlResult({ columns, rows, rows_cut: isCut, live_state });
  if (raw.byteLength > MAX_RAW_BYTES) return { kind: 'failed', code: 'RAW_TOO_LARGE', executed };
  return { kind: 'result', raw, sourceKind: 'MYSQL', window: executed.window, executed };
}
