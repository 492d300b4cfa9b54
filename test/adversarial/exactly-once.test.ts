import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BrainAnswer } from '../../functions/cli/stand-in/brain.ts';
import { scriptedBrain } from '../../functions/cli/stand-in/scripted-brain.ts';
import { createBedrockClient } from '../../functions/diagnosis/bedrock-client.ts';
import { startBench } from '../support/diagnosis-bench.ts';
import { aDraft, conclude } from '../support/drafts.ts';
import { anEnding, endingOf } from '../support/ending.ts';
import { askLogs, play, round } from '../support/played.ts';

const RUN_MS = 20_000;

const error = (status: number, type: string, message = 'as scripted'): BrainAnswer => ({
  kind: 'error',
  status,
  type,
  message,
});

describe('a round that fails is not asked again (field issues 49, 59)', () => {
  it.each([
    {
      what: '429',
      answer: error(429, 'ThrottlingException'),
      failure: 'MODEL_THROTTLED/THROTTLED',
      rerunnable: true,
    },
    {
      what: '400 for a quota',
      answer: error(400, 'ServiceQuotaExceededException'),
      failure: 'MODEL_THROTTLED/QUOTA_EXCEEDED',
      rerunnable: true,
    },
    {
      what: '503',
      answer: error(503, 'ServiceUnavailableException'),
      failure: 'MODEL_UNAVAILABLE/SERVICE_UNAVAILABLE',
      rerunnable: true,
    },
    {
      what: '500',
      answer: error(500, 'InternalServerException'),
      failure: 'MODEL_UNAVAILABLE/SERVICE_ERROR',
      rerunnable: true,
    },
    {
      what: '424',
      answer: error(424, 'ModelErrorException'),
      failure: 'MODEL_UNAVAILABLE/MODEL_ERROR',
      rerunnable: true,
    },
    {
      what: '408',
      answer: error(408, 'ModelTimeoutException'),
      failure: 'MODEL_UNAVAILABLE/MODEL_TIMEOUT',
      rerunnable: true,
    },
    {
      what: '408 without a name',
      answer: error(408, 'SomethingNew'),
      failure: 'MODEL_UNAVAILABLE/SERVICE_ERROR',
      rerunnable: true,
    },
    {
      what: '403',
      answer: error(403, 'AccessDeniedException'),
      failure: 'MODEL_DENIED/ACCESS_DENIED',
      rerunnable: false,
    },
    {
      what: '400 for context overflow',
      answer: error(400, 'ValidationException', 'Input is too long for requested model.'),
      failure: 'CONTEXT_OVERFLOW/INPUT_TOO_LONG',
      rerunnable: false,
    },
    {
      what: '400 for a request of ours',
      answer: error(400, 'ValidationException'),
      failure: 'AGENT_FAILED/REQUEST_INVALID',
      rerunnable: false,
    },
    {
      what: 'a page of HTML',
      answer: { kind: 'raw', status: 503, contentType: 'text/html', body: '<html>busy</html>' },
      failure: 'MODEL_UNAVAILABLE/SERVICE_UNAVAILABLE',
      rerunnable: true,
    },
    {
      what: 'a body that is no JSON',
      answer: { kind: 'raw', status: 200, contentType: 'application/json', body: '{"output":' },
      failure: 'MODEL_UNAVAILABLE/RESPONSE_UNREADABLE',
      rerunnable: true,
    },
    {
      what: 'a connection that is reset',
      answer: { kind: 'reset' },
      failure: 'MODEL_UNAVAILABLE/CONNECTION_FAILED',
      rerunnable: true,
    },
  ] satisfies { what: string; answer: BrainAnswer; failure: string; rerunnable: boolean }[])(
    'after $what',
    async ({ answer, failure, rerunnable }) => {
      const { outcome, requests } = await play([round(askLogs('a')), answer, conclude()]);

      expect(requests).toHaveLength(2);
      expect(endingOf(outcome)).toEqual(
        anEnding({ status: 'FAILED', failure, rounds: 2, toolCalls: 1, checks: ['call-1'] }),
      );
      expect(outcome.failure?.rerunnable).toBe(rerunnable);
    },
  );

  it('and a failed run leaves its round and the reason in the audit', async () => {
    const { steps } = await play([error(429, 'ThrottlingException')]);

    expect(steps).toEqual([
      expect.objectContaining({ kind: 'ROUND', round: 1, failure: 'THROTTLED', tool_calls: [] }),
    ]);
  });

  it('by the client that the deployment builds either', async () => {
    const client = createBedrockClient({ model_id: 'm', max_tokens: 8_192, prompt_cache: true });

    expect(await client.config.maxAttempts()).toBe(1);
  });
});

describe('a round that hangs', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    { what: 'a socket that accepts and never answers (field issue 51)', answer: { kind: 'hang' } },
    { what: 'a body that trickles', answer: { kind: 'trickle', body: conclude(), everyMs: 20 } },
  ] satisfies { what: string; answer: BrainAnswer }[])(
    'ends at the deadline and is not asked again: $what',
    async ({ answer }) => {
      await using bench = await startBench({ brain: scriptedBrain(answer, conclude()) });

      const running = bench.run({ query: '为什么', budget: { time_ms: RUN_MS } });
      await vi.waitUntil(() => bench.server.requests[0]?.body != null);
      await vi.advanceTimersByTimeAsync(RUN_MS);
      const outcome = await running;

      expect(endingOf(outcome)).toEqual(anEnding({ status: 'STOPPED', stop: 'DEADLINE' }));
      await vi.waitUntil(() => bench.server.requests[0]?.aborted);
      expect(bench.server.requests).toHaveLength(1);
    },
  );

  it('leaves no timer behind when it is over (field issue 53)', async () => {
    await using bench = await startBench({ brain: scriptedBrain(conclude(aDraft())) });

    await bench.run({ query: '为什么' });

    expect(vi.getTimerCount()).toBe(0);
  });
});
