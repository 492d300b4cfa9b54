import { expect, it } from 'vitest';
import { admitRequest } from '../../functions/diagnosis/admission.ts';
import { LimitsSchema } from '../../shared/contracts/budget.ts';
import { InstantSchema } from '../../shared/contracts/identifiers.ts';
import { toInstant } from '../../shared/kernel/clock.ts';

const TERMS = {
  requestId: 'r-1',
  now: Date.parse('2026-11-30T00:00:00Z'),
  limits: LimitsSchema.parse({}),
};
const LONGEST_LOOKBACK_MS = 10_080 * 60_000;

it.each(['0000-01-01T00:00:10Z', '0000-01-01T00:00:00+14:00', '0001-01-01T00:00:00+00:01'])(
  'an instant whose windows no record could spell is refused: %s',
  (as_of) => {
    expect(() => admitRequest({ query: '超时', as_of }, TERMS)).toThrow(
      'as_of: must not be before',
    );
  },
);

it('the earliest instant has windows that a record can spell', () => {
  const { asOf } = admitRequest({ query: '超时', as_of: '0001-01-01T00:00:00Z' }, TERMS);

  expect(InstantSchema.safeParse(toInstant(asOf - LONGEST_LOOKBACK_MS)).success).toBe(true);
});
