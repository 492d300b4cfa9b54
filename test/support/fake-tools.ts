import {
  defineEvidenceTool,
  type EvidenceTool,
} from '../../functions/diagnosis/evidence/evidence-tool.ts';
import type {
  AdapterResult,
  CallContext,
} from '../../functions/diagnosis/evidence/tool-adapter.ts';
import {
  type LookupKnowledgeInput,
  LookupKnowledgeInputSchema,
  type QueryLogsInput,
  QueryLogsInputSchema,
  type QueryMysqlInput,
  QueryMysqlInputSchema,
} from '../../shared/contracts/tool-inputs.ts';
import { canonicalJson } from '../../shared/kernel/canonical-json.ts';

type AnyInput = LookupKnowledgeInput | QueryLogsInput | QueryMysqlInput;

/** A call that reached a fake adapter. */
export interface AdapterCall {
  readonly toolName: EvidenceTool['name'];
  readonly input: AnyInput;
  readonly context: CallContext;
}

/** What a fake source says: lines of text that all match, an error, or whatever a test does. */
export type FakeSource = (
  call: AdapterCall,
) => readonly string[] | AdapterResult | Promise<AdapterResult>;

export interface FakeTools {
  readonly calls: readonly AdapterCall[];
  readonly tools: readonly EvidenceTool[];
}

/** One line for every call, so that every call finds evidence. */
const ONE_LINE: FakeSource = ({ toolName }) => [
  `${toolName}: ERROR Lock wait timeout exceeded; try restarting transaction`,
];

/** The three evidence tools over one scripted source; projection is the plain minimum of the contract. */
export function scriptedTools(source: FakeSource = ONE_LINE): FakeTools {
  const calls: AdapterCall[] = [];
  const answer = async (call: AdapterCall): Promise<AdapterResult> => {
    calls.push(call);
    const said = await source(call);
    return 'kind' in said ? said : result(said, call);
  };
  return { calls, tools: [knowledgeTool(answer), logsTool(answer), mysqlTool(answer)] };
}

export function fakeTools(source?: FakeSource): readonly EvidenceTool[] {
  return scriptedTools(source).tools;
}

type Answer = (call: AdapterCall) => Promise<AdapterResult>;

function knowledgeTool(answer: Answer): EvidenceTool {
  return defineEvidenceTool<LookupKnowledgeInput, never>({
    name: 'lookup_knowledge',
    description: '查文档',
    check: (input) => checked(LookupKnowledgeInputSchema.safeParse(input)),
    equivalence: (input) => ({ key: canonicalJson(input).toLowerCase(), lookbackMinutes: null }),
    timeoutMs: () => null,
    adapter: { call: (input, context) => answer({ toolName: 'lookup_knowledge', input, context }) },
    projector: projector((lines) => ({
      evidence: lines.map((line, index) => ({
        document_id: `doc-${index}`,
        title: line,
        excerpt: line,
      })),
      skipped_count: 0,
    })),
  });
}

function logsTool(answer: Answer): EvidenceTool {
  return defineEvidenceTool<QueryLogsInput, never>({
    name: 'query_logs',
    description: '查日志',
    check: (input) => checked(QueryLogsInputSchema.safeParse(input)),
    equivalence: ({ topic, query, lookback_minutes }) => ({
      key: canonicalJson({ topic, query: query.toLowerCase() }),
      lookbackMinutes: lookback_minutes,
    }),
    timeoutMs: () => null,
    adapter: { call: (input, context) => answer({ toolName: 'query_logs', input, context }) },
    projector: projector((lines) => ({
      matched_count: lines.length,
      returned_count: lines.length,
      patterns: [],
      events: lines,
      timeline: [],
    })),
  });
}

function mysqlTool(answer: Answer): EvidenceTool {
  return defineEvidenceTool<QueryMysqlInput, never>({
    name: 'query_mysql',
    description: '查数据库',
    check: (input) => checked(QueryMysqlInputSchema.safeParse(input)),
    equivalence: (input) => ({ key: canonicalJson(input), lookbackMinutes: null }),
    timeoutMs: () => null,
    adapter: { call: (input, context) => answer({ toolName: 'query_mysql', input, context }) },
    projector: projector((lines) => ({
      columns: ['line'],
      rows: lines,
      returned_count: lines.length,
      live_state: true,
    })),
  });
}

function result(lines: readonly string[], { input, context }: AdapterCall): AdapterResult {
  const to = new Date(context.asOf).toISOString();
  const isWindowed = 'lookback_minutes' in input;
  const window = isWindowed
    ? { from: new Date(context.asOf - input.lookback_minutes * 60_000).toISOString(), to }
    : null;
  return {
    kind: 'result',
    raw: new TextEncoder().encode(JSON.stringify(lines)),
    sourceKind: 'MOCK',
    window,
    executed: { statement: canonicalJson(input), window, sources: ['fake'] },
  };
}

function projector(toBody: (lines: readonly string[]) => unknown) {
  return {
    project(raw: Uint8Array, { redactor }: { redactor: { redact(text: string): string } }) {
      const lines = parsedLines(raw);
      if (lines === null) return { kind: 'malformed' } as const;
      const redacted = lines.map((line) => redactor.redact(line));
      return {
        kind: 'projected',
        evidenceStatus: lines.length === 0 ? 'NO_EVIDENCE' : 'EVIDENCE_FOUND',
        notes: [],
        truncated: false,
        body: toBody(redacted) as never, // the fake's own body has the shape of its tool
        facts: redacted.slice(0, 1) as never, // redacted a line above
      } as const;
    },
  };
}

function parsedLines(raw: Uint8Array): string[] | null {
  try {
    const lines: unknown = JSON.parse(new TextDecoder().decode(raw));
    return Array.isArray(lines) ? lines.map(String) : null;
  } catch {
    return null;
  }
}

function checked<Input>(
  parsed:
    | { success: true; data: Input }
    | { success: false; error: { issues: { path: PropertyKey[] }[] } },
) {
  return parsed.success
    ? ({ kind: 'valid', input: parsed.data } as const)
    : ({
        kind: 'invalid',
        fields: parsed.error.issues.map(({ path }) => ['input', ...path].join('.')),
      } as const);
}
