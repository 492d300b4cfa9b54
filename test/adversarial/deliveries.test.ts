import { describe, expect, it } from 'vitest';
import { scriptedBrain } from '../../functions/cli/stand-in/scripted-brain.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { createSqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import { THE_REQUEST } from '../support/bench-view.ts';
import { startBench } from '../support/diagnosis-bench.ts';
import { conclude } from '../support/drafts.ts';
import { endingOf } from '../support/ending.ts';
import { HandMovedClock } from '../support/hand-moved-clock.ts';
import { askLogs, round } from '../support/played.ts';

/** How long after its Lambda's end a run still counts as alive; milliseconds. */
const SKEW_MS = 15_000;

describe('a request that is delivered twice (field issue 57)', () => {
  it('gets the stored outcome byte for byte, and nothing runs again', async () => {
    await using bench = await startBench({ brain: scriptedBrain(round(askLogs('a')), conclude()) });

    const first = await bench.run(THE_REQUEST);
    const second = await bench.run(THE_REQUEST);

    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    expect(bench.server.requests).toHaveLength(2);
  });

  it('is known by the Lambda request id when it names no run', async () => {
    await using bench = await startBench({ brain: scriptedBrain(conclude()) });

    const first = await bench.run({ query: '为什么' }, { requestId: 'lambda-7' });
    const second = await bench.run({ query: '为什么' }, { requestId: 'lambda-7' });

    expect(second).toEqual(first);
    expect(bench.server.requests).toHaveLength(1);
  });

  it('conflicts when it asks something else under the same id', async () => {
    await using bench = await startBench({ brain: scriptedBrain(conclude()) });
    await bench.run(THE_REQUEST);

    const again = bench.run({ ...THE_REQUEST, query: '别的问题' });

    await expect(again).rejects.toMatchObject({ code: 'RUN_CONFLICT' });
    expect(bench.server.requests).toHaveLength(1);
  });

  it('executes once even when both deliveries arrive together', async () => {
    await using bench = await startBench({ brain: scriptedBrain(conclude()) });

    const both = await Promise.allSettled([bench.run(THE_REQUEST), bench.run(THE_REQUEST)]);

    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({ reason: { code: 'RUN_IN_PROGRESS' } });
    expect(bench.server.requests).toHaveLength(1);
  });
});

describe('a run whose process died (field issue 55)', () => {
  it.each([
    {
      when: 'in progress until its lease has ended',
      afterMs: 900_000 + SKEW_MS,
      seen: { code: 'RUN_IN_PROGRESS' },
    },
    {
      when: 'abandoned once it has',
      afterMs: 900_000 + SKEW_MS + 1,
      seen: { status: 'FAILED', failure: 'RUN_ABANDONED/LEASE_EXPIRED' },
    },
  ])('counts as $when', async ({ afterMs, seen }) => {
    const clock = new HandMovedClock();
    const store = createSqliteRunStore({ file: ':memory:', clock });
    // A store whose settlement gets lost leaves what a dead process leaves.
    const dying = { ...store, settleRun: async () => ({ kind: 'lost' }) as const };
    await using dead = await startBench({ brain: scriptedBrain(conclude()), store: dying, clock });
    await using bench = await startBench({ brain: scriptedBrain(conclude()), store, clock });
    await dead.run(THE_REQUEST);

    clock.move(afterMs);
    const again = await bench.run(THE_REQUEST).then(endingOf, (error: unknown) => error);

    expect(again).toMatchObject(seen);
    expect(bench.server.requests).toEqual([]);
  });
});

describe('a settlement that is not confirmed', () => {
  it('is published without its draft', async () => {
    const store = createSqliteRunStore({ file: ':memory:' });
    const lossy = { ...store, settleRun: async () => ({ kind: 'lost' }) as const };
    await using bench = await startBench({ brain: scriptedBrain(conclude()), store: lossy });

    const outcome: DiagnosisOutcome = await bench.run(THE_REQUEST);

    expect(endingOf(outcome)).toMatchObject({
      status: 'FAILED',
      failure: 'STORE_FAILED/RECORD_WRITE_LOST',
      published: false,
    });
  });
});
