import { describe, expect, it } from 'vitest';
import { answerReader } from '../../../functions/run-record/answer-reader.ts';
import { recordPages } from '../../../functions/run-record/record-pages.ts';
import { RecordAnswerSchema } from '../../../shared/contracts/record-page.ts';
import { storeFailed } from '../../../shared/store/store-failure.ts';
import { HandClock } from '../../contract/contract-store.ts';
import {
  AFTER_EXPIRY,
  aRun,
  aSession,
  aSettlement,
  CREATED,
  DURING,
  keyOf,
  SIGNAL,
} from '../../contract/run-builders.ts';
import { aMemoryStore } from '../../support/memory-store.ts';
import { aRecordedRun } from '../../support/recorded-run.ts';

describe('a reader of one run', () => {
  it('is given run, request, steps, invocations with observations and outcome', async () => {
    using run = await aRecordedRun();
    const { record, clock, runId, outcome } = run;

    const answer = await answerReader({ record, clock }, { run_id: runId }, SIGNAL);

    expect(RecordAnswerSchema.parse(answer)).toMatchObject({
      kind: 'RUN_RECORD',
      page: 1,
      head: { run: { run_id: runId, status: 'COMPLETED' }, outcome },
      steps: await record.readSteps(runId, SIGNAL),
      invocations: await record.readInvocations(runId, SIGNAL),
      next: null,
    });
  });

  it('is given a run in progress without an outcome', async () => {
    const { record, clock } = aMemoryStore(CREATED);
    const run = aRun();
    await record.createRun(run, SIGNAL);

    const answer = await answerReader({ record, clock }, { run_id: run.record.run_id }, SIGNAL);

    const head = { run: run.record, request: JSON.parse(run.request), outcome: null };
    expect(answer).toMatchObject({ head, steps: [], invocations: [] });
  });

  it.each([
    ['is absent', DURING, 'no-such-run'],
    ['has expired', AFTER_EXPIRY, null],
  ])('is told that a run is unknown when it %s', async (_how, now, asked) => {
    const { record, clock } = aMemoryStore(CREATED);
    const run = aRun();
    await record.createRun(run, SIGNAL);
    clock.moveTo(now);
    const runId = asked ?? run.record.run_id;

    const answer = await answerReader({ record, clock }, { run_id: runId }, SIGNAL);

    expect(answer).toEqual({ schema_version: 1, kind: 'UNKNOWN_RUN', run_id: runId });
  });

  it('refuses an outcome that does not keep its contract', async () => {
    const { record, clock } = aMemoryStore(CREATED);
    const run = aRun();
    await record.createRun(run, SIGNAL);
    await record.settleRun(keyOf(run), aSettlement({ outcome: '{"status":"COMPLETED"}' }), SIGNAL);

    const answer = answerReader({ record, clock }, { run_id: run.record.run_id }, SIGNAL);

    await expect(answer).rejects.toMatchObject({ name: 'RecordUnavailableError' });
  });

  it('gets the same record page by page, each page naming the one before', async () => {
    using run = await aRecordedRun();
    const { whole } = run;

    const pages = recordPages(whole, 2_000);

    expect(pages.length).toBeGreaterThan(3);
    expect(pages.flatMap(({ steps }) => steps)).toEqual(whole.steps);
    expect(pages.flatMap(({ invocations }) => invocations)).toEqual(whole.invocations);
    expect(pages.map(({ page }) => page)).toEqual(pages.map((_page, index) => index + 1));
    expect(pages.map(({ previous_sha256 }) => previous_sha256)).toEqual([
      null,
      ...pages.slice(0, -1).map(({ sha256 }) => sha256),
    ]);
    expect(pages.at(-1)?.next).toBeNull();
  });

  it('goes on where a cursor says', async () => {
    using run = await aRecordedRun();
    const { record, clock, runId, whole } = run;
    const [first] = recordPages(whole, 2_000);

    const event = { run_id: runId, cursor: first?.next };
    const second = await answerReader({ record, clock }, event, SIGNAL);

    expect(second).toMatchObject({
      page: 2,
      previous_sha256: first?.sha256,
      head: null,
      steps: whole.steps.slice(first?.steps.length),
    });
  });

  it('refuses a cursor of another run', async () => {
    using run = await aRecordedRun();
    const { record, clock, whole } = run;
    const [first] = recordPages(whole, 2_000);

    const event = { run_id: 'run-2', cursor: first?.next };
    const answer = answerReader({ record, clock }, event, SIGNAL);

    await expect(answer).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('a reader of a session', () => {
  it('is given its runs, newest first, page by page', async () => {
    const { record, clock } = aMemoryStore(CREATED);
    const session = aSession();
    const created = ['2026-11-02T08:00:00.000Z', '2026-11-02T08:00:01.000Z'];
    for (const created_at of created) {
      await record.createRun(aRun({ session_id: session, created_at }), SIGNAL);
    }

    const asked = { session_id: session, limit: 1 };
    const first = await answerReader({ record, clock }, asked, SIGNAL);
    const cursor = 'next' in first ? first.next : null;
    const second = await answerReader({ record, clock }, { ...asked, cursor }, SIGNAL);

    const newest = { status: 'RUNNING', created_at: created[1] };
    expect(first).toMatchObject({ kind: 'RUN_LIST', session_id: session, runs: [newest] });
    expect(second).toMatchObject({ runs: [{ created_at: created[0] }], next: null });
  });

  it('is given an empty list of a session that nobody knows', async () => {
    const { record, clock } = aMemoryStore(CREATED);

    const answer = await answerReader({ record, clock }, { session_id: 's' }, SIGNAL);

    const nothing = { session_id: 's', runs: [], next: null };
    expect(answer).toEqual({ schema_version: 1, kind: 'RUN_LIST', ...nothing });
  });
});

describe('a reader', () => {
  it.each([
    ['nothing', undefined],
    ['neither a run nor a session', {}],
    ['both a run and a session', { run_id: 'r', session_id: 's' }],
    ['a run and a limit', { run_id: 'r', limit: 1 }],
    ['an unknown key', { run_id: 'r', raw: true }],
    ['a limit of 0', { session_id: 's', limit: 0 }],
    ['a limit above 100', { session_id: 's', limit: 101 }],
    ['a cursor that is none', { run_id: 'r', cursor: 'e30' }],
    ['a cursor with signs', { run_id: 'r', cursor: '../..' }],
    ['a list cursor that is none', { session_id: 's', cursor: 'e30' }],
  ])('is refused with %s', async (_what, event) => {
    const { record, clock } = aMemoryStore(CREATED);

    const answer = answerReader({ record, clock }, event, SIGNAL);

    await expect(answer).rejects.toMatchObject({ name: 'InvalidRequestError' });
  });

  it('is told by name that the record does not answer', async () => {
    const { record: calm } = aMemoryStore(CREATED);
    const record = { ...calm, readRun: () => Promise.reject(storeFailed('reading', null)) };
    const clock = new HandClock(DURING);

    const answer = answerReader({ record, clock }, { run_id: 'r' }, SIGNAL);

    await expect(answer).rejects.toMatchObject({ name: 'RecordUnavailableError' });
  });
});
