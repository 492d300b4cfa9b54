import { readFileSync } from 'node:fs';
import type { SettledCall } from '../../../functions/diagnosis/draft/cited-evidence.ts';
import type { GuardedRun } from '../../../functions/diagnosis/draft/draft-guard.ts';
import type { AnalysisItem, DiagnosisDraft } from '../../../shared/contracts/diagnosis-draft.ts';
import { toToolCallId } from '../../../shared/contracts/identifiers.ts';
import type { EvidenceToolName } from '../../../shared/contracts/tool-inputs.ts';

/** An event line of {@link logsCall}, and the words of it that most tests quote. */
export const EVENT = '2026-11-30T17:02:13Z ERROR 支付网关 超时，等待 30000 ms (order_id=88213)';
export const QUOTED = '支付网关 超时，等待 30000 ms';

/** Log evidence under `call-1`. */
export function logsCall(parts: {
  ordinal?: number;
  events?: readonly string[];
  patterns?: readonly string[];
  evidenceStatus?: SettledCall['evidenceStatus'];
  query?: string;
}): SettledCall {
  const { ordinal = 1, events = [EVENT], patterns = [], query = 'gateway timeout search' } = parts;
  return call('query_logs', ordinal, parts.evidenceStatus ?? 'EVIDENCE_FOUND', {
    source_kind: 'FILE',
    scope: {
      request: { topic: 'payment-service', query, lookback_minutes: 30 },
      window: { from: '2026-11-30T16:32:00.000Z', to: '2026-11-30T17:02:00.000Z' },
      notes: ['NEWEST_MINUTES_MAY_BE_MISSING'],
    },
    truncated: false,
    matched_count: events.length,
    returned_count: events.length,
    patterns: patterns.map((line) => ({
      line,
      count: 412,
      level: 'CRITICAL_FAILURE',
      first_seen: null,
      last_seen: null,
    })),
    events,
    timeline: [{ start: '2026-11-30T17:02:00.000Z', count: 412 }],
  });
}

/** MySQL evidence, `call-2` unless told. */
export function mysqlCall(parts: { ordinal?: number; rows?: readonly string[] }): SettledCall {
  const { ordinal = 2, rows = ['trx_id=421 state=ACTIVE age_seconds=63'] } = parts;
  return call('query_mysql', ordinal, 'EVIDENCE_FOUND', {
    source_kind: 'SQLITE',
    scope: {
      request: { query_name: 'innodb-transactions', parameters: {} },
      window: null,
      notes: [],
    },
    truncated: false,
    columns: ['transaction_identifier', 'state', 'age_seconds'],
    rows,
    returned_count: rows.length,
    live_state: true,
  });
}

/** Knowledge evidence, `call-3` unless told. */
export function knowledgeCall(parts: {
  ordinal?: number;
  title?: string;
  excerpt?: string;
}): SettledCall {
  const {
    ordinal = 3,
    title = '连接池耗尽排查手册',
    excerpt = '先看活跃连接数，再看慢 SQL。',
  } = parts;
  return call('lookup_knowledge', ordinal, 'EVIDENCE_FOUND', {
    source_kind: 'MARKDOWN',
    scope: { request: { query: 'connection pool exhausted' }, window: null, notes: [] },
    truncated: false,
    evidence: [{ document_id: 'runbooks/pool-exhaustion.md', title, excerpt, score: 7.5 }],
    skipped_count: 0,
  });
}

/** A run with logs, a table and a document, that asks for quotes. */
export function aRun(parts: Partial<GuardedRun>): GuardedRun {
  return {
    calls: [logsCall({}), mysqlCall({}), knowledgeCall({})],
    otherCallIds: [],
    playbookTexts: [],
    requireQuotes: true,
    ...parts,
  };
}

/** An observation of `call-1` with one quote. */
export function anItem(parts: Partial<AnalysisItem>): AnalysisItem {
  return {
    type: 'OBSERVATION',
    statement: '支付网关超时',
    tool_call_ids: ['call-1'],
    quotes: [{ tool_call_id: 'call-1', text: QUOTED }],
    ...parts,
  };
}

/** An observation of one call, quoting it. */
export function quoting(text: string, toolCallId = 'call-1'): AnalysisItem {
  return anItem({ tool_call_ids: [toolCallId], quotes: [{ tool_call_id: toolCallId, text }] });
}

/** A draft that a run of {@link aRun} bears out. */
export function aDraft(parts: Partial<DiagnosisDraft>): DiagnosisDraft {
  return {
    conclusion: '支付网关超时导致下单失败',
    analysis: [anItem({})],
    action_plan: ['切换备用网关'],
    recommendations: [],
    limitations: { checked_scope: ['最近 30 分钟的支付日志'], missing_info: [] },
    ...parts,
  };
}

/** The rows of a corpus that lies beside the tests. */
export function corpus<Row>(name: string): readonly Row[] {
  const text = readFileSync(new URL(`../../corpora/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row); // Each corpus keeps to one shape; its README says which.
}

function call(
  toolName: EvidenceToolName,
  ordinal: number,
  evidenceStatus: SettledCall['evidenceStatus'],
  body: object,
): SettledCall {
  const toolCallId = toToolCallId(ordinal);
  return {
    toolCallId,
    toolName,
    evidenceStatus,
    observation: JSON.stringify({
      tool_call_id: toolCallId,
      evidence_status: evidenceStatus,
      ...body,
    }),
  };
}
