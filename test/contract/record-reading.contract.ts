import { describe, expect, it } from 'vitest';
import { hasCode } from '../../shared/kernel/errors.ts';
import { type StoreOpener, useStore } from './contract-store.ts';
import { MOVE } from './invocation-moves.ts';
import {
  ABORTED,
  AFTER_EXPIRY,
  aRun,
  aSession,
  aSettlement,
  aStep,
  CREATED,
  DURING,
  keyOf,
  SIGNAL,
  strangerTo,
} from './run-builders.ts';

/** Steps, legend, lists, expiry: what readers find, whatever keeps it. */
export function describeRecordReading(open: StoreOpener): void {
  const under = useStore(open, CREATED);

  describe('steps', () => {
    it('come back in their order', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);
      const steps = [12, 2, 1, 10].map((sequence) => aStep(run, sequence));
      for (const step of steps) await under.store.appendStep(keyOf(run), step, SIGNAL);

      const read = await under.store.readSteps(run.record.run_id, SIGNAL);

      expect(read).toEqual([1, 2, 10, 12].map((sequence) => aStep(run, sequence)));
    });

    it('keep the first under a number', async () => {
      const run = aRun();
      const [first, second] = [aStep(run, 1), { ...aStep(run, 1), at: CREATED }];
      await under.store.createRun(run, SIGNAL);

      const results = [
        await under.store.appendStep(keyOf(run), first, SIGNAL),
        await under.store.appendStep(keyOf(run), second, SIGNAL),
      ];

      expect(results).toEqual([{ kind: 'written' }, { kind: 'lost' }]);
      expect(await under.store.readSteps(run.record.run_id, SIGNAL)).toEqual([first]);
    });

    it('are lost for another writer, another run and a settled run', async () => {
      const [run, other] = [aRun(), aRun()];
      await under.store.createRun(run, SIGNAL);

      const results = [
        await under.store.appendStep(strangerTo(run), aStep(run, 1), SIGNAL),
        await under.store.appendStep(keyOf(run), aStep(other, 1), SIGNAL),
        await under.store.appendStep(keyOf(other), aStep(other, 1), SIGNAL),
      ];
      await under.store.settleRun(keyOf(run), aSettlement(), SIGNAL);
      results.push(await under.store.appendStep(keyOf(run), aStep(run, 1), SIGNAL));

      expect(results.map(({ kind }) => kind)).toEqual(['lost', 'lost', 'lost', 'lost']);
      expect(await under.store.readSteps(run.record.run_id, SIGNAL)).toEqual([]);
    });
  });

  describe('the legend', () => {
    it('lies beside the raw results alone, the newest in place of the one before', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);
      await under.store.keepLegend(keyOf(run), '{"<pod:1>":"old"}', SIGNAL);

      const kept = await under.store.keepLegend(keyOf(run), '{"<pod:1>":"canary-x2k4p"}', SIGNAL);

      expect(kept).toEqual({ kind: 'written' });
      expect(await under.opened.readLegend(run.record.run_id)).toBe('{"<pod:1>":"canary-x2k4p"}');
      expect(await under.opened.dumpRecord(run.record.run_id)).not.toContain('canary');
    });

    it('is lost for another writer, before and after the owner', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);

      const before = await under.store.keepLegend(strangerTo(run), '"else"', SIGNAL);
      await under.store.keepLegend(keyOf(run), '"ours"', SIGNAL);
      const after = await under.store.keepLegend(strangerTo(run), '"else"', SIGNAL);

      expect([before, after]).toEqual([{ kind: 'lost' }, { kind: 'lost' }]);
      expect(await under.opened.readLegend(run.record.run_id)).toBe('"ours"');
    });
  });

  describe('expiry', () => {
    it('hides a run and everything of it', async () => {
      const run = aRun({ session_id: aSession() });
      await under.store.createRun(run, SIGNAL);
      await under.store.appendStep(keyOf(run), aStep(run, 1), SIGNAL);
      await MOVE.openInvocation(under.store, keyOf(run));
      await under.store.settleRun(keyOf(run), aSettlement(), SIGNAL);
      under.clock.moveTo(AFTER_EXPIRY);

      const { run_id: runId, session_id: sessionId } = run.record;
      const query = { sessionId, limit: 10, from: null };
      const read = await Promise.all([
        under.store.readRun(runId, AFTER_EXPIRY, SIGNAL),
        under.store.readRequest(runId, SIGNAL),
        under.store.readOutcome(runId, SIGNAL),
        under.store.readInvocations(runId, SIGNAL),
        under.store.readSteps(runId, SIGNAL),
        under.store.listRuns(query, AFTER_EXPIRY, SIGNAL),
      ]);

      expect(read).toEqual([null, null, null, [], [], { items: [], next: null }]);
    });

    it('shows nothing of a run that was never there', async () => {
      const { run_id: runId } = aRun().record;

      const read = await Promise.all([
        under.store.readRun(runId, DURING, SIGNAL),
        under.store.readRequest(runId, SIGNAL),
        under.store.readOutcome(runId, SIGNAL),
        under.store.readInvocations(runId, SIGNAL),
        under.store.readSteps(runId, SIGNAL),
      ]);

      expect(read).toEqual([null, null, null, [], []]);
    });
  });

  describe('the list of a session', () => {
    it('shows its runs newest first, page by page, without the expired', async () => {
      const sessionId = aSession();
      const runs = [3, 1, 5, 2, 4].map((minute) =>
        aRun({ session_id: sessionId, created_at: `2026-11-02T08:0${minute}:00.000Z` }),
      );
      const expired = aRun({ session_id: sessionId, expires_at: DURING });
      for (const run of [...runs, expired, aRun()]) await under.store.createRun(run, SIGNAL);
      await under.store.settleRun(keyOf(runs[2] ?? expired), aSettlement(), SIGNAL);

      const list = (from: string | null) =>
        under.store.listRuns({ sessionId, limit: 2, from }, DURING, SIGNAL);
      const first = await list(null);
      const second = await list(first.next);
      const third = await list(second.next);

      const lines = [first, second, third].map(({ items }) =>
        items.map(({ createdAt, status }) => `${createdAt.slice(14, 16)} ${status}`),
      );
      expect(lines).toEqual([
        ['05 COMPLETED', '04 RUNNING'],
        ['03 RUNNING', '02 RUNNING'],
        ['01 RUNNING'],
      ]);
      expect(first.items[0]?.runId).toBe(runs[2]?.record.run_id);
      expect(third.next).toBeNull();
    });

    it('has no further page when the last one is full', async () => {
      const run = aRun({ session_id: aSession() });
      await under.store.createRun(run, SIGNAL);

      const page = await under.store.listRuns(
        { sessionId: run.record.session_id, limit: 1, from: null },
        DURING,
        SIGNAL,
      );

      const { run_id: runId } = run.record;
      const line = { runId, status: 'RUNNING', createdAt: CREATED };
      expect(page).toEqual({ items: [line], next: null });
    });

    it.each(['', 'nonsense', 'bm9uc2Vuc2U', Buffer.from(`${DURING} run 1`).toString('base64url')])(
      'refuses the position %j',
      async (from) => {
        const page = under.store.listRuns(
          { sessionId: aSession(), limit: 1, from },
          DURING,
          SIGNAL,
        );

        await expect(page).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      },
    );
  });

  it('fails every access whose time is over, and writes nothing', async () => {
    const [run, unborn] = [aRun(), aRun()];
    const key = keyOf(run);
    const { runId } = key;
    await under.store.createRun(run, SIGNAL);

    const { store } = under;
    const accesses = await Promise.allSettled([
      store.createRun(unborn, ABORTED),
      store.enterRound(key, 1, ABORTED),
      store.appendStep(key, aStep(run, 1), ABORTED),
      store.keepLegend(key, '{}', ABORTED),
      store.settleRun(key, aSettlement(), ABORTED),
      store.requestCancel(runId, DURING, ABORTED),
      store.isCancelRequested(runId, ABORTED),
      store.readRun(runId, DURING, ABORTED),
      store.readSteps(runId, ABORTED),
      store.readInvocations(runId, ABORTED),
      store.listRuns({ sessionId: aSession(), limit: 1, from: null }, DURING, ABORTED),
    ]);

    const failed = accesses.map(
      (access) => access.status === 'rejected' && hasCode(access.reason, 'STORE_FAILED'),
    );
    expect(failed).toEqual(accesses.map(() => true));
    expect(await store.readRun(runId, DURING, SIGNAL)).toEqual(run.record);
    expect(await store.readRun(unborn.record.run_id, DURING, SIGNAL)).toBeNull();
  });
}
