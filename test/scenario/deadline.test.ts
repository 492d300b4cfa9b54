import { setImmediate as soon } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type ScriptedAnswer, scriptedBrain } from '../../functions/cli/stand-in/scripted-brain.ts';
import { startBench } from '../support/diagnosis-bench.ts';
import { aGroundedDraft, conclude } from '../support/drafts.ts';
import { type FakeSource, scriptedTools } from '../support/fake-tools.ts';
import { HandMovedClock } from '../support/hand-moved-clock.ts';
import { stopTime } from '../support/hand-moved-time.ts';
import { askLogs, askMysql, play, QUERY, round } from '../support/played.ts';
import { aResult, untilAborted } from '../support/source-answers.ts';

describe('the time kept for the draft', () => {
  it.each([
    ['run of a whole Lambda', 900_000, 830_000],
    ['20 s run', 20_000, 10_000],
  ])('stops collection in a %s', async (_run, time_ms, reserveBegins) => {
    const move = stopTime();
    const source: FakeSource = ({ input }) => {
      if ('topic' in input) move(reserveBegins);
      return aResult();
    };
    const answers = [
      round(askMysql('before'), askLogs('slow'), askMysql('after')),
      conclude(aGroundedDraft('call-1')),
    ];

    const { outcome, shownAfter, adapterCalls } = await play(answers, {
      source,
      request: { budget: { time_ms } },
    });

    expect(shownAfter(1)[2]).toEqual({ tool_call_id: 'call-3', control: 'STOP_REQUIRED' });
    expect(adapterCalls).toHaveLength(2);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: 'DEADLINE' });
  });

  it.each([
    [739_999, 2, null],
    [740_000, 1, 'DEADLINE'],
  ])('grows with the slowest round: at %i ms %i calls run', async (at, calls, reason) => {
    const move = stopTime();
    const source: FakeSource = ({ input }) => {
      if ('topic' in input) move(at - 100_000);
      return aResult();
    };
    const slow = round(askLogs('slow'), askMysql('next'));
    const answers: ScriptedAnswer[] = [
      (request, context) => {
        move(100_000);
        return typeof slow === 'function' ? slow(request, context) : slow;
      },
      conclude(),
    ];

    const { outcome, adapterCalls } = await play(answers, { source });

    expect(adapterCalls).toHaveLength(calls);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: reason });
  });

  it('is not eaten by one stalled tool, which is told as a timeout with the notice', async () => {
    const move = stopTime();
    const source: FakeSource = (call) => {
      void soon().then(() => move(10_000));
      return untilAborted(call.context.signal);
    };
    const answers = [round(askLogs('stalls'), askMysql('next')), conclude()];

    const { outcome, shownAfter, adapterCalls } = await play(answers, {
      source,
      request: { budget: { time_ms: 20_000 } },
    });

    expect(shownAfter(1)).toEqual([
      {
        tool_call_id: 'call-1',
        evidence_status: 'ERROR',
        error_code: 'TOOL_TIMEOUT',
        control: 'STOP_REQUIRED',
      },
      { tool_call_id: 'call-2', control: 'STOP_REQUIRED' },
    ]);
    expect(adapterCalls).toHaveLength(1);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: 'DEADLINE' });
  });
});

describe("a tool's own timeout", () => {
  it.each<[string, FakeSource]>([
    ['aborts it', ({ context }) => untilAborted(context.signal)],
    ['leaves it behind when it does not listen', () => new Promise(() => undefined)],
  ])('%s, and the run goes on', async (_how, stalled) => {
    const move = stopTime();
    const source: FakeSource = (call) => {
      if (call.toolName === 'query_mysql') return aResult();
      void soon().then(() => move(1_000));
      return stalled(call);
    };
    const answers = [
      round(askLogs('stalls'), askMysql('next')),
      conclude(aGroundedDraft('call-2')),
    ];

    const { outcome, shownAfter, invocations } = await play(answers, {
      source,
      configuration: { tool_timeout_ms: 1_000 },
    });

    expect(shownAfter(1)).toMatchObject([
      { tool_call_id: 'call-1', evidence_status: 'ERROR', error_code: 'TOOL_TIMEOUT' },
      { tool_call_id: 'call-2', evidence_status: 'EVIDENCE_FOUND' },
    ]);
    expect(shownAfter(1)[0]).not.toHaveProperty('control');
    expect(invocations.map(({ status }) => status)).toEqual(['ERROR', 'READY']);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: null });
  });
});

describe('a result that arrives after the end of the run', () => {
  it('is no evidence: the deadline has aborted its call', async () => {
    const move = stopTime();
    const signals: AbortSignal[] = [];
    const source: FakeSource = async ({ context, toolName }) => {
      if (toolName === 'query_mysql') return aResult();
      signals.push(context.signal);
      move(20_000);
      return aResult();
    };
    const answers = [round(askMysql('before'), askLogs('late'), askMysql('after')), conclude()];

    const { outcome, invocations, requests, adapterCalls } = await play(answers, {
      source,
      request: { budget: { time_ms: 20_000 } },
    });

    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(outcome).toMatchObject({ status: 'STOPPED', stop_reason: 'DEADLINE', draft: null });
    expect(outcome.progress?.checks.map(({ tool_call_id }) => tool_call_id)).toEqual(['call-1']);
    expect(invocations).toMatchObject([
      { tool_call_id: 'call-1', status: 'READY' },
      { tool_call_id: 'call-2', status: 'ERROR', error_code: 'ABORTED' },
    ]);
    expect(requests).toHaveLength(1);
    expect(adapterCalls).toHaveLength(2);
  });
});

describe('a deadline that no timer has noticed yet', () => {
  it.each([
    ['draft', 0, 0],
    ['result of a tool', 1, 0],
  ])('ends the run before a late %s is used', async (_what, rounds, checks) => {
    const clock = new HandMovedClock();
    const late: ScriptedAnswer = () => {
      clock.move(890_000);
      return conclude();
    };
    const source: FakeSource = () => {
      clock.move(890_000);
      return aResult();
    };
    const answers = rounds === 0 ? [late] : [round(askLogs('late')), conclude()];

    const { outcome, requests } = await play(answers, { clock, source });

    expect(outcome).toMatchObject({ status: 'STOPPED', stop_reason: 'DEADLINE', draft: null });
    expect(outcome.progress?.checks ?? []).toHaveLength(checks);
    expect(requests).toHaveLength(1);
  });
});

describe('a deadline that ends a run which had stopped collecting', () => {
  it('replaces the reason it had stopped for', async () => {
    const clock = new HandMovedClock();
    const late: ScriptedAnswer = () => {
      clock.move(890_000);
      return conclude();
    };

    const { outcome } = await play([round(askLogs('one')), late], {
      clock,
      request: { budget: { model_calls: 2 } },
    });

    expect(outcome).toMatchObject({ status: 'STOPPED', stop_reason: 'DEADLINE', draft: null });
  });
});

describe('too little time', () => {
  it.each([29_999, 10_000, 0])(
    'is refused before anything is asked: %i ms',
    async (remainingMs) => {
      const { calls, tools } = scriptedTools();
      await using bench = await startBench({ brain: scriptedBrain(conclude()), evidence: tools });

      const diagnosis = bench.run({ query: QUERY }, { remainingMs });

      await expect(diagnosis).rejects.toMatchObject({ name: 'DeadlineTooShortError' });
      expect(bench.server.requests).toEqual([]);
      expect(calls).toEqual([]);
    },
  );

  it('is enough for a run when twenty seconds and the settling remain', async () => {
    const { outcome } = await play([conclude()], { delivery: { remainingMs: 30_000 } });

    expect(outcome.status).toBe('COMPLETED');
  });
});
