import { setImmediate as soon } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RunIdSchema } from '../../shared/contracts/identifiers.ts';
import { createSqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import { conclude } from '../support/drafts.ts';
import type { FakeSource } from '../support/fake-tools.ts';
import { stopTime } from '../support/hand-moved-time.ts';
import { askLogs, play, round } from '../support/played.ts';
import { aResult, untilAborted } from '../support/source-answers.ts';

const RUN_ID = RunIdSchema.parse('run-1');

describe('a cancel', () => {
  it('asked for in the record is seen while a tool runs, within seconds', async () => {
    const move = stopTime();
    const store = createSqliteRunStore({ file: ':memory:' });
    const source: FakeSource = async ({ context }) => {
      await store.requestCancel(RUN_ID, '2026-11-30T00:00:01.000Z', context.signal);
      void soon().then(() => move(5_000));
      return untilAborted(context.signal);
    };

    const { outcome, invocations, requests } = await play([round(askLogs('one')), conclude()], {
      store,
      source,
      request: { run_id: RUN_ID },
    });

    expect(outcome).toMatchObject({ status: 'STOPPED', stop_reason: 'CANCELLED', progress: null });
    expect(invocations).toMatchObject([{ status: 'ERROR', error_code: 'ABORTED' }]);
    expect(requests).toHaveLength(1);
  });

  it('asked for in the record is seen by the gate before the next round', async () => {
    const store = createSqliteRunStore({ file: ':memory:' });
    const source: FakeSource = async ({ context }) => {
      await store.requestCancel(RUN_ID, '2026-11-30T00:00:01.000Z', context.signal);
      return aResult();
    };

    const { outcome, requests } = await play([round(askLogs('one')), conclude()], {
      store,
      source,
      request: { run_id: RUN_ID },
    });

    expect(outcome).toMatchObject({
      status: 'STOPPED',
      stop_reason: 'CANCELLED',
      progress: { checks: [{ tool_call_id: 'call-1' }] },
    });
    expect(requests).toHaveLength(1);
  });
});
