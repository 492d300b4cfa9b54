import { describe, expect, it } from 'vitest';
import { type StoreOpener, useStore } from './contract-store.ts';
import {
  AFTER_EXPIRY,
  AFTER_LEASE,
  aRun,
  aSettlement,
  CREATED,
  DURING,
  keyOf,
  LEASE_END,
  SIGNAL,
} from './run-builders.ts';

/** How a run is asked to stop, whatever keeps it. */
export function describeRunCancellation(open: StoreOpener): void {
  const under = useStore(open, CREATED);

  describe('asking a run to stop', () => {
    it('is idempotent and keeps the first instant', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);

      const first = await under.store.requestCancel(run.record.run_id, DURING, SIGNAL);
      const second = await under.store.requestCancel(run.record.run_id, LEASE_END, SIGNAL);

      expect([first, second]).toEqual([{ kind: 'requested' }, { kind: 'requested' }]);
      expect(await under.store.readRun(run.record.run_id, DURING, SIGNAL)).toEqual({
        ...run.record,
        cancel_requested_at: DURING,
      });
    });

    it('says that a settled run is finished', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);
      await under.store.settleRun(keyOf(run), aSettlement(), SIGNAL);

      const answer = await under.store.requestCancel(run.record.run_id, DURING, SIGNAL);

      expect(answer).toEqual({ kind: 'finished' });
      expect(await under.store.isCancelRequested(run.record.run_id, SIGNAL)).toBe(false);
    });

    it('says that a run is finished once its lease is over', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);

      const late = await under.store.requestCancel(run.record.run_id, AFTER_LEASE, SIGNAL);
      const inTime = await under.store.requestCancel(run.record.run_id, LEASE_END, SIGNAL);

      expect([late, inTime]).toEqual([{ kind: 'finished' }, { kind: 'requested' }]);
    });

    it('knows neither an absent nor an expired run', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);

      const absent = await under.store.requestCancel(aRun().record.run_id, DURING, SIGNAL);
      const expired = await under.store.requestCancel(run.record.run_id, AFTER_EXPIRY, SIGNAL);

      expect([absent, expired]).toEqual([{ kind: 'unknown' }, { kind: 'unknown' }]);
      expect(await under.store.isCancelRequested(run.record.run_id, SIGNAL)).toBe(false);
    });

    it('is seen by whoever polls', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);

      const before = await under.store.isCancelRequested(run.record.run_id, SIGNAL);
      await under.store.requestCancel(run.record.run_id, DURING, SIGNAL);
      const after = await under.store.isCancelRequested(run.record.run_id, SIGNAL);
      const absent = await under.store.isCancelRequested(aRun().record.run_id, SIGNAL);

      expect([before, after, absent]).toEqual([false, true, false]);
    });
  });
}
