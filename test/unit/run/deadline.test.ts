import { describe, expect, it } from 'vitest';
import { Deadline } from '../../../functions/diagnosis/run/deadline.ts';

const NOW = 1_000_000;

describe('Deadline', () => {
  it.each([
    [900_000, 900_000, 890_000],
    [900_000, 120_000, 120_000],
    [30_000, 900_000, 20_000],
  ])('of %i ms remaining and a limit of %i ms is %i ms away', (remaining, limit, expected) => {
    const deadline = Deadline.open(NOW, remaining, limit);

    expect(deadline.at).toBe(NOW + expected);
    expect(deadline.settleBy).toBe(NOW + remaining);
  });

  it.each([29_999, 0, -5])('is too short with %i ms remaining', (remaining) => {
    expect(() => Deadline.open(NOW, remaining, 900_000)).toThrowError(
      expect.objectContaining({ code: 'DEADLINE_TOO_SHORT', name: 'DeadlineTooShortError' }),
    );
  });

  it('has passed at its very instant and not before', () => {
    const deadline = Deadline.open(NOW, 110_000, 900_000);

    expect(deadline.hasPassed(NOW + 99_999)).toBe(false);
    expect(deadline.hasPassed(NOW + 100_000)).toBe(true);
  });

  it.each([
    ['a minute before any round', [], 500_000, 440_000],
    ['a minute after quick rounds', [1_000, 39_999], 500_000, 440_000],
    ['one and a half times the slowest round', [50_000, 20_000], 500_000, 425_000],
    ['half the run at most', [400_000], 500_000, 250_000],
    ['half of a short run', [], 40_000, 20_000],
  ])('keeps %s for the final round', (_case, rounds, runMs, cutoff) => {
    const deadline = Deadline.open(NOW, 900_000, runMs);
    for (const durationMs of rounds) deadline.recordRound(durationMs);

    expect(deadline.toolCutoff()).toBe(NOW + cutoff);
  });
});
