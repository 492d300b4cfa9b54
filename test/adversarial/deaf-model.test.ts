import { describe, expect, it } from 'vitest';
import type { AdapterResult } from '../../functions/diagnosis/evidence/tool-adapter.ts';
import { conclude } from '../support/drafts.ts';
import { anEnding, callIds, endingOf } from '../support/ending.ts';
import {
  askKnowledge,
  askLogs,
  askMysql,
  play,
  rawCall,
  readSkill,
  round,
} from '../support/played.ts';

const NOTHING = () => [];
const times = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const logs = (input: object) => rawCall('query_logs', { input });

describe('a model that does not listen', () => {
  it('is cut off in the round after STOP_REQUIRED, whatever tool it asks for', async () => {
    const answers = [
      ...times(3).map((n) => round(askLogs(`question-${n}`))),
      round(askLogs('more'), readSkill('diagnose-payment-timeout'), rawCall('invented', {})),
      round(readSkill('diagnose-payment-timeout')),
      conclude(),
    ];

    const { outcome, requests, adapterCalls, shownAfter } = await play(answers, {
      source: NOTHING,
    });

    expect(shownAfter(4)).toEqual(
      ['call-4', 'call-5', 'call-6'].map((id) => ({ tool_call_id: id, control: 'STOP_REQUIRED' })),
    );
    expect(endingOf(outcome)).toEqual(
      anEnding({
        status: 'STOPPED',
        stop: 'INFORMATION_SATURATED',
        rounds: 5,
        toolCalls: 3,
        checks: callIds(3),
      }),
    );
    expect([requests.length, adapterCalls.length]).toEqual([5, 3]);
  });

  it('that claims GAINED for ever runs out of rounds, with every check kept', async () => {
    const answers = times(12).map((n) =>
      round(askLogs(`question-${n}`, [`call-${n - 1}`, 'GAINED'])),
    );

    const { outcome, requests, adapterCalls, shownAfter } = await play(answers);

    expect(shownAfter(9)).toMatchObject([
      { tool_call_id: 'call-9', evidence_status: 'EVIDENCE_FOUND', control: 'STOP_REQUIRED' },
    ]);
    expect(endingOf(outcome)).toEqual(
      anEnding({
        status: 'STOPPED',
        stop: 'MODEL_CALLS_EXHAUSTED',
        rounds: 10,
        toolCalls: 9,
        checks: callIds(9),
      }),
    );
    expect([requests.length, adapterCalls.length]).toEqual([10, 9]);
  });

  it('that claims GAINED of nothing saturates all the same', async () => {
    const answers = times(6).map((n) =>
      round(askLogs(`question-${n}`, [`call-${n - 1}`, 'GAINED'])),
    );

    const { outcome } = await play(answers, { source: NOTHING });

    expect(endingOf(outcome)).toEqual(
      anEnding({
        status: 'STOPPED',
        stop: 'INFORMATION_SATURATED',
        rounds: 5,
        toolCalls: 3,
        checks: callIds(3),
      }),
    );
    expect(outcome.progress?.checks.map(({ evaluation }) => evaluation)).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('that evaluates a foreign id is sent back once, then stopped', async () => {
    const answers = [
      round(askLogs('one')),
      round(askLogs('two', ['call-99', 'GAINED'])),
      round(askLogs('three', ['call-99', 'GAINED'])),
      round(askLogs('four', ['call-1', 'GAINED'])),
    ];

    const { outcome, shownAfter } = await play(answers);

    expect(shownAfter(2)).toEqual([
      {
        tool_call_id: 'call-2',
        control: 'REPAIR_REQUIRED',
        missing_field: 'previous_observation.tool_call_id',
        expected_tool_call_id: 'call-1',
      },
    ]);
    expect(shownAfter(3)).toEqual([{ tool_call_id: 'call-3', control: 'STOP_REQUIRED' }]);
    expect(endingOf(outcome)).toEqual(
      anEnding({
        status: 'STOPPED',
        stop: 'INFORMATION_SATURATED',
        rounds: 4,
        toolCalls: 1,
        checks: ['call-1'],
      }),
    );
  });

  it('is not let on by a GAINED that comes after the stop', async () => {
    const answers = [
      ...times(3).map((n) => round(askLogs(`question-${n}`))),
      round(askLogs('late', ['call-1', 'GAINED'])),
      round(askLogs('later', ['call-1', 'GAINED'])),
    ];
    let asked = 0;

    const { outcome, adapterCalls } = await play(answers, {
      source: () => (++asked === 1 ? ['one line of evidence'] : []),
    });

    expect(endingOf(outcome)).toMatchObject({ status: 'STOPPED', stop: 'INFORMATION_SATURATED' });
    expect(adapterCalls).toHaveLength(1);
  });
});

describe('a model that repeats itself (field issue 1)', () => {
  const QUESTION = { topic: 'orders', query: 'timeout', lookback_minutes: 60 };

  it.each([
    {
      how: 'with its keys in another order',
      again: { lookback_minutes: 60, query: 'timeout', topic: 'orders' },
    },
    { how: 'in other letters', again: { ...QUESTION, query: 'TIMEOUT' } },
    { how: 'a minute wider', again: { ...QUESTION, lookback_minutes: 61 } },
    { how: 'a tenth narrower', again: { ...QUESTION, lookback_minutes: 54 } },
  ])('$how is pointed to its first question', async ({ again }) => {
    const { adapterCalls, shownAfter } = await play([
      round(logs(QUESTION), logs(again)),
      conclude(),
    ]);

    expect(shownAfter(1)[1]).toEqual({
      tool_call_id: 'call-2',
      control: 'DUPLICATE_CALL',
      equivalent_tool_call_id: 'call-1',
    });
    expect(adapterCalls).toHaveLength(1);
  });

  it('a minute wider each time is stopped after three rounds', async () => {
    const answers = times(9).map((n) =>
      round(
        rawCall('query_logs', {
          previous_observation: { tool_call_id: 'call-1', evaluation: 'GAINED' },
          input: { ...QUESTION, lookback_minutes: 59 + n },
        }),
      ),
    );

    const { outcome } = await play(answers);

    expect(endingOf(outcome)).toEqual(
      anEnding({
        status: 'STOPPED',
        stop: 'INFORMATION_SATURATED',
        rounds: 6,
        toolCalls: 1,
        checks: ['call-1'],
      }),
    );
  });

  it('in turns, A and B and A and B, asks each source once', async () => {
    const turns = times(8).map((n) =>
      n % 2 === 1 ? askLogs('a', ['call-1', 'GAINED']) : askMysql('b', ['call-2', 'GAINED']),
    );
    const answers = [
      round(turns[0] ?? askLogs('a')),
      round(askMysql('b', ['call-1', 'GAINED'])),
      ...turns
        .slice(2)
        .map((turn, index) =>
          index === 0 ? round(askLogs('a', ['call-2', 'GAINED'])) : round(turn),
        ),
    ];

    const { outcome, adapterCalls } = await play(answers);

    expect(adapterCalls.map(({ toolName }) => toolName)).toEqual(['query_logs', 'query_mysql']);
    expect(endingOf(outcome)).toMatchObject({ stop: 'INFORMATION_SATURATED', toolCalls: 2 });
  });

  it('may ask once more after a transient failure, and then no more', async () => {
    const down: AdapterResult = { kind: 'failed', code: 'SOURCE_UNAVAILABLE', executed: null };
    const answers = [round(askLogs('a')), round(askLogs('a')), round(askLogs('a')), conclude()];

    const { outcome, adapterCalls, shownAfter } = await play(answers, { source: () => down });

    expect(adapterCalls).toHaveLength(2);
    expect(shownAfter(3)).toEqual([
      { tool_call_id: 'call-3', control: 'DUPLICATE_CALL', equivalent_tool_call_id: 'call-2' },
    ]);
    expect(endingOf(outcome)).toMatchObject({ status: 'COMPLETED', toolCalls: 2 });
  });

  it('may not ask again after a failure that will not pass', async () => {
    const denied: AdapterResult = { kind: 'failed', code: 'SOURCE_DENIED', executed: null };

    const { adapterCalls } = await play([round(askLogs('a')), round(askLogs('a')), conclude()], {
      source: () => denied,
    });

    expect(adapterCalls).toHaveLength(1);
  });

  it('a source that fails each time ends in EVIDENCE_UNAVAILABLE, with a round left for the draft', async () => {
    const failed: AdapterResult = { kind: 'failed', code: 'SOURCE_FAILED', executed: null };
    const answers = [
      round(askLogs('a')),
      round(askMysql('b')),
      round(askKnowledge('c')),
      round(askLogs('d')),
      conclude(),
    ];

    const { outcome, adapterCalls } = await play(answers, { source: () => failed });

    expect(adapterCalls).toHaveLength(3);
    expect(endingOf(outcome)).toEqual(
      anEnding({ stop: 'EVIDENCE_UNAVAILABLE', rounds: 5, toolCalls: 3 }),
    );
  });
});
