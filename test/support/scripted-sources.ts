import type { EvidenceTool } from '../../functions/diagnosis/evidence/evidence-tool.ts';
import type {
  AdapterErrorCode,
  AdapterResult,
  CallContext,
  ToolAdapter,
} from '../../functions/diagnosis/evidence/tool-adapter.ts';
import { createLookupKnowledgeTool } from '../../functions/diagnosis/tools/lookup-knowledge/lookup-knowledge-tool.ts';
import { canonicalFilter } from '../../functions/diagnosis/tools/query-logs/filter-canonical.ts';
import { parseFilter } from '../../functions/diagnosis/tools/query-logs/log-filter.ts';
import { RawLogWriter } from '../../functions/diagnosis/tools/query-logs/log-raw.ts';
import { createQueryLogsTool } from '../../functions/diagnosis/tools/query-logs/query-logs-tool.ts';
import { QueryCatalog } from '../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import { createQueryMysqlTool } from '../../functions/diagnosis/tools/query-mysql/query-mysql-tool.ts';
import type { Window } from '../../shared/contracts/observation.ts';
import type { EvidenceToolName } from '../../shared/contracts/tool-inputs.ts';
import { toInstant } from '../../shared/kernel/clock.ts';
import { utf8Bytes } from '../../shared/kernel/utf8.ts';
import { RAW_LIMITS } from '../../shared/store/raw-result.ts';

/** A call that reached an adapter: exactly what the adapter was handed. */
export interface SourceCall {
  readonly toolName: EvidenceToolName;
  readonly input: unknown;
  readonly context: CallContext;
}

/** What a source says: the lines that matched, a stable code, or bytes that are not what they should be. */
export type SourceAnswer =
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'failed'; readonly code: AdapterErrorCode }
  | { readonly kind: 'huge' }
  | { readonly kind: 'malformed' };

/** Plays the three sources. */
export type Source = (call: SourceCall) => Promise<SourceAnswer>;

/** Text that lies in every raw result, and that no projector may let through. */
export const RAW_CANARY = 'qz-raw-8417-fragment';

export const SCRIPTED_TOPICS = ['order', 'payment'] as const;
const SCRIPTED_QUERIES = ['lock_waits', 'slow_queries'] as const;

/** What a source that never answers costs a test; milliseconds of the machine's clock. */
export const SCRIPTED_TIMEOUT_MS = 2;

/** The shipped tools, their checks, equivalence and projectors included, over a scripted source. */
export function toolsOver(source: Source): readonly EvidenceTool[] {
  return [
    createLookupKnowledgeTool({ adapter: adapter('lookup_knowledge', source) }),
    createQueryLogsTool({
      topics: SCRIPTED_TOPICS.map((name) => ({
        name,
        description: name,
        max_lookback_minutes: 10_080,
      })),
      adapter: adapter('query_logs', source),
    }),
    createQueryMysqlTool({ catalog: CATALOG, adapter: adapter('query_mysql', source) }),
  ];
}

const SECONDS = {
  type: 'integer',
  bind: 'model',
  description: 'seconds',
  min: 0,
  max: 600,
  default: 10,
} as const;

const CATALOG = new QueryCatalog(
  SCRIPTED_QUERIES.map((name) => ({
    name,
    statement: 'SELECT 1',
    header: {
      description: name,
      target: 'reader',
      temporal: 'live',
      row_limit: 50,
      timeout_ms: SCRIPTED_TIMEOUT_MS,
      parameters: { seconds: SECONDS },
    },
  })),
);

function adapter<Input>(toolName: EvidenceToolName, source: Source): ToolAdapter<Input> {
  return {
    call: async (input, context) =>
      toResult(await source({ toolName, input, context }), { toolName, input, context }),
  };
}

function toResult(answer: SourceAnswer, call: SourceCall): AdapterResult {
  const window = windowOf(call);
  const executed = { statement: statementOf(call), window, sources: ['scripted'] };
  if (answer.kind === 'failed') return { kind: 'failed', code: answer.code, executed };
  return { kind: 'result', raw: rawOf(answer, call), sourceKind: 'MOCK', window, executed };
}

/** Logs are asked with the filter itself, as log files are. */
function statementOf({ toolName, input }: SourceCall): string {
  const { query = '' } = input as { query?: string }; // a checked input
  const parsed = parseFilter(query);
  const isFilter = toolName === 'query_logs' && parsed.kind === 'parsed';
  return isFilter ? canonicalFilter(parsed.filter) : `asked of ${toolName}`;
}

function windowOf({ input, context }: SourceCall): Window | null {
  const { lookback_minutes: minutes } = input as { lookback_minutes?: number }; // a checked input
  if (minutes === undefined) return null;
  return { from: toInstant(context.asOf - minutes * 60_000), to: toInstant(context.asOf) };
}

function rawOf(answer: Exclude<SourceAnswer, { kind: 'failed' }>, call: SourceCall): Uint8Array {
  switch (answer.kind) {
    case 'huge':
      return HUGE;
    case 'malformed':
      return utf8Bytes(`{"${RAW_CANARY}":`);
    case 'lines':
      return RAW_FORMS[call.toolName](answer.lines, call.context.asOf);
  }
}

const HUGE = new Uint8Array(RAW_LIMITS.uncompressedBytes + 1);

const RAW_FORMS: Readonly<
  Record<EvidenceToolName, (lines: readonly string[], asOf: number) => Uint8Array>
> = {
  lookup_knowledge: (lines) =>
    withCanary({
      chunks: lines.map((line, index) => ({
        document_id: `doc-${index}`,
        title: `手册 ${index} ${line}`,
        text: line,
        score: 1,
        path: RAW_CANARY,
      })),
      skipped_count: 0,
    }),
  query_logs: (lines, asOf) => {
    const writer = new RawLogWriter();
    for (const line of lines) {
      writer.add({ epochMs: asOf - 60_000, text: `${toInstant(asOf - 60_000)} ERROR ${line}` });
    }
    return writer.finish({ zoneAssumed: false, bytesReplaced: 0, newestMayBeMissing: false });
  },
  query_mysql: (lines) =>
    withCanary({
      columns: ['line'],
      rows: lines.map((line) => [line]),
      rows_cut: false,
      live_state: true,
    }),
};

function withCanary(result: Readonly<Record<string, unknown>>): Uint8Array {
  return utf8Bytes(JSON.stringify({ ...result, server: RAW_CANARY }));
}
