import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scriptedBrain } from '../../functions/cli/stand-in/scripted-brain.ts';
import { modelAsked, openSignal, recordOf, THE_REQUEST, THE_RUN } from '../support/bench-view.ts';
import { startBench } from '../support/diagnosis-bench.ts';
import { conclude } from '../support/drafts.ts';
import { anEnding, endingOf } from '../support/ending.ts';
import { scriptedTools } from '../support/fake-tools.ts';
import { askKnowledge, askLogs, askMysql, round } from '../support/played.ts';
import { startSilentSource } from '../support/silent-source.ts';

const NOW = '2026-11-30T00:00:00Z';
const HANG = { kind: 'hang' } as const;

const ONE_OF_EACH = [
  { tool: 'query_logs', call: askLogs('timeout') },
  { tool: 'query_mysql', call: askMysql('lock_waits') },
  { tool: 'lookup_knowledge', call: askKnowledge('锁等待') },
];

beforeEach(() => {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const;
  vi.useFakeTimers({ toFake: [...toFake] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a cancel', () => {
  it('aborts a model call in flight, and what was settled is returned (field issue 54)', async () => {
    const cancel = new AbortController();
    await using bench = await startBench({ brain: scriptedBrain(round(askLogs('a')), HANG) });

    const running = bench.run(THE_REQUEST, { cancel: cancel.signal });
    await modelAsked(bench, 2);
    cancel.abort();
    const outcome = await running;

    expect(endingOf(outcome)).toEqual(
      anEnding({
        status: 'STOPPED',
        stop: 'CANCELLED',
        rounds: 2,
        toolCalls: 1,
        checks: ['call-1'],
      }),
    );
    await vi.waitUntil(() => bench.server.requests[1]?.aborted);
    expect(bench.server.requests).toHaveLength(2);
  });

  it.each(ONE_OF_EACH)('closes the socket of a $tool call in flight', async ({ call }) => {
    const cancel = new AbortController();
    await using source = await startSilentSource();
    await using bench = await startBench({
      brain: scriptedBrain(round(call), conclude()),
      evidence: source.tools,
    });

    const running = bench.run(THE_REQUEST, { cancel: cancel.signal });
    await vi.waitUntil(() => source.asked === 1);
    cancel.abort();
    const outcome = await running;

    expect(endingOf(outcome)).toEqual(
      anEnding({ status: 'STOPPED', stop: 'CANCELLED', toolCalls: 1 }),
    );
    await vi.waitUntil(() => source.closed === 1);
    expect(await recordOf(bench)).toMatchObject([{ status: 'ERROR', error_code: 'ABORTED' }]);
    expect(bench.server.requests).toHaveLength(1);
  });

  it('that was asked for is seen within five seconds by a model call in flight', async () => {
    await using bench = await startBench({ brain: scriptedBrain(HANG) });

    const running = bench.run(THE_REQUEST);
    await modelAsked(bench, 1);
    await bench.store.requestCancel(THE_RUN, NOW, openSignal());
    await vi.advanceTimersByTimeAsync(5_000);
    const outcome = await running;

    expect(endingOf(outcome)).toEqual(anEnding({ status: 'STOPPED', stop: 'CANCELLED' }));
    await vi.waitUntil(() => bench.server.requests[0]?.aborted);
  });

  it('that was asked for is seen within five seconds by a tool call in flight', async () => {
    await using source = await startSilentSource();
    await using bench = await startBench({
      brain: scriptedBrain(round(askLogs('a')), conclude()),
      evidence: source.tools,
    });

    const running = bench.run(THE_REQUEST);
    await vi.waitUntil(() => source.asked === 1);
    await bench.store.requestCancel(THE_RUN, NOW, openSignal());
    await vi.advanceTimersByTimeAsync(5_000);
    const outcome = await running;

    expect(endingOf(outcome)).toMatchObject({ status: 'STOPPED', stop: 'CANCELLED' });
    await vi.waitUntil(() => source.closed === 1);
  });

  it('that was asked for during a tool call is seen at the gate of the next round', async () => {
    const { tools } = scriptedTools(async () => {
      await bench.store.requestCancel(THE_RUN, NOW, openSignal());
      return { kind: 'failed', code: 'SOURCE_FAILED', executed: null };
    });
    await using bench = await startBench({
      brain: scriptedBrain(round(askLogs('a')), conclude()),
      evidence: tools,
    });

    const outcome = await bench.run(THE_REQUEST);

    expect(endingOf(outcome)).toEqual(
      anEnding({ status: 'STOPPED', stop: 'CANCELLED', toolCalls: 1 }),
    );
    expect(bench.server.requests).toHaveLength(1);
  });

  it('that comes before anything began sends nothing', async () => {
    await using bench = await startBench({ brain: scriptedBrain(conclude()) });

    const outcome = await bench.run(THE_REQUEST, { cancel: AbortSignal.abort() });

    expect(endingOf(outcome)).toEqual(
      anEnding({ status: 'STOPPED', stop: 'CANCELLED', rounds: 0 }),
    );
    expect(bench.server.requests).toEqual([]);
  });

  it('is too late once the last words are on their way back', async () => {
    await using bench = await startBench({
      brain: scriptedBrain(async () => {
        await bench.store.requestCancel(THE_RUN, NOW, openSignal());
        return conclude();
      }),
    });

    const outcome = await bench.run(THE_REQUEST);

    expect(endingOf(outcome)).toEqual(anEnding());
  });
});
