import { setImmediate as soon } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { BrainAnswer } from '../../functions/cli/stand-in/brain.ts';
import { type ScriptedAnswer, sayText } from '../../functions/cli/stand-in/scripted-brain.ts';
import { startBench } from '../support/diagnosis-bench.ts';
import { conclude } from '../support/drafts.ts';
import { stopTime } from '../support/hand-moved-time.ts';
import { askLogs, play, QUERY, round } from '../support/played.ts';

const PLANTED = 'arn:aws:bedrock:us-east-1:123456789012:secret-tail';
const HTML = `<html><head><title>503 Service Temporarily Unavailable</title></head><!-- ${PLANTED} --></html>`;

/** HTTP status, exception type, code, detail, whether a new run may fare better. */
const ERRORS: readonly [number, string, string, string, boolean][] = [
  [429, 'ThrottlingException', 'MODEL_THROTTLED', 'THROTTLED', true],
  [429, 'ModelNotReadyException', 'MODEL_UNAVAILABLE', 'MODEL_NOT_READY', true],
  [429, 'SomethingNewException', 'MODEL_THROTTLED', 'THROTTLED', true],
  [400, 'ServiceQuotaExceededException', 'MODEL_THROTTLED', 'QUOTA_EXCEEDED', true],
  [503, 'ServiceUnavailableException', 'MODEL_UNAVAILABLE', 'SERVICE_UNAVAILABLE', true],
  [503, 'SomethingNewException', 'MODEL_UNAVAILABLE', 'SERVICE_UNAVAILABLE', true],
  [500, 'InternalServerException', 'MODEL_UNAVAILABLE', 'SERVICE_ERROR', true],
  [502, 'SomethingNewException', 'MODEL_UNAVAILABLE', 'SERVICE_ERROR', true],
  [424, 'ModelErrorException', 'MODEL_UNAVAILABLE', 'MODEL_ERROR', true],
  [408, 'ModelTimeoutException', 'MODEL_UNAVAILABLE', 'MODEL_TIMEOUT', true],
  [408, 'SomethingNewException', 'MODEL_UNAVAILABLE', 'SERVICE_ERROR', true],
  [403, 'AccessDeniedException', 'MODEL_DENIED', 'ACCESS_DENIED', false],
  [403, 'ExpiredTokenException', 'MODEL_DENIED', 'ACCESS_DENIED', false],
  [403, 'UnrecognizedClientException', 'MODEL_DENIED', 'ACCESS_DENIED', false],
  [401, 'SomethingNewException', 'MODEL_DENIED', 'ACCESS_DENIED', false],
  [404, 'ResourceNotFoundException', 'MODEL_DENIED', 'MODEL_NOT_FOUND', false],
  [404, 'SomethingNewException', 'MODEL_DENIED', 'MODEL_NOT_FOUND', false],
  [400, 'ValidationException', 'AGENT_FAILED', 'REQUEST_INVALID', false],
  [409, 'ConflictException', 'AGENT_FAILED', 'REQUEST_INVALID', false],
];

describe('a Bedrock error', () => {
  it.each(ERRORS)(
    '%i %s has its own code and is not retried',
    async (status, type, code, detail, again) => {
      const error: BrainAnswer = { kind: 'error', status, type, message: `refused ${PLANTED}` };

      const { outcome, requests, steps } = await play([error, conclude()]);

      expect(outcome).toMatchObject({
        status: 'FAILED',
        stop_reason: null,
        failure: { code, detail_code: detail, rerunnable: again },
        draft: null,
        progress: null,
        usage: { model_calls: 1, rounds_without_usage: 1 },
      });
      expect(requests).toHaveLength(1);
      expect(steps.filter(({ kind }) => kind === 'ROUND')).toMatchObject([
        { model_stop_reason: null, usage: null, failure: detail },
      ]);
      expect(JSON.stringify([outcome, steps])).not.toContain('secret-tail');
    },
  );

  it.each([
    'Input is too long for requested model.',
    'prompt is too long: 213045 tokens > 200000 maximum',
    'The model returned the following errors: input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000',
    'Too many input tokens. Max input tokens: 1048576, request input token count: 2000000',
    "This model's maximum context length is 131072 tokens. Please reduce the length of the prompt",
    'Input Tokens Exceeded: Number of input tokens exceeds maximum length.',
    'Malformed input request: expected maxLength: 200000, actual: 231044, please reformat your input and try again.',
    'The request exceeds the maximum number of tokens allowed by the model',
  ])('400 "%s" is an overflow of the context', async (message) => {
    const error: BrainAnswer = { kind: 'error', status: 400, type: 'ValidationException', message };

    const { outcome, requests } = await play([error, conclude()]);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'CONTEXT_OVERFLOW', detail_code: 'INPUT_TOO_LONG', rerunnable: false },
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    'The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.',
    'messages.1.content.0: unexpected tool_use_id found in tool_result blocks',
    "The provided model doesn't support on-demand throughput.",
  ])('400 "%s" is a fault of ours and no overflow', async (message) => {
    const error: BrainAnswer = { kind: 'error', status: 400, type: 'ValidationException', message };

    const { outcome, requests } = await play([error, conclude()]);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'AGENT_FAILED', detail_code: 'REQUEST_INVALID', rerunnable: false },
    });
    expect(requests).toHaveLength(1);
  });

  it.each<[string, BrainAnswer, string]>([
    ['503 in HTML', html(503), 'SERVICE_UNAVAILABLE'],
    ['200 in HTML', html(200), 'RESPONSE_UNREADABLE'],
    [
      '200 that breaks off',
      { kind: 'raw', status: 200, contentType: 'application/json', body: '{"output":{"mess' },
      'RESPONSE_UNREADABLE',
    ],
    ['reset connection', { kind: 'reset' }, 'CONNECTION_FAILED'],
  ])('%s is an unavailable model and is not retried', async (_what, answer, detail) => {
    const { outcome, requests, steps } = await play([answer, conclude()]);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'MODEL_UNAVAILABLE', detail_code: detail, rerunnable: true },
    });
    expect(requests).toHaveLength(1);
    expect(JSON.stringify([outcome, steps])).not.toContain('secret-tail');
  });

  it('200 without content leaves no last words', async () => {
    const empty: BrainAnswer = {
      kind: 'raw',
      status: 200,
      contentType: 'application/json',
      body: '{"stopReason":"end_turn"}',
    };

    const { outcome, requests } = await play([empty, conclude()]);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'OUTPUT_REFUSED', detail_code: 'EMPTY' },
    });
    expect(requests).toHaveLength(1);
  });

  it('after evidence keeps what was checked', async () => {
    const answers: ScriptedAnswer[] = [
      round(askLogs('timeout')),
      { kind: 'error', status: 429, type: 'ThrottlingException', message: 'Too many tokens' },
    ];

    const { outcome, requests } = await play(answers);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'MODEL_THROTTLED', rerunnable: true },
      progress: { checks: [{ tool_call_id: 'call-1' }] },
    });
    expect(requests).toHaveLength(2);
  });
});

describe('a model that does not answer', () => {
  it.each<[string, (move: (ms: number) => void) => BrainAnswer]>([
    ['is silent', () => ({ kind: 'hang' })],
    ['trickles', () => ({ kind: 'trickle', body: sayText('x'.repeat(900)), everyMs: 60_000 })],
  ])('and %s is cut off at the deadline, on the wire too', async (_how, answer) => {
    const move = stopTime();
    const silent: ScriptedAnswer = async () => {
      void soon().then(() => move(20_000));
      return answer(move);
    };

    const { outcome, requests, steps } = await play([silent, conclude()], {
      request: { budget: { time_ms: 20_000 } },
    });

    expect(outcome).toMatchObject({
      status: 'STOPPED',
      stop_reason: 'DEADLINE',
      failure: null,
      draft: null,
      usage: { time_ms: 20_000, model_calls: 1 },
    });
    expect(requests).toHaveLength(1);
    expect(steps).toMatchObject([
      { kind: 'ROUND', round: 1, failure: 'DEADLINE' },
      { kind: 'STOP', round: 1, stop_reason: 'DEADLINE', ends_run: true },
    ]);
    await expect.poll(() => requests[0]?.aborted).toBe(true);
  });

  it('is cut off by a cancel from the same process', async () => {
    const cancel = new AbortController();
    const silent: ScriptedAnswer = async () => {
      void soon().then(() => cancel.abort());
      return { kind: 'hang' };
    };

    const { outcome, requests } = await play([round(askLogs('timeout')), silent], {
      delivery: { cancel: cancel.signal },
    });

    expect(outcome).toMatchObject({
      status: 'STOPPED',
      stop_reason: 'CANCELLED',
      progress: { checks: [{ tool_call_id: 'call-1' }] },
    });
    await expect.poll(() => requests[1]?.aborted).toBe(true);
  });

  it('leaves the next run of the same process as fresh as the first', async () => {
    const answers: BrainAnswer[] = [
      { kind: 'error', status: 500, type: 'InternalServerException', message: 'no' },
      conclude(),
    ];
    await using bench = await startBench({
      brain: { answer: async () => answers.shift() ?? conclude() },
    });
    await bench.run({ query: QUERY, run_id: 'run-1' });

    const outcome = await bench.run({ query: QUERY, run_id: 'run-2' });

    expect(outcome).toMatchObject({
      run_id: 'run-2',
      status: 'COMPLETED',
      stop_reason: null,
      usage: { model_calls: 1, rounds_without_usage: 0 },
    });
  });
});

function html(status: number): BrainAnswer {
  return { kind: 'raw', status, contentType: 'text/html', body: HTML };
}
