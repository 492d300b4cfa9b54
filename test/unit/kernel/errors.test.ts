import { describe, expect, it } from 'vitest';
import {
  HarnessError,
  type HarnessErrorCode,
  hasCode,
  nameOf,
} from '../../../shared/kernel/errors.ts';

describe('HarnessError', () => {
  it.each<[HarnessErrorCode, string]>([
    ['INVALID_REQUEST', 'InvalidRequestError'],
    ['DEADLINE_TOO_SHORT', 'DeadlineTooShortError'],
    ['RUN_CONFLICT', 'RunConflictError'],
    ['RUN_IN_PROGRESS', 'RunInProgressError'],
    ['RUN_EXPIRED', 'RunExpiredError'],
    ['RECORD_UNAVAILABLE', 'RecordUnavailableError'],
    ['STORE_FAILED', 'STORE_FAILED'],
  ])('of code %s is called %s', (code, name) => {
    expect(new HarnessError(code, 'why').name).toBe(name);
  });

  it('is told by its code', () => {
    const error = new HarnessError('USAGE', 'why');

    expect(hasCode(error, 'USAGE')).toBe(true);
    expect(hasCode(error, 'RUN_CONFLICT')).toBe(false);
    expect(hasCode(new Error('USAGE'), 'USAGE')).toBe(false);
  });
});

describe('nameOf', () => {
  it.each([
    [new TypeError('a secret'), 'TypeError'],
    [Object.assign(new Error('a secret'), { code: 'ECONNREFUSED' }), 'Error ECONNREFUSED'],
    [Object.assign(new Error('a secret'), { code: 'a secret' }), 'Error'],
    [
      new HarnessError('STORE_FAILED', 'a secret', { cause: new RangeError('a secret') }),
      'STORE_FAILED < RangeError',
    ],
    [new HarnessError('RUN_CONFLICT', 'a secret'), 'RunConflictError RUN_CONFLICT'],
    ['a secret', 'string'],
    [undefined, 'undefined'],
  ])('tells no text of what was thrown', (thrown, name) => {
    expect(nameOf(thrown)).toBe(name);
  });
});
