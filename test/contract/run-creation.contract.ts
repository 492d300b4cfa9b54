import { describe, expect, it } from 'vitest';
import { type StoreOpener, useStore } from './contract-store.ts';
import {
  AFTER_EXPIRY,
  aRun,
  aSettlement,
  CREATED,
  DURING,
  EXPIRY,
  keyOf,
  SIGNAL,
} from './run-builders.ts';

/** How a run begins, whatever keeps it. */
export function describeRunCreation(open: StoreOpener): void {
  const under = useStore(open, CREATED);

  describe('creating a run', () => {
    it('keeps the run and its request', async () => {
      const run = aRun();

      const created = await under.store.createRun(run, SIGNAL);

      expect(created).toEqual({ kind: 'created' });
      expect(await under.store.readRun(run.record.run_id, DURING, SIGNAL)).toEqual(run.record);
      expect(await under.store.readRequest(run.record.run_id, SIGNAL)).toBe(run.request);
      expect(await under.store.readOutcome(run.record.run_id, SIGNAL)).toBeNull();
    });

    it('tells of a living run under the same id, and changes nothing', async () => {
      const first = aRun();
      const second = aRun({ run_id: first.record.run_id });
      await under.store.createRun(first, SIGNAL);

      const created = await under.store.createRun(
        { ...second, request: '{"query":"else"}' },
        SIGNAL,
      );

      expect(created).toEqual({ kind: 'exists', record: first.record, outcome: null });
      expect(await under.store.readRequest(first.record.run_id, SIGNAL)).toBe(first.request);
    });

    it('hands back the stored outcome byte for byte', async () => {
      const run = aRun();
      const outcome = `{ "draft":"连接池耗尽 😱 𠮷 é é", "n":1.0 , "text":"${'长'.repeat(5_000)}"}\n`;
      await under.store.createRun(run, SIGNAL);
      await under.store.settleRun(keyOf(run), aSettlement({ outcome }), SIGNAL);

      const created = await under.store.createRun(aRun({ run_id: run.record.run_id }), SIGNAL);

      const seal_sha256 = expect.any(String);
      const settled = { ...run.record, status: 'COMPLETED', finished_at: DURING, seal_sha256 };
      expect(created).toEqual({ kind: 'exists', record: settled, outcome });
    });

    it('lets one of many creators win', async () => {
      const runId = aRun().record.run_id;
      const rivals = Array.from({ length: 12 }, () => aRun({ run_id: runId }));

      const results = await Promise.all(rivals.map((run) => under.store.createRun(run, SIGNAL)));

      const winners = rivals.filter((_run, index) => results[index]?.kind === 'created');
      const stored = await under.store.readRun(runId, DURING, SIGNAL);
      expect(winners.map(({ record }) => record)).toEqual([stored]);
    });

    it('keeps the id of an expired run taken', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);
      under.clock.moveTo(AFTER_EXPIRY);

      const created = await under.store.createRun(aRun({ run_id: run.record.run_id }), SIGNAL);

      expect(created).toEqual({ kind: 'exists', record: run.record, outcome: null });
    });

    it('rounds the expiry up to a whole second', async () => {
      const run = aRun({ expires_at: '2027-02-10T07:59:59.001Z' });
      await under.store.createRun(run, SIGNAL);

      const read = await under.store.readRun(run.record.run_id, DURING, SIGNAL);

      expect(read?.expires_at).toBe(EXPIRY);
    });
  });
}
