import { describe, expect, it } from 'vitest';
import { toToolCallId } from '../../shared/contracts/identifiers.ts';
import { sealOf } from '../../shared/store/record-seal.ts';
import { type StoreOpener, useStore } from './contract-store.ts';
import {
  AFTER_LEASE,
  anOpenInvocation,
  aRun,
  aSettlement,
  aStep,
  CREATED,
  DURING,
  keyOf,
  LEASE_END,
  SIGNAL,
  strangerTo,
} from './run-builders.ts';

/** How a run goes on and ends, whatever keeps it. */
export function describeRunLifecycle(open: StoreOpener): void {
  const under = useStore(open, CREATED);

  describe('entering a round', () => {
    it('opens the gate to the owner and counts the round', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);

      const gate = await under.store.enterRound(keyOf(run), 1, SIGNAL);

      expect(gate).toEqual({ kind: 'open' });
      expect(await under.store.readRun(run.record.run_id, DURING, SIGNAL)).toEqual({
        ...run.record,
        rounds: 1,
      });
    });

    it('stays shut once a cancel is asked for, and counts nothing', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);
      await under.store.requestCancel(run.record.run_id, DURING, SIGNAL);

      const gate = await under.store.enterRound(keyOf(run), 1, SIGNAL);

      expect(gate).toEqual({ kind: 'cancel_requested' });
      expect((await under.store.readRun(run.record.run_id, DURING, SIGNAL))?.rounds).toBe(0);
    });

    it('never goes back: a write of an earlier round that arrives late is lost', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);
      await under.store.enterRound(keyOf(run), 2, SIGNAL);

      const late = await under.store.enterRound(keyOf(run), 1, SIGNAL);
      const again = await under.store.enterRound(keyOf(run), 2, SIGNAL);

      expect([late, again]).toEqual([{ kind: 'lost' }, { kind: 'open' }]);
      expect((await under.store.readRun(run.record.run_id, DURING, SIGNAL))?.rounds).toBe(2);
    });

    it('is lost for another writer, for a settled run and for a run that is not there', async () => {
      const [owned, settled, absent] = [aRun(), aRun(), aRun()];
      await under.store.createRun(owned, SIGNAL);
      await under.store.createRun(settled, SIGNAL);
      await under.store.settleRun(keyOf(settled), aSettlement(), SIGNAL);

      const gates = await Promise.all([
        under.store.enterRound(strangerTo(owned), 1, SIGNAL),
        under.store.enterRound(keyOf(settled), 1, SIGNAL),
        under.store.enterRound(keyOf(absent), 1, SIGNAL),
      ]);

      expect(gates).toEqual([{ kind: 'lost' }, { kind: 'lost' }, { kind: 'lost' }]);
      expect((await under.store.readRun(owned.record.run_id, DURING, SIGNAL))?.rounds).toBe(0);
    });
  });

  describe('settling a run', () => {
    it.each(['COMPLETED', 'STOPPED', 'FAILED'] as const)(
      'keeps %s with its outcome',
      async (status) => {
        const run = aRun();
        await under.store.createRun(run, SIGNAL);

        const settled = await under.store.settleRun(keyOf(run), aSettlement({ status }), SIGNAL);

        const ended = { ...run.record, status, finished_at: DURING };
        const nothing = { steps: [], invocations: [] };
        const seal = sealOf({ run: ended, outcome: '{"status":"COMPLETED"}', ...nothing });
        expect(settled).toEqual({ kind: 'written' });
        expect(await under.store.readRun(run.record.run_id, DURING, SIGNAL)).toEqual({
          ...ended,
          seal_sha256: seal,
        });
        expect(await under.store.readOutcome(run.record.run_id, SIGNAL)).toBe(
          '{"status":"COMPLETED"}',
        );
      },
    );

    it('is lost for another writer, and leaves neither status nor outcome', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);

      const settled = await under.store.settleRun(strangerTo(run), aSettlement(), SIGNAL);

      expect(settled).toEqual({ kind: 'lost' });
      expect(await under.store.readRun(run.record.run_id, DURING, SIGNAL)).toEqual(run.record);
      expect(await under.store.readOutcome(run.record.run_id, SIGNAL)).toBeNull();
    });

    it('happens once: the first outcome stays', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);
      await under.store.settleRun(keyOf(run), aSettlement({ outcome: '"first"' }), SIGNAL);

      const again = await under.store.settleRun(
        keyOf(run),
        aSettlement({ outcome: '"2"' }),
        SIGNAL,
      );

      expect(again).toEqual({ kind: 'lost' });
      expect(await under.store.readOutcome(run.record.run_id, SIGNAL)).toBe('"first"');
    });

    it('seals the record as its readers find it', async () => {
      const run = aRun();
      const { run_id: runId } = run.record;
      await under.store.createRun(run, SIGNAL);
      await under.store.appendStep(keyOf(run), aStep(run, 1), SIGNAL);
      for (const ordinal of [2, 10]) {
        const invocation = anOpenInvocation(keyOf(run), toToolCallId(ordinal));
        await under.store.openInvocation(keyOf(run), invocation, SIGNAL);
      }

      await under.store.settleRun(keyOf(run), aSettlement(), SIGNAL);

      const ended = await under.store.readRun(runId, DURING, SIGNAL);
      const sealed = {
        run: ended ?? run.record,
        outcome: (await under.store.readOutcome(runId, SIGNAL)) ?? '',
        steps: await under.store.readSteps(runId, SIGNAL),
        invocations: await under.store.readInvocations(runId, SIGNAL),
      };
      expect(sealed.invocations).toHaveLength(2);
      expect(ended?.seal_sha256).toBe(sealOf(sealed));
    });

    it('does not look at a cancel request', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);
      await under.store.requestCancel(run.record.run_id, DURING, SIGNAL);

      const settled = await under.store.settleRun(keyOf(run), aSettlement(), SIGNAL);

      expect(settled).toEqual({ kind: 'written' });
    });
  });

  describe('settling an abandoned run', () => {
    it('is lost as long as the lease holds', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);

      const settled = await under.store.settleAbandoned(
        strangerTo(run),
        ABANDONED,
        LEASE_END,
        SIGNAL,
      );

      expect(settled).toEqual({ kind: 'lost' });
      expect(await under.store.readRun(run.record.run_id, DURING, SIGNAL)).toEqual(run.record);
    });

    it('is anyone’s once the lease is over; the late owner loses', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);

      const settled = await under.store.settleAbandoned(
        strangerTo(run),
        ABANDONED,
        AFTER_LEASE,
        SIGNAL,
      );
      const late = await under.store.settleRun(keyOf(run), aSettlement(), SIGNAL);

      expect([settled, late]).toEqual([{ kind: 'written' }, { kind: 'lost' }]);
      expect(await under.store.readOutcome(run.record.run_id, SIGNAL)).toBe('"abandoned"');
    });

    it('never touches a settled run', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);
      await under.store.settleRun(keyOf(run), aSettlement(), SIGNAL);

      const settled = await under.store.settleAbandoned(keyOf(run), ABANDONED, AFTER_LEASE, SIGNAL);

      expect(settled).toEqual({ kind: 'lost' });
      expect(await under.store.readOutcome(run.record.run_id, SIGNAL)).toBe(
        '{"status":"COMPLETED"}',
      );
    });

    it('reads an instant with an offset as the instant it is', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);

      const settled = await under.store.settleAbandoned(
        keyOf(run),
        ABANDONED,
        '2026-11-02T16:15:30+08:00',
        SIGNAL,
      );

      expect(settled).toEqual({ kind: 'lost' });
    });
  });
}

const ABANDONED = aSettlement({ status: 'FAILED', outcome: '"abandoned"' });
