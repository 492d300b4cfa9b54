import type { QueryHeader, QueryParameter } from '../../../../shared/contracts/query-header.ts';
import { parameterFault } from './query-parameters.ts';
import { tokenizeSql } from './sql-tokens.ts';

/** The model's parameter that says how far a windowed query reaches back. */
export const LOOKBACK_PARAMETER = 'lookback_minutes';

/** Parameters that are bound from `as_of` and the lookback, never declared. */
const WINDOW_PARAMETERS = ['window_from', 'window_to'] as const;

/** Longest lookback in minutes: seven days, as for logs. */
const MAX_LOOKBACK_MINUTES = 10_080;

/** What is wrong between header and statement; the line is counted from the statement's first. */
export interface UseFlaw {
  readonly line: number;
  readonly reason: string;
}

/** Holds a guarded statement's parameters against its header; undefined when they agree. */
export function checkStatementUse(header: QueryHeader, statement: string): UseFlaw | undefined {
  const tokens = tokenizeSql(statement);
  const used = new Map<string, number>();
  for (const { kind, text, start } of tokens) {
    if (kind === 'symbol' && text === '?') return at(lineAt(statement, start), 'has a bare ?');
    if (kind === 'parameter' && !used.has(text)) used.set(text, lineAt(statement, start));
  }
  return (
    undeclared(header, used) ??
    unused(header, used) ??
    windowFlaw(header, used) ??
    declarationFlaw(header)
  );
}

type Used = ReadonlyMap<string, number>;

function undeclared({ parameters }: QueryHeader, used: Used): UseFlaw | undefined {
  const found = [...used].find(([name]) => !isWindowName(name) && !Object.hasOwn(parameters, name));
  return found && at(found[1], `:${found[0]} is not declared`);
}

function unused({ parameters, temporal }: QueryHeader, used: Used): UseFlaw | undefined {
  const name = Object.keys(parameters).find(
    (declared) =>
      !used.has(declared) && !(temporal === 'windowed' && declared === LOOKBACK_PARAMETER),
  );
  return name === undefined ? undefined : at(1, `the parameter ${name} is not used`);
}

function windowFlaw({ temporal, parameters }: QueryHeader, used: Used): UseFlaw | undefined {
  const declared = WINDOW_PARAMETERS.find((name) => Object.hasOwn(parameters, name));
  if (declared !== undefined) return at(1, `the parameter ${declared} must not be declared`);
  if (temporal === 'live') {
    const name = WINDOW_PARAMETERS.find((candidate) => used.has(candidate));
    return name && at(used.get(name) ?? 1, `a live query has no :${name}`);
  }
  const missing = WINDOW_PARAMETERS.find((name) => !used.has(name));
  if (missing !== undefined) return at(1, `a windowed query must use :${missing}`);
  return isLookback(parameters[LOOKBACK_PARAMETER])
    ? undefined
    : at(1, `a windowed query must declare ${LOOKBACK_PARAMETER}, 1..${MAX_LOOKBACK_MINUTES}`);
}

function isLookback(parameter: QueryParameter | undefined): boolean {
  return (
    parameter?.type === 'integer' &&
    parameter.bind === 'model' &&
    parameter.min >= 1 &&
    parameter.max <= MAX_LOOKBACK_MINUTES
  );
}

function declarationFlaw({ parameters }: QueryHeader): UseFlaw | undefined {
  const found = Object.entries(parameters).find(
    ([, parameter]) =>
      parameter.default !== undefined && parameterFault(parameter, parameter.default),
  );
  return found && at(1, `the default of ${found[0]} is outside its own bounds`);
}

function isWindowName(name: string): boolean {
  return WINDOW_PARAMETERS.some((candidate) => candidate === name);
}

function lineAt(statement: string, offset: number): number {
  return statement.slice(0, offset).split('\n').length;
}

function at(line: number, reason: string): UseFlaw {
  return { line, reason };
}
