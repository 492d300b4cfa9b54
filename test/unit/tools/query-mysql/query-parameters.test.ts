import { describe, expect, it } from 'vitest';
import {
  bindCallers,
  bindStated,
  faultyParameters,
  type StatedValue,
} from '../../../../functions/diagnosis/tools/query-mysql/query-parameters.ts';
import {
  type QueryHeader,
  QueryHeaderSchema,
  QueryParameterSchema,
} from '../../../../shared/contracts/query-header.ts';

const model = { bind: 'model', description: 'd' };
const INTEGER = QueryParameterSchema.parse({ type: 'integer', ...model, min: 1, max: 60 });
const DECIMAL = QueryParameterSchema.parse({ type: 'decimal', ...model, min: -1, max: 99.5 });
const STRING = QueryParameterSchema.parse({ type: 'string', ...model, max_bytes: 6 });
const ENUM = QueryParameterSchema.parse({ type: 'enum', ...model, values: ['A', 'B'] });
const DATETIME = QueryParameterSchema.parse({ type: 'datetime', ...model });
const BOOLEAN = QueryParameterSchema.parse({ type: 'boolean', ...model });

describe('a value of the model', () => {
  it.each<[string, typeof INTEGER, StatedValue, string | number | undefined]>([
    ['the least integer', INTEGER, 1, 1],
    ['the largest integer', INTEGER, 60, 60],
    ['an integer below', INTEGER, 0, undefined],
    ['an integer above', INTEGER, 61, undefined],
    ['a fraction', INTEGER, 1.5, undefined],
    ['digits in a string', INTEGER, '5', undefined],
    ['a decimal number', DECIMAL, 99.5, 99.5],
    ['a decimal string', DECIMAL, '-0.25', -0.25],
    ['a decimal above', DECIMAL, '99.51', undefined],
    ['an exponent', DECIMAL, '1e1', undefined],
    ['more digits than a double holds', DECIMAL, '1.0000000000000001', undefined],
    ['a decimal that is true', DECIMAL, true, undefined],
    ['a text at the byte limit', STRING, '支付', '支付'],
    ['a text over the byte limit', STRING, '支付x', undefined],
    ['an empty text', STRING, '', undefined],
    ['a text with a line end', STRING, 'a\nb', undefined],
    ['a text with half a character', STRING, 'a\ud800', undefined],
    ['a number for a text', STRING, 5, undefined],
    ['a listed value', ENUM, 'B', 'B'],
    ['a value in another letter case', ENUM, 'b', undefined],
    ['an instant in UTC', DATETIME, '2026-11-30T08:15:00Z', '2026-11-30 08:15:00'],
    ['an instant in a zone', DATETIME, '2026-11-30T16:15:00.250+08:00', '2026-11-30 08:15:00.250'],
    ['a day that does not exist', DATETIME, '2026-02-30T00:00:00Z', undefined],
    ['a date without a time', DATETIME, '2026-11-30', undefined],
    ['true', BOOLEAN, true, 1],
    ['false', BOOLEAN, false, 0],
    ['a word for true', BOOLEAN, 'true', undefined],
  ])('%s binds as it should or not at all', (_case, parameter, value, bound) => {
    expect(bindStated(parameter, value)).toBe(bound);
  });
});

describe("a caller's binding", () => {
  it.each([
    [INTEGER, '60', 60],
    [INTEGER, '61', undefined],
    [INTEGER, '6x', undefined],
    [DECIMAL, '9.5', 9.5],
    [STRING, 't-1', 't-1'],
    [ENUM, 'A', 'A'],
    [DATETIME, '2026-11-30T08:15:00Z', '2026-11-30 08:15:00'],
    [BOOLEAN, 'true', 1],
    [BOOLEAN, 'yes', undefined],
  ])('%j takes %j as %j', (parameter, text, bound) => {
    expect(bindCallers(parameter, text)).toBe(bound);
  });
});

describe('the parameters of a call', () => {
  const header: QueryHeader = QueryHeaderSchema.parse({
    description: 'd',
    target: 'reader',
    temporal: 'live',
    row_limit: 1,
    timeout_ms: 100,
    parameters: {
      state: ENUM,
      minutes: { ...INTEGER, default: 5 },
      tenant_id: { type: 'string', bind: 'caller', max_bytes: 16 },
    },
  });

  it.each<[string, Record<string, StatedValue>, string[]]>([
    ['nothing but what is required', { state: 'A' }, []],
    ['everything', { state: 'A', minutes: 60 }, []],
    ['a required one missing', {}, ['state']],
    ['one out of bounds', { state: 'A', minutes: 61 }, ['minutes']],
    ['one that only the caller may set', { state: 'A', tenant_id: 't-2' }, ['tenant_id']],
    ['an unknown one', { state: 'A', toString: 1 }, ['toString']],
  ])('with %s are judged by name', (_case, stated, faulty) => {
    expect(faultyParameters(header, stated)).toEqual(faulty);
  });
});
