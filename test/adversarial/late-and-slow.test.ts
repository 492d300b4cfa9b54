import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scriptedBrain } from '../../functions/cli/stand-in/scripted-brain.ts';
import type { AdapterResult } from '../../functions/diagnosis/evidence/tool-adapter.ts';
import { lastShown, recordOf, resultOf, THE_REQUEST } from '../support/bench-view.ts';
import { startBench } from '../support/diagnosis-bench.ts';
import { aGroundedDraft, conclude } from '../support/drafts.ts';
import { anEnding, endingOf } from '../support/ending.ts';
import { scriptedTools } from '../support/fake-tools.ts';
import { askLogs, round } from '../support/played.ts';
import { startSilentSource } from '../support/silent-source.ts';

beforeEach(() => {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const;
  vi.useFakeTimers({ toFake: [...toFake] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a result that comes too late', () => {
  it('is no evidence when the run was cancelled meanwhile', async () => {
    const cancel = new AbortController();
    const { tools } = scriptedTools(async () => {
      cancel.abort();
      return resultOf('came after the cancel');
    });
    await using bench = await startBench({
      brain: scriptedBrain(round(askLogs('a')), conclude()),
      evidence: tools,
    });

    const outcome = await bench.run(THE_REQUEST, { cancel: cancel.signal });

    expect(endingOf(outcome)).toEqual(
      anEnding({ status: 'STOPPED', stop: 'CANCELLED', toolCalls: 1 }),
    );
    expect(await recordOf(bench)).toMatchObject([
      { status: 'ERROR', error_code: 'ABORTED', raw: null },
    ]);
  });

  it('is no evidence when its call had timed out, and a draft may not cite it', async () => {
    const late = Promise.withResolvers<AdapterResult>();
    const { tools, calls } = scriptedTools(() => late.promise);
    await using bench = await startBench({
      brain: scriptedBrain(round(askLogs('a')), () => {
        late.resolve(resultOf('Lock wait timeout exceeded'));
        return conclude(aGroundedDraft('call-1'));
      }),
      evidence: tools,
    });

    const running = bench.run(THE_REQUEST);
    await vi.waitUntil(() => calls.length === 1);
    await vi.advanceTimersByTimeAsync(60_000);
    const outcome = await running;

    expect(endingOf(outcome)).toEqual(
      anEnding({
        status: 'FAILED',
        failure: 'EVIDENCE_REJECTED/NOT_EVIDENCE',
        rounds: 2,
        toolCalls: 1,
      }),
    );
    expect(await recordOf(bench)).toMatchObject([
      { status: 'ERROR', error_code: 'TOOL_TIMEOUT', raw: null },
    ]);
  });
});

describe('a tool that stalls', () => {
  it('times out on its own clock, its socket is closed, and the run goes on', async () => {
    await using source = await startSilentSource();
    await using bench = await startBench({
      brain: scriptedBrain(round(askLogs('a')), conclude()),
      evidence: source.tools,
    });

    const running = bench.run(THE_REQUEST);
    await vi.waitUntil(() => source.asked === 1);
    await vi.advanceTimersByTimeAsync(60_000);
    const outcome = await running;

    expect(lastShown(bench)).toEqual([
      { tool_call_id: 'call-1', evidence_status: 'ERROR', error_code: 'TOOL_TIMEOUT' },
    ]);
    expect(endingOf(outcome)).toEqual(anEnding({ rounds: 2, toolCalls: 1 }));
    await vi.waitUntil(() => source.closed === 1);
  });

  it('is cut off by the time that is kept for the draft, and the draft is written', async () => {
    await using source = await startSilentSource();
    await using bench = await startBench({
      brain: scriptedBrain(round(askLogs('a')), conclude()),
      evidence: source.tools,
      configuration: { tool_timeout_ms: 300_000 },
    });

    const running = bench.run({ ...THE_REQUEST, budget: { time_ms: 100_000 } });
    await vi.waitUntil(() => source.asked === 1);
    await vi.advanceTimersByTimeAsync(50_000);
    const outcome = await running;

    expect(lastShown(bench)).toEqual([
      {
        tool_call_id: 'call-1',
        evidence_status: 'ERROR',
        error_code: 'TOOL_TIMEOUT',
        control: 'STOP_REQUIRED',
      },
    ]);
    expect(endingOf(outcome)).toEqual(anEnding({ stop: 'DEADLINE', rounds: 2, toolCalls: 1 }));
    expect(outcome.usage.time_ms).toBeLessThan(51_000);
    await vi.waitUntil(() => source.closed === 1);
  });
});

describe('what an adapter holds for a run', () => {
  it.each<[string, () => Promise<void>, string]>([
    ['never closes', () => new Promise(() => {}), 'NOT_CLOSED_IN_TIME'],
    ['fails to close', () => Promise.reject(new TypeError('broken')), 'TypeError'],
  ])('changes no outcome when it %s', async (_what, close, fault) => {
    const closing = Promise.withResolvers<void>();
    const { tools } = scriptedTools(({ context }) => {
      context.atRunEnd.defer(() => {
        closing.resolve();
        return close();
      });
      return ['one line of evidence'];
    });
    await using bench = await startBench({
      brain: scriptedBrain(round(askLogs('a')), conclude()),
      evidence: tools,
    });

    const running = bench.run(THE_REQUEST);
    await closing.promise;
    await vi.advanceTimersByTimeAsync(5_000);
    const outcome = await running;

    expect(endingOf(outcome)).toEqual(anEnding({ rounds: 2, toolCalls: 1, checks: ['call-1'] }));
    expect(bench.faults).toEqual([{ name: fault }]);
  });
});

describe('a model that takes its time', () => {
  it.each([
    { what: 'a millisecond before the deadline', takesMs: 19_999, ending: anEnding() },
    {
      what: 'at the deadline',
      takesMs: 20_000,
      ending: anEnding({ status: 'STOPPED', stop: 'DEADLINE' }),
    },
  ])('and answers $what', async ({ takesMs, ending }) => {
    const asked = Promise.withResolvers<void>();
    const waited = Promise.withResolvers<void>();
    await using bench = await startBench({
      brain: scriptedBrain(async () => {
        asked.resolve();
        await waited.promise;
        return conclude();
      }),
    });

    const running = bench.run({ ...THE_REQUEST, budget: { time_ms: 20_000 } });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(takesMs);
    waited.resolve();
    const outcome = await running;

    expect(endingOf(outcome)).toEqual(ending);
    expect(bench.server.requests).toHaveLength(1);
  });
});
