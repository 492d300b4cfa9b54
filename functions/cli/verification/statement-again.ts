import type { Invocation } from '../../../shared/contracts/invocation.ts';
import {
  QueryLogsInputSchema,
  QueryMysqlInputSchema,
} from '../../../shared/contracts/tool-inputs.ts';
import type { Redactor } from '../../../shared/redaction/redactor.ts';
import { canonicalFilter } from '../../diagnosis/tools/query-logs/filter-canonical.ts';
import { parseFilter } from '../../diagnosis/tools/query-logs/log-filter.ts';
import type { QueryCatalog } from '../../diagnosis/tools/query-mysql/query-catalog.ts';
import { jsonOf, shownEvidence } from './record-views.ts';

/** What statements can be made from once more. */
export interface StatementSources {
  /** The catalogue that the run ran with, or null where it is not at hand. */
  readonly catalog: QueryCatalog | null;
}

/** What an invocation ran, before redaction, where its input alone gives it; else null. */
export function statementOf(
  invocation: Invocation,
  redactor: Redactor,
  { catalog }: StatementSources,
): string | null {
  const input = jsonOf(invocation.input);
  switch (invocation.tool_name) {
    case 'query_mysql': {
      const parsed = QueryMysqlInputSchema.safeParse(input);
      return catalog?.get(parsed.data?.query_name ?? '')?.statement ?? null;
    }
    case 'query_logs':
      return isFromFiles(invocation) ? filterOf(input, redactor) : null;
    case 'lookup_knowledge':
      return null;
  }
}

/** Log files are asked with the filter itself; another source translates it into its own language. */
function isFromFiles(invocation: Invocation): boolean {
  if (invocation.status !== 'READY') return false;
  const kind = shownEvidence(invocation)?.source_kind;
  return kind === 'FILE' || kind === 'MOCK';
}

function filterOf(input: unknown, redactor: Redactor): string | null {
  const asked = QueryLogsInputSchema.safeParse(input);
  const resolved = asked.success ? redactor.resolveMarks(asked.data.query) : null;
  if (resolved?.kind !== 'resolved') return null;
  const parsed = parseFilter(resolved.text);
  return parsed.kind === 'parsed' ? canonicalFilter(parsed.filter) : null;
}
