import { basename, resolve } from 'node:path';
import type { SQLOutputValue } from 'node:sqlite';
import type { SourceKind } from '../../../../shared/contracts/observation.ts';
import type { Executed } from '../../../../shared/contracts/step.ts';
import type { QueryMysqlInput } from '../../../../shared/contracts/tool-inputs.ts';
import { cutUtf8 } from '../../../../shared/kernel/utf8.ts';
import type { AdapterResult, CallContext, ToolAdapter } from '../../evidence/tool-adapter.ts';
import { encodeMysqlResult } from './mysql-result.ts';
import { MysqlSnapshot, type SnapshotRows } from './mysql-snapshot.ts';
import { bindQuery, type QueryBinding } from './query-binding.ts';
import type { CataloguedQuery, QueryCatalog } from './query-catalog.ts';
import { qualifiedNames, toSqliteStatement } from './snapshot-dialect.ts';

/** What a snapshot stands for. */
export interface SnapshotMysqlOptions {
  readonly catalog: QueryCatalog;
  /** Holds `<schema>/<table>.json`. */
  readonly folder: string;
  /** The instant the snapshot was taken at; milliseconds since the epoch. */
  readonly asOf: number;
  /** True when the rows are sample data that we ship. */
  readonly shippedSample: boolean;
}

/** Bytes of a raw result before compression. */
const MAX_RAW_BYTES = 32 * 1_024 * 1_024;

type Bound = Extract<QueryBinding, { kind: 'bound' }>;

/** Answers catalogued queries from a snapshot folder, loaded at the first call and kept. */
export class SnapshotMysqlAdapter implements ToolAdapter<QueryMysqlInput> {
  readonly #options: SnapshotMysqlOptions;
  #snapshot: MysqlSnapshot | undefined;

  constructor(options: SnapshotMysqlOptions) {
    this.#options = options;
  }

  async call(
    { query_name, parameters }: QueryMysqlInput,
    context: CallContext,
  ): Promise<AdapterResult> {
    context.signal.throwIfAborted();
    const query = this.#options.catalog.get(query_name);
    if (query === undefined) return { kind: 'failed', code: 'QUERY_UNKNOWN', executed: null };
    const binding = bindQuery(query, parameters, context);
    if (binding.kind === 'failed') return { ...binding, executed: null };
    const executed = this.#executed(query, binding);
    const rows = await this.#run(query, binding, context.signal);
    if (typeof rows === 'string') return { kind: 'failed', code: rows, executed };
    return this.#result(query, rows, { asOf: context.asOf, window: binding.window, executed });
  }

  /** `SOURCE_FAILED` where the snapshot lacks the table, or SQLite the construct. */
  async #run(
    { header, statement }: CataloguedQuery,
    { values }: Bound,
    signal: AbortSignal,
  ): Promise<SnapshotRows | 'SOURCE_FAILED' | 'SOURCE_UNAVAILABLE'> {
    const sql = toSqliteStatement(statement);
    if (sql === undefined) return 'SOURCE_FAILED';
    const { folder, asOf } = this.#options;
    try {
      this.#snapshot ??= await MysqlSnapshot.open(folder, asOf, signal);
      const translated = { sql, qualified: qualifiedNames(statement) };
      return this.#snapshot.query(translated, values, { limit: header.row_limit, signal });
    } catch (error) {
      if (hasErrorCode(error, 'ERR_SQLITE_ERROR')) return 'SOURCE_FAILED';
      if (hasErrorCode(error, 'ENOENT')) return 'SOURCE_UNAVAILABLE';
      throw error;
    }
  }

  #executed({ statement }: CataloguedQuery, { window }: Bound): Executed {
    // Values stay out: they may be a caller's, or resolved marks.
    return { statement, window, sources: [cutUtf8(basename(resolve(this.#options.folder)), 256)] };
  }

  #result(
    { header }: CataloguedQuery,
    { columns, rows, isCut }: SnapshotRows,
    { asOf, ...told }: { asOf: number; executed: Executed; window: Bound['window'] },
  ): AdapterResult {
    const raw = encodeMysqlResult({
      columns,
      rows: rows.map((row) => row.map(textOf)),
      rows_cut: isCut,
      // A snapshot of the very instant that was asked for is no later state.
      live_state: header.temporal === 'live' && asOf !== this.#options.asOf,
    });
    if (raw.byteLength > MAX_RAW_BYTES) {
      return { kind: 'failed', code: 'RAW_TOO_LARGE', executed: told.executed };
    }
    const sourceKind: SourceKind = this.#options.shippedSample ? 'MOCK' : 'SQLITE';
    return { kind: 'result', raw, sourceKind, ...told };
  }
}

function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function textOf(value: SQLOutputValue): string | null {
  if (value === null) return null;
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  // Fifteen digits are exact; the rest of a double is noise that MySQL's decimals don't show.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)));
  return String(value).toWellFormed();
}
