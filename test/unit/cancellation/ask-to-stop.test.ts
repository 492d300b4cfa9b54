import { describe, expect, it } from 'vitest';
import { askToStop } from '../../../functions/cancellation/ask-to-stop.ts';
import { storeFailed } from '../../../shared/store/store-failure.ts';
import { HandClock } from '../../contract/contract-store.ts';
import {
  AFTER_EXPIRY,
  AFTER_LEASE,
  aRun,
  aSettlement,
  CREATED,
  DURING,
  keyOf,
  SIGNAL,
} from '../../contract/run-builders.ts';
import { aMemoryStore } from '../../support/memory-store.ts';

describe('asking a run to stop', () => {
  it('says that a living run was asked, as often as it is asked', async () => {
    const { record } = aMemoryStore(CREATED);
    const run = aRun();
    await record.createRun(run, SIGNAL);
    const parts = { record, clock: new HandClock(DURING) };

    const first = await askToStop(parts, { run_id: run.record.run_id }, SIGNAL);
    const second = await askToStop(parts, { run_id: run.record.run_id }, SIGNAL);

    const requested = { schema_version: 1, run_id: run.record.run_id, answer: 'REQUESTED' };
    expect([first, second]).toEqual([requested, requested]);
  });

  it.each([
    ['an expired run', AFTER_EXPIRY, 'UNKNOWN'],
    ['a run whose lease is over', AFTER_LEASE, 'FINISHED'],
  ])('knows %s', async (_what, now, answer) => {
    const { record } = aMemoryStore(CREATED);
    const run = aRun();
    await record.createRun(run, SIGNAL);

    const parts = { record, clock: new HandClock(now) };
    const answered = await askToStop(parts, { run_id: run.record.run_id }, SIGNAL);

    expect(answered.answer).toBe(answer);
  });

  it('knows a settled run', async () => {
    const { record } = aMemoryStore(CREATED);
    const run = aRun();
    await record.createRun(run, SIGNAL);
    await record.settleRun(keyOf(run), aSettlement(), SIGNAL);

    const parts = { record, clock: new HandClock(DURING) };
    const answered = await askToStop(parts, { run_id: run.record.run_id }, SIGNAL);

    expect(answered.answer).toBe('FINISHED');
  });

  it.each([
    ['nothing', undefined],
    ['no object', 'run-1'],
    ['a list', ['run-1']],
    ['no run id', {}],
    ['a run id that is none', { run_id: 'run 1' }],
    ['a key it does not know', { run_id: 'run-1', reason: 'too slow' }],
  ])('refuses %s', async (_what, event) => {
    const { record } = aMemoryStore(CREATED);

    const answered = askToStop({ record, clock: new HandClock(DURING) }, event, SIGNAL);

    await expect(answered).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      name: 'InvalidRequestError',
    });
  });

  it('says by name that the record does not answer', async () => {
    const record = { requestCancel: () => Promise.reject(storeFailed('asking', null)) };

    const answered = askToStop({ record, clock: new HandClock(DURING) }, { run_id: 'r' }, SIGNAL);

    await expect(answered).rejects.toMatchObject({
      code: 'RECORD_UNAVAILABLE',
      name: 'RecordUnavailableError',
    });
  });
});
