import { InstantSchema } from '../../../../shared/contracts/identifiers.ts';
import type { QueryHeader, QueryParameter } from '../../../../shared/contracts/query-header.ts';
import { utf8Length } from '../../../../shared/kernel/utf8.ts';
import { toSqlDatetime } from './sql-datetime.ts';

/** A parameter's value as the model or a caller states it. */
export type StatedValue = string | number | boolean;

/** A value as it is bound to the statement. */
export type BoundValue = string | number;

/** Parameters by name, defaults filled in where nothing was stated. */
export type StatedParameters = Readonly<Record<string, StatedValue>>;

/**
 * Names of the parameters that are wrong: unknown, not the model's to set, missing, or outside type
 * and bounds. Nothing is clamped or rewritten.
 */
export function faultyParameters(header: QueryHeader, stated: StatedParameters): string[] {
  const declared = modelParameters(header);
  const names = new Set(declared.map(([name]) => name));
  const unknown = Object.keys(stated).filter((name) => !names.has(name));
  const faulty = declared
    .filter(([name, parameter]) => {
      const value = statedValue(parameter, stated, name);
      return value === undefined || parameterFault(parameter, value);
    })
    .map(([name]) => name);
  return [...unknown, ...faulty];
}

/** What was stated for a parameter, else its default. */
export function statedValue(
  parameter: QueryParameter,
  stated: StatedParameters,
  name: string,
): StatedValue | undefined {
  return Object.hasOwn(stated, name) ? stated[name] : parameter.default;
}

/** The parameters that the model may set, in the order of the header. */
export function modelParameters(
  header: QueryHeader,
): readonly (readonly [string, QueryParameter])[] {
  return Object.entries(header.parameters).filter(([, { bind }]) => bind === 'model');
}

/** True when a value is not of the parameter's type or out of its bounds. */
export function parameterFault(parameter: QueryParameter, value: StatedValue): boolean {
  return bindStated(parameter, value) === undefined;
}

/** The value to bind, or undefined when it breaks the parameter's type or bounds. */
export function bindStated(parameter: QueryParameter, value: StatedValue): BoundValue | undefined {
  if (typeof value === 'string') return bindText(parameter, value);
  if (typeof value === 'boolean') return parameter.type === 'boolean' ? Number(value) : undefined;
  if (parameter.type === 'integer' && Number.isSafeInteger(value)) return within(parameter, value);
  return parameter.type === 'decimal' ? within(parameter, value) : undefined;
}

/** The value to bind for a caller's binding, which is always spelled as a string. */
export function bindCallers(parameter: QueryParameter, text: string): BoundValue | undefined {
  if (parameter.type === 'integer') {
    return /^-?[0-9]{1,15}$/.test(text) ? bindStated(parameter, Number(text)) : undefined;
  }
  if (parameter.type === 'boolean') {
    return text === 'true' || text === 'false' ? bindStated(parameter, text === 'true') : undefined;
  }
  return bindStated(parameter, text);
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function within({ min, max }: Range, value: number): number | undefined {
  return value >= min && value <= max ? value : undefined;
}

// Fifteen digits are what a double holds exactly, so that no reader rounds.
const DECIMAL = /^-?(?=[0-9.]{1,16}$)[0-9]{1,15}(?:\.[0-9]{1,14})?$/;

function bindText(parameter: QueryParameter, text: string): BoundValue | undefined {
  switch (parameter.type) {
    case 'decimal':
      return DECIMAL.test(text) ? within(parameter, Number(text)) : undefined;
    case 'string':
      return isText(text, parameter.max_bytes) ? text : undefined;
    case 'enum':
      return parameter.values.includes(text) ? text : undefined;
    case 'datetime':
      return bindDatetime(text);
    default:
      return undefined;
  }
}

function isText(value: string, maxBytes: number): boolean {
  const hasControls = /\p{Cc}/u.test(value);
  return value !== '' && !hasControls && value.isWellFormed() && utf8Length(value) <= maxBytes;
}

function bindDatetime(text: string): string | undefined {
  const isInstant = InstantSchema.safeParse(text).success;
  return isInstant ? toSqlDatetime(Date.parse(text)) : undefined;
}
