import { describe, expect, it } from 'vitest';
import { callTools, sayText, scriptedBrain } from '../../functions/cli/stand-in/scripted-brain.ts';
import { startBench } from '../support/diagnosis-bench.ts';
import { aDraft, aGroundedDraft, conclude } from '../support/drafts.ts';
import type { FakeSource } from '../support/fake-tools.ts';
import { askLogs, play, QUERY, readSkill, round } from '../support/played.ts';

const LARGE = 11_500;
const LARGE_EVIDENCE: FakeSource = () => ['x'.repeat(LARGE)];

describe('rounds', () => {
  const budget = { model_calls: 3 };

  it('still run calls in the last but one, and say that they were the last', async () => {
    const answers = [
      round(askLogs('one')),
      round(askLogs('two', ['call-1', 'GAINED']), readSkill('diagnose-payment-timeout')),
      conclude(aGroundedDraft('call-2')),
    ];

    const { outcome, shownAfter } = await play(answers, { request: { budget } });

    expect(shownAfter(1)[0]).not.toHaveProperty('control');
    expect(shownAfter(2)).toMatchObject([
      { tool_call_id: 'call-2', evidence_status: 'EVIDENCE_FOUND', control: 'STOP_REQUIRED' },
      { tool_call_id: 'call-3', skill: 'diagnose-payment-timeout', control: 'STOP_REQUIRED' },
    ]);
    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      stop_reason: 'MODEL_CALLS_EXHAUSTED',
      draft: aGroundedDraft('call-2'),
    });
  });

  it('get the notice alone in place of a control observation', async () => {
    const answers = [
      round(askLogs('one')),
      round(askLogs('two'), askLogs('one')),
      conclude(aGroundedDraft('call-1')),
    ];

    const { outcome, shownAfter, adapterCalls } = await play(answers, { request: { budget } });

    expect(shownAfter(2)).toEqual([
      { tool_call_id: 'call-2', control: 'STOP_REQUIRED' },
      { tool_call_id: 'call-3', control: 'STOP_REQUIRED' },
    ]);
    expect(adapterCalls).toHaveLength(1);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: 'MODEL_CALLS_EXHAUSTED' });
  });

  it('run no call in the last', async () => {
    const answers = [
      round(askLogs('one')),
      round(askLogs('two', ['call-1', 'GAINED'])),
      round(askLogs('three', ['call-2', 'GAINED'])),
    ];

    const { outcome, requests, adapterCalls } = await play(answers, { request: { budget } });

    expect(outcome).toMatchObject({
      status: 'STOPPED',
      stop_reason: 'MODEL_CALLS_EXHAUSTED',
      draft: null,
    });
    expect(outcome.progress?.checks.map(({ evaluation }) => evaluation)).toEqual([
      'GAINED',
      'GAINED',
    ]);
    expect(requests).toHaveLength(3);
    expect(adapterCalls).toHaveLength(2);
  });

  it('keep their stop reason when the last words are refused', async () => {
    const answers = [round(askLogs('one')), sayText('完成')];

    const { outcome } = await play(answers, { request: { budget: { model_calls: 2 } } });

    expect(outcome).toMatchObject({
      status: 'FAILED',
      stop_reason: 'MODEL_CALLS_EXHAUSTED',
      failure: { code: 'OUTPUT_REFUSED' },
      progress: { checks: [{ tool_call_id: 'call-1' }] },
    });
  });

  it('leave no stop behind when the model concludes in time', async () => {
    const answers = [round(askLogs('one')), conclude(aGroundedDraft('call-1'))];

    const { outcome } = await play(answers, { request: { budget } });

    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: null });
  });
});

describe('tool calls', () => {
  it('run up to their limit, though one round asks for twenty', async () => {
    const many = Array.from({ length: 20 }, (_none, at) => askLogs(`filter ${at}`));

    const { outcome, shownAfter, adapterCalls } = await play([
      round(...many),
      conclude(aGroundedDraft('call-16')),
    ]);

    expect(adapterCalls).toHaveLength(16);
    expect(shownAfter(1).slice(16)).toEqual(
      [17, 18, 19, 20].map((at) => ({ tool_call_id: `call-${at}`, control: 'STOP_REQUIRED' })),
    );
    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      stop_reason: 'TOOL_CALLS_EXHAUSTED',
      usage: { tool_calls: 16 },
    });
    expect(outcome.progress?.checks).toHaveLength(16);
  });
});

describe('tokens', () => {
  it.each([
    'inputTokens',
    'outputTokens',
    'cacheReadInputTokens',
    'cacheWriteInputTokens',
  ] as const)('kept for the draft stop collection, whichever they are: %s', async (kind) => {
    const answers = [callTools([askLogs('one')], { usage: { [kind]: 399_000 } }), conclude()];

    const { outcome, shownAfter, adapterCalls } = await play(answers);

    expect(shownAfter(1)).toEqual([{ tool_call_id: 'call-1', control: 'STOP_REQUIRED' }]);
    expect(adapterCalls).toEqual([]);
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: 'TOKENS_EXHAUSTED' });
  });

  it('that are used up refuse the next round before it is sent', async () => {
    const answers = [callTools([askLogs('one')], { usage: { inputTokens: 400_000 } }), conclude()];

    const { outcome, requests } = await play(answers);

    expect(outcome).toMatchObject({
      status: 'STOPPED',
      stop_reason: 'TOKENS_EXHAUSTED',
      progress: null,
    });
    expect(requests).toHaveLength(1);
  });

  it('that the service does not report are counted as unreported', async () => {
    const { usage: _unreported, ...silent } = sayText(JSON.stringify(aDraft()));

    const { outcome } = await play([silent as ReturnType<typeof sayText>]);

    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      usage: { rounds_without_usage: 1, input_tokens: 0 },
    });
  });
});

describe('bytes', () => {
  const budget = { bytes: 81_920 };

  it('kept for an observation and a draft stop collection', async () => {
    const many = Array.from({ length: 8 }, (_none, at) => askLogs(`filter ${at}`));

    const { outcome, adapterCalls, shownAfter } = await play([round(...many), conclude()], {
      source: LARGE_EVIDENCE,
      request: { budget },
    });

    expect(adapterCalls).toHaveLength(5);
    expect(shownAfter(1).slice(5)).toEqual(
      [6, 7, 8].map((at) => ({ tool_call_id: `call-${at}`, control: 'STOP_REQUIRED' })),
    );
    expect(outcome).toMatchObject({ status: 'COMPLETED', stop_reason: 'BYTES_EXHAUSTED' });
    expect(outcome.usage.bytes).toBeLessThanOrEqual(81_920);
  });

  it('that a draft has no room in end the run, under the reason it stopped for first', async () => {
    const many = Array.from({ length: 160 }, (_none, at) => askLogs(`filter ${at}`));
    const longest = JSON.stringify(aDraft()).padEnd(16_300, ' ');

    const { outcome, adapterCalls } = await play([round(...many), sayText(longest)], {
      source: LARGE_EVIDENCE,
      request: { budget: { ...budget, tool_calls: 5 } },
    });

    expect(adapterCalls).toHaveLength(5);
    expect(outcome).toMatchObject({
      status: 'STOPPED',
      stop_reason: 'TOOL_CALLS_EXHAUSTED',
      draft: null,
    });
    expect(outcome.progress?.checks).toHaveLength(5);
  });
});

describe('a limit of the caller', () => {
  const wrong = [true, Number.NaN, 0, -1, 1.5, '3', null, Number.POSITIVE_INFINITY, [3]];
  const resources = ['model_calls', 'tool_calls', 'tokens', 'bytes', 'time_ms'];

  it.each(resources.flatMap((resource) => wrong.map((value) => [resource, value] as const)))(
    'of %s is refused as %s',
    async (resource, value) => {
      await expect(play([], { request: { budget: { [resource]: value } } })).rejects.toMatchObject({
        name: 'InvalidRequestError',
      });
    },
  );

  it.each([
    ['model_calls', 10, 0, 11],
    ['tool_calls', 16, 0, 17],
    ['tokens', 400_000, 32_767, 400_001],
    ['bytes', 524_288, 81_919, 524_289],
    ['time_ms', 900_000, 19_999, 900_001],
  ])('of %s may be %i, neither %i nor %i', async (resource, most, tooLow, tooHigh) => {
    const asking = (value: number) =>
      play([conclude()], { request: { budget: { [resource]: value } } });

    const { outcome } = await asking(most);

    expect(outcome.usage.limits).toHaveProperty(resource, most);
    await expect(asking(tooLow)).rejects.toMatchObject({ name: 'InvalidRequestError' });
    await expect(asking(tooHigh)).rejects.toMatchObject({ name: 'InvalidRequestError' });
  });
});

describe('two runs in one warm process', () => {
  it('share nothing', async () => {
    const script = [round(askLogs('one')), conclude(aGroundedDraft('call-1'))];
    await using bench = await startBench({ brain: scriptedBrain(...script, ...script) });
    const budget = { model_calls: 2, tool_calls: 1 };
    const first = await bench.run({ query: QUERY, run_id: 'run-1', budget });

    const second = await bench.run({ query: QUERY, run_id: 'run-2', budget });

    const { status, draft, grounding } = first;
    expect(second).toMatchObject({ run_id: 'run-2', status, draft, grounding });
    expect({ ...second.usage, time_ms: 0 }).toEqual({ ...first.usage, time_ms: 0 });
    expect(bench.steps.filter(({ run_id }) => run_id === 'run-2')[0]).toMatchObject({
      sequence: 1,
    });
  });
});
