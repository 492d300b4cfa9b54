import type { Bindings } from '../../../../shared/contracts/diagnosis-request.ts';
import type { Window } from '../../../../shared/contracts/observation.ts';
import type { QueryParameter } from '../../../../shared/contracts/query-header.ts';
import { toInstant } from '../../../../shared/kernel/clock.ts';
import type { CallContext } from '../../evidence/tool-adapter.ts';
import type { CataloguedQuery } from './query-catalog.ts';
import {
  type BoundValue,
  bindCallers,
  bindStated,
  type StatedParameters,
  statedValue,
} from './query-parameters.ts';
import { toSqlDatetime } from './sql-datetime.ts';
import { LOOKBACK_PARAMETER } from './statement-parameters.ts';

/** Values for every parameter of a statement, and the window they stand for. */
export type QueryBinding =
  | {
      readonly kind: 'bound';
      readonly values: Readonly<Record<string, BoundValue>>;
      readonly window: Window | null;
    }
  | { readonly kind: 'failed'; readonly code: 'BINDING_MISSING' | 'SOURCE_FAILED' };

/**
 * Binds a query's parameters: the model's from its input, the caller's from the request alone, the
 * window's from `as_of`. A caller's parameter without a usable binding is `BINDING_MISSING`.
 */
export function bindQuery(
  query: CataloguedQuery,
  stated: StatedParameters,
  { asOf, bindings }: Pick<CallContext, 'asOf' | 'bindings'>,
): QueryBinding {
  const values: Record<string, BoundValue> = {};
  for (const [name, parameter] of Object.entries(query.header.parameters)) {
    const isCallers = parameter.bind === 'caller';
    const value = isCallers
      ? boundBinding(parameter, bindings, name)
      : boundInput(parameter, stated, name);
    if (value === undefined) {
      return { kind: 'failed', code: isCallers ? 'BINDING_MISSING' : 'SOURCE_FAILED' };
    }
    values[name] = value;
  }
  return { kind: 'bound', ...withWindow(query, values, asOf) };
}

function boundBinding(
  parameter: QueryParameter,
  bindings: Bindings,
  name: string,
): BoundValue | undefined {
  const given = Object.hasOwn(bindings, name) ? bindings[name] : undefined;
  return given === undefined ? undefined : bindCallers(parameter, given);
}

/** The input was checked before; only a mark that resolved to a longer text is undefined here. */
function boundInput(
  parameter: QueryParameter,
  stated: StatedParameters,
  name: string,
): BoundValue | undefined {
  const given = statedValue(parameter, stated, name);
  return given === undefined ? undefined : bindStated(parameter, given);
}

function withWindow(
  { header }: CataloguedQuery,
  values: Record<string, BoundValue>,
  asOf: number,
): Omit<Extract<QueryBinding, { kind: 'bound' }>, 'kind'> {
  if (header.temporal === 'live') return { values, window: null };
  const from = asOf - Number(values[LOOKBACK_PARAMETER]) * 60_000;
  return {
    values: { ...values, window_from: toSqlDatetime(from), window_to: toSqlDatetime(asOf) },
    window: { from: toInstant(from), to: toInstant(asOf) },
  };
}
