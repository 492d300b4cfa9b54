import { describe, expect, it } from 'vitest';
import { type StoreOpener, useStore } from './contract-store.ts';
import { MOVE, runWith } from './invocation-moves.ts';
import {
  anOpenInvocation,
  aRun,
  aSettlement,
  CREATED,
  keyOf,
  SIGNAL,
  strangerTo,
} from './run-builders.ts';

/** Which transition of an invocation happens from which status, whatever keeps it. */
export function describeInvocationTransitions(open: StoreOpener): void {
  const under = useStore(open, CREATED);

  it.each([
    { from: 'ABSENT', transition: 'openInvocation', to: ['OPEN'] },
    { from: 'OPEN', transition: 'startProjection', to: ['PROJECTING'] },
    { from: 'OPEN', transition: 'settleError', to: ['ERROR'] },
    { from: 'PROJECTING', transition: 'settleReady', to: ['READY'] },
    { from: 'PROJECTING', transition: 'settleError', to: ['ERROR'] },
  ] as const)('$transition moves $from on', async ({ from, transition, to }) => {
    const key = await runWith(under.store, from);

    const moved = await MOVE[transition](under.store, key);

    const invocations = await under.store.readInvocations(key.runId, SIGNAL);
    expect(moved).toEqual({ kind: 'written' });
    expect(invocations.map(({ status }) => status)).toEqual(to);
  });

  it.each([
    { from: 'ABSENT', transition: 'startProjection' },
    { from: 'ABSENT', transition: 'settleReady' },
    { from: 'ABSENT', transition: 'settleError' },
    { from: 'OPEN', transition: 'openInvocation' },
    { from: 'OPEN', transition: 'settleReady' },
    { from: 'PROJECTING', transition: 'openInvocation' },
    { from: 'PROJECTING', transition: 'startProjection' },
    { from: 'READY', transition: 'openInvocation' },
    { from: 'READY', transition: 'startProjection' },
    { from: 'READY', transition: 'settleReady' },
    { from: 'READY', transition: 'settleError' },
    { from: 'ERROR', transition: 'openInvocation' },
    { from: 'ERROR', transition: 'startProjection' },
    { from: 'ERROR', transition: 'settleReady' },
    { from: 'ERROR', transition: 'settleError' },
    { from: 'ERROR_PROJECTED', transition: 'openInvocation' },
    { from: 'ERROR_PROJECTED', transition: 'startProjection' },
    { from: 'ERROR_PROJECTED', transition: 'settleReady' },
    { from: 'ERROR_PROJECTED', transition: 'settleError' },
  ] as const)('$transition of $from is lost and leaves no trace', async ({ from, transition }) => {
    const key = await runWith(under.store, from);
    const before = await under.store.readInvocations(key.runId, SIGNAL);

    const moved = await MOVE[transition](under.store, key);

    expect(moved).toEqual({ kind: 'lost' });
    expect(await under.store.readInvocations(key.runId, SIGNAL)).toEqual(before);
  });

  it.each([
    { from: 'ABSENT', transition: 'openInvocation' },
    { from: 'OPEN', transition: 'startProjection' },
    { from: 'OPEN', transition: 'settleError' },
    { from: 'PROJECTING', transition: 'settleReady' },
    { from: 'PROJECTING', transition: 'settleError' },
  ] as const)('another writer’s $transition of $from is lost', async ({ from, transition }) => {
    const key = await runWith(under.store, from);
    const before = await under.store.readInvocations(key.runId, SIGNAL);

    const moved = await MOVE[transition](under.store, { ...key, fence: 'another-fence' });

    expect(moved).toEqual({ kind: 'lost' });
    expect(await under.store.readInvocations(key.runId, SIGNAL)).toEqual(before);
  });

  describe('opening', () => {
    it('is lost in a settled run, an absent run and for an invocation of somebody else', async () => {
      const [settled, owned, absent] = [aRun(), aRun(), aRun()];
      await under.store.createRun(settled, SIGNAL);
      await under.store.createRun(owned, SIGNAL);
      await under.store.settleRun(keyOf(settled), aSettlement(), SIGNAL);

      const results = await Promise.all([
        under.store.openInvocation(keyOf(settled), anOpenInvocation(keyOf(settled)), SIGNAL),
        under.store.openInvocation(keyOf(absent), anOpenInvocation(keyOf(absent)), SIGNAL),
        under.store.openInvocation(keyOf(owned), anOpenInvocation(strangerTo(owned)), SIGNAL),
        under.store.openInvocation(keyOf(owned), anOpenInvocation(keyOf(absent)), SIGNAL),
      ]);

      expect(results.map(({ kind }) => kind)).toEqual(['lost', 'lost', 'lost', 'lost']);
      expect(await under.store.readInvocations(owned.record.run_id, SIGNAL)).toEqual([]);
    });

    it('happens once, however many try', async () => {
      const run = aRun();
      await under.store.createRun(run, SIGNAL);
      const invocation = anOpenInvocation(keyOf(run));

      const results = await Promise.all(
        Array.from({ length: 8 }, () => under.store.openInvocation(keyOf(run), invocation, SIGNAL)),
      );

      expect(results.filter(({ kind }) => kind === 'written')).toHaveLength(1);
    });
  });

  it('settles an open invocation as an error after its run was settled', async () => {
    const key = await runWith(under.store, 'OPEN');
    await under.store.settleRun(key, aSettlement({ status: 'FAILED' }), SIGNAL);

    const moved = await MOVE.settleError(under.store, key);

    expect(moved).toEqual({ kind: 'written' });
  });
}
