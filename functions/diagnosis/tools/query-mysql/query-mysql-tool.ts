import {
  type QueryMysqlInput,
  QueryMysqlInputSchema,
} from '../../../../shared/contracts/tool-inputs.ts';
import { canonicalJson } from '../../../../shared/kernel/canonical-json.ts';
import {
  type CheckedInput,
  defineEvidenceTool,
  type EvidenceTool,
} from '../../evidence/evidence-tool.ts';
import type { ToolAdapter } from '../../evidence/tool-adapter.ts';
import { mysqlProjector } from './mysql-projector.ts';
import type { QueryCatalog } from './query-catalog.ts';
import { describeCatalog } from './query-listing.ts';
import { bindStated, faultyParameters, modelParameters, statedValue } from './query-parameters.ts';

/** What `query_mysql` is put together from. */
export interface QueryMysqlOptions {
  readonly catalog: QueryCatalog;
  readonly adapter: ToolAdapter<QueryMysqlInput>;
}

/** The tool `query_mysql` over one catalogue and one source. */
export function createQueryMysqlTool({ catalog, adapter }: QueryMysqlOptions): EvidenceTool {
  return defineEvidenceTool({
    name: 'query_mysql',
    description: describeCatalog(catalog),
    check: (candidate) => checkInput(candidate, catalog),
    equivalence: (input) => ({ key: equivalenceKey(input, catalog), lookbackMinutes: null }),
    timeoutMs: ({ query_name }) => catalog.get(query_name)?.header.timeout_ms ?? null,
    adapter,
    projector: mysqlProjector,
  });
}

/** An unknown query is no invalid input: the adapter answers it with its own code. */
function checkInput(candidate: unknown, catalog: QueryCatalog): CheckedInput<QueryMysqlInput> {
  const parsed = QueryMysqlInputSchema.safeParse(candidate);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => ['input', ...path.map(String)].join('.'));
    return { kind: 'invalid', fields: [...new Set(fields)] };
  }
  const query = catalog.get(parsed.data.query_name);
  const faulty = query === undefined ? [] : faultyParameters(query.header, parsed.data.parameters);
  if (faulty.length === 0) return { kind: 'valid', input: parsed.data };
  return { kind: 'invalid', fields: faulty.map((name) => `input.parameters.${name}`) };
}

/** Equal for inputs that bind the same values, whether a default was spelled out or not. */
function equivalenceKey(
  { query_name, parameters }: QueryMysqlInput,
  catalog: QueryCatalog,
): string {
  const query = catalog.get(query_name);
  if (query === undefined) return canonicalJson({ query_name, parameters });
  const bound = modelParameters(query.header).map(([name, parameter]) => {
    const value = statedValue(parameter, parameters, name);
    return [name, value === undefined ? null : (bindStated(parameter, value) ?? value)];
  });
  return canonicalJson({ query_name, parameters: Object.fromEntries(bound) });
}
