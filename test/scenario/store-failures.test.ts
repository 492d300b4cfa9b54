import { describe, expect, it } from 'vitest';
import { HarnessError } from '../../shared/kernel/errors.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import { createSqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import { aGroundedDraft, conclude } from '../support/drafts.ts';
import { HandMovedClock } from '../support/hand-moved-clock.ts';
import { askLogs, play, round } from '../support/played.ts';

const ANSWERS = [round(askLogs('timeout')), conclude(aGroundedDraft('call-1'))];

type Method =
  | 'enterRound'
  | 'appendStep'
  | 'openInvocation'
  | 'startProjection'
  | 'settleReady'
  | 'settleRun';

/** How many requests were sent and how many sources asked before a method of the record failed. */
const FAILURES: readonly [Method, number, number][] = [
  ['enterRound', 0, 0],
  ['appendStep', 1, 0],
  ['openInvocation', 1, 0],
  ['startProjection', 1, 1],
  ['settleReady', 1, 1],
  ['settleRun', 2, 1],
];

describe('a record that cannot be kept', () => {
  it.each(FAILURES)(
    'because %s throws ends the run, and nothing more is asked',
    async (method, requests, calls) => {
      const store = failingAt(method, () =>
        Promise.reject(new HarnessError('STORE_FAILED', 'the disk is full')),
      );

      const played = await play(ANSWERS, { store });

      expect(played.outcome).toMatchObject({
        status: 'FAILED',
        failure: { code: 'STORE_FAILED', detail_code: 'RECORD_WRITE_FAILED', rerunnable: true },
        draft: null,
        grounding: null,
      });
      expect(played.requests).toHaveLength(requests);
      expect(played.adapterCalls).toHaveLength(calls);
      expect(played.faults.length).toBeGreaterThan(0);
    },
  );

  it.each(FAILURES)(
    'because %s was lost to another ends the run',
    async (method, requests, calls) => {
      const store = failingAt(method, () => Promise.resolve({ kind: 'lost' }));

      const played = await play(ANSWERS, { store });

      expect(played.outcome).toMatchObject({
        status: 'FAILED',
        failure: { code: 'STORE_FAILED', detail_code: 'RECORD_WRITE_LOST' },
        draft: null,
      });
      expect(played.requests).toHaveLength(requests);
      expect(played.adapterCalls).toHaveLength(calls);
    },
  );

  it.each(['openInvocation', 'startProjection', 'settleReady'] as const)(
    'at %s shows no observation and leaves no progress',
    async (method) => {
      const store = failingAt(method, () => Promise.resolve({ kind: 'lost' }));

      const { outcome, shownAfter } = await play(ANSWERS, { store });

      expect(shownAfter(1)).toEqual([]);
      expect(outcome.progress).toBeNull();
    },
  );
});

describe('a write that the end of the run cuts off', () => {
  it.each(['appendStep', 'openInvocation', 'startProjection', 'settleReady'] as const)(
    'at %s is that end and no failure of the record',
    async (method) => {
      const clock = new HandMovedClock();
      const store = failingAt(method, () => {
        clock.move(890_000);
        return Promise.reject(new HarnessError('STORE_FAILED', 'aborted'));
      });

      const { outcome, requests } = await play(ANSWERS, { store, clock });

      expect(requests).toHaveLength(1);
      expect(outcome).toMatchObject({ status: 'STOPPED', stop_reason: 'DEADLINE', draft: null });
    },
  );
});

/** A real record, one method of which fails. */
function failingAt(method: Method, failure: () => Promise<unknown>): RunStore {
  const store = createSqliteRunStore({ file: ':memory:' });
  return new Proxy(store, {
    get: (target, name: keyof RunStore) => (name === method ? failure : target[name].bind(target)),
  });
}
