import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../shared/contracts/observation.ts';
import { conclude } from '../support/drafts.ts';
import type { FakeSource } from '../support/fake-tools.ts';
import {
  askKnowledge,
  askLogs,
  askMysql,
  play,
  rawCall,
  readSkill,
  round,
} from '../support/played.ts';

const NOTHING: FakeSource = () => [];
const failing =
  (
    code: Exclude<ErrorCode, 'INVALID_INPUT' | 'UNKNOWN_TOOL' | 'TOOL_TIMEOUT' | 'RAW_MALFORMED'>,
  ): FakeSource =>
  () => ({ kind: 'failed', code, executed: null });

describe('saturation', () => {
  it.each([
    'SOURCE_UNAVAILABLE',
    'SOURCE_THROTTLED',
    'SOURCE_DENIED',
    'SOURCE_FAILED',
    'SCAN_LIMIT',
    'RAW_TOO_LARGE',
  ] as const)('after three rounds of %s says that the evidence is unavailable', async (code) => {
    const answers = [
      round(askLogs('one')),
      round(askMysql('two')),
      round(askKnowledge('three')),
      round(askLogs('four')),
      conclude(),
    ];

    const { outcome, shownAfter, adapterCalls } = await play(answers, { source: failing(code) });

    expect(shownAfter(3)).toMatchObject([{ evidence_status: 'ERROR', error_code: code }]);
    expect(shownAfter(4)).toEqual([{ tool_call_id: 'call-4', control: 'STOP_REQUIRED' }]);
    expect(adapterCalls).toHaveLength(3);
    expect(outcome).toMatchObject({ stop_reason: 'EVIDENCE_UNAVAILABLE', progress: null });
  });

  it.each(['TOPIC_UNKNOWN', 'QUERY_UNKNOWN', 'BINDING_MISSING'] as const)(
    "after three rounds of %s is the model's own",
    async (code) => {
      const answers = [
        round(askLogs('one')),
        round(askMysql('two')),
        round(askKnowledge('three')),
        round(askLogs('four')),
        conclude(),
      ];

      const { outcome } = await play(answers, { source: failing(code) });

      expect(outcome.stop_reason).toBe('INFORMATION_SATURATED');
    },
  );

  it('after three evaluations without gain stops though evidence was found', async () => {
    const answers = [
      round(askLogs('one')),
      round(askLogs('two', ['call-1', 'NO_GAIN'])),
      round(askLogs('three', ['call-2', 'NO_GAIN'])),
      round(askLogs('four', ['call-3', 'NO_GAIN'])),
      conclude(),
    ];

    const { outcome, shownAfter, adapterCalls } = await play(answers);

    expect(shownAfter(4)).toEqual([{ tool_call_id: 'call-4', control: 'STOP_REQUIRED' }]);
    expect(adapterCalls).toHaveLength(3);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: 'INFORMATION_SATURATED' });
    expect(outcome.progress?.checks.map(({ evaluation }) => evaluation)).toEqual(
      Array(3).fill('NO_GAIN'),
    );
  });

  it('is put off by every gain, and the limits stop a model that claims one forever', async () => {
    const answers = Array.from({ length: 9 }, (_none, at) =>
      round(askLogs(`filter ${at}`, at === 0 ? undefined : [`call-${at}`, 'GAINED'])),
    );

    const { outcome, adapterCalls } = await play([...answers, conclude()]);

    expect(adapterCalls).toHaveLength(9);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: 'MODEL_CALLS_EXHAUSTED' });
  });

  it('is told of in the audit once, with the round it began in', async () => {
    const answers = [
      round(askLogs('one')),
      round(askLogs('two')),
      round(askLogs('three')),
      round(askLogs('four'), askLogs('five')),
      conclude(),
    ];

    const { steps } = await play(answers, { source: NOTHING });

    expect(steps.filter(({ kind }) => kind === 'STOP')).toEqual([
      { kind: 'STOP', round: 4, stop_reason: 'INFORMATION_SATURATED', ends_run: false },
    ]);
  });
});

describe('an evaluation that is owed', () => {
  it('and withheld twice in a row stops collection', async () => {
    const answers = [
      round(askLogs('one')),
      round(askLogs('two')),
      round(askLogs('three', ['call-9', 'GAINED'])),
      conclude(),
    ];

    const { outcome, shownAfter, adapterCalls } = await play(answers);

    expect(shownAfter(2)).toMatchObject([{ control: 'REPAIR_REQUIRED' }]);
    expect(shownAfter(3)).toEqual([{ tool_call_id: 'call-3', control: 'STOP_REQUIRED' }]);
    expect(adapterCalls).toHaveLength(1);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: 'INFORMATION_SATURATED' });
  });

  it('is settled even by a call that itself is refused', async () => {
    const refused = rawCall('query_logs', {
      previous_observation: { tool_call_id: 'call-1', evaluation: 'GAINED' },
      input: { topic: 'orders' },
    });
    const answers = [round(askLogs('one')), round(refused, askLogs('two')), conclude()];

    const { outcome, shownAfter } = await play(answers);

    expect(shownAfter(2)).toMatchObject([
      { tool_call_id: 'call-2', error_code: 'INVALID_INPUT' },
      { tool_call_id: 'call-3', evidence_status: 'EVIDENCE_FOUND' },
    ]);
    expect(outcome.progress?.checks[0]).toMatchObject({ evaluation: 'GAINED' });
  });

  it('leaves read_skill and refusals alone', async () => {
    const answers = [
      round(askLogs('one')),
      round(readSkill('diagnose-slow-response'), rawCall('query_metrics', {}), askLogs('two')),
      conclude(),
    ];

    const { shownAfter } = await play(answers);

    expect(shownAfter(2)).toMatchObject([
      { skill: 'diagnose-slow-response' },
      { error_code: 'UNKNOWN_TOOL' },
      { control: 'REPAIR_REQUIRED' },
    ]);
  });
});

describe('a question asked before', () => {
  it('may be asked once more after an error that may have passed', async () => {
    const answers = [
      round(askLogs('one')),
      round(askLogs('one')),
      round(askLogs('one')),
      conclude(),
    ];

    const { shownAfter, adapterCalls } = await play(answers, {
      source: failing('SOURCE_THROTTLED'),
    });

    expect(shownAfter(2)).toMatchObject([{ error_code: 'SOURCE_THROTTLED' }]);
    expect(shownAfter(3)).toEqual([
      { tool_call_id: 'call-3', control: 'DUPLICATE_CALL', equivalent_tool_call_id: 'call-2' },
    ]);
    expect(adapterCalls).toHaveLength(2);
  });

  it.each([
    ['with its keys in another order', { lookback_minutes: 60, query: 'one', topic: 'orders' }],
    ['in capitals', { topic: 'orders', query: 'ONE', lookback_minutes: 60 }],
    ['with a window wider by a minute', { topic: 'orders', query: 'one', lookback_minutes: 61 }],
  ])('%s is the same', async (_how, input) => {
    const answers = [round(askLogs('one')), round(rawCall('query_logs', { input })), conclude()];

    const { shownAfter, adapterCalls } = await play(answers, { source: NOTHING });

    expect(shownAfter(2)).toMatchObject([
      { control: 'DUPLICATE_CALL', equivalent_tool_call_id: 'call-1' },
    ]);
    expect(adapterCalls).toHaveLength(1);
  });

  it('was not asked when its call never ran', async () => {
    const answers = [
      round(askLogs('one')),
      round(askLogs('two')),
      round(askLogs('two', ['call-1', 'GAINED'])),
      conclude(),
    ];

    const { shownAfter } = await play(answers);

    expect(shownAfter(3)).toMatchObject([{ evidence_status: 'EVIDENCE_FOUND' }]);
  });
});
