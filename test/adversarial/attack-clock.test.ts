import { expect, it } from 'vitest';
import { conclude } from '../support/drafts.ts';
import { askLogs, play, round } from '../support/played.ts';

it.each([
  { jump: 'ten seconds', byMs: 10_000 },
  { jump: 'a year', byMs: 365 * 86_400_000 },
])('a clock that is put back by $jump in mid-run costs no outcome', async ({ byMs }) => {
  let reads = 0;
  const clock = {
    now: () => {
      reads += 1;
      return Date.now() - (reads > 6 ? byMs : 0);
    },
  };
  const { outcome, faults } = await play([round(askLogs('timeout')), conclude()], { clock });

  expect({ status: outcome.status, faults }).toEqual({ status: 'COMPLETED', faults: [] });
  expect(Date.parse(outcome.finished_at)).toBeGreaterThanOrEqual(Date.parse(outcome.started_at));
});
