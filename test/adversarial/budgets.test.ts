import { describe, expect, it } from 'vitest';
import {
  callTools,
  type ScriptedAnswer,
  sayText,
} from '../../functions/cli/stand-in/scripted-brain.ts';
import { conclude } from '../support/drafts.ts';
import { anEnding, endingOf } from '../support/ending.ts';
import { HandMovedClock } from '../support/hand-moved-clock.ts';
import { askLogs, type PlayOptions, play, round } from '../support/played.ts';

const GREEDY = { usage: { inputTokens: 20_000, cacheWriteInputTokens: 20_000 } };
const asks = (count: number) =>
  Array.from({ length: count }, (_, index) => round(askLogs(`question-${index}`)));

describe('a run that does not come to a draft', () => {
  it.each<{
    what: string;
    answers: readonly ScriptedAnswer[];
    options: PlayOptions;
    ending: object;
  }>([
    {
      what: 'rounds',
      answers: asks(3),
      options: { request: { budget: { model_calls: 2 } } },
      ending: { status: 'STOPPED', stop: 'MODEL_CALLS_EXHAUSTED', rounds: 2 },
    },
    {
      what: 'tool calls',
      answers: asks(3),
      options: { request: { budget: { tool_calls: 1 } } },
      ending: { status: 'STOPPED', stop: 'TOOL_CALLS_EXHAUSTED', rounds: 3 },
    },
    {
      what: 'tokens, those of the cache counted too',
      answers: [...asks(1), callTools([askLogs('b', ['call-1', 'GAINED'])], GREEDY)],
      options: { request: { budget: { tokens: 40_000 } } },
      ending: { status: 'STOPPED', stop: 'TOKENS_EXHAUSTED', rounds: 2 },
    },
    {
      what: 'new information',
      answers: [
        ...asks(1),
        ...[1, 2, 3, 4, 5].map(() => round(askLogs('question-0', ['call-1', 'GAINED']))),
      ],
      options: {},
      ending: { status: 'STOPPED', stop: 'INFORMATION_SATURATED', rounds: 6 },
    },
    {
      what: 'room in one answer, which is no budget of the run',
      answers: [...asks(1), sayText('{"conclusion":', { stopReason: 'max_tokens' })],
      options: {},
      ending: { status: 'FAILED', stop: null, failure: 'OUTPUT_TRUNCATED/TRUNCATED_TEXT' },
    },
  ])(
    'has a code of its own when it runs out of $what, and keeps what was checked (field issues 5, 8)',
    async ({ answers, options, ending }) => {
      const { outcome } = await play(answers, options);

      expect(endingOf(outcome)).toMatchObject({ ...ending, checks: ['call-1'], published: false });
    },
  );

  it('with one round in all may only answer', async () => {
    const budget = { model_calls: 1 };

    const { outcome, requests, adapterCalls } = await play([...asks(1), conclude()], {
      request: { budget },
    });

    expect([requests.length, adapterCalls.length]).toEqual([1, 0]);
    expect(endingOf(outcome)).toEqual(
      anEnding({ status: 'STOPPED', stop: 'MODEL_CALLS_EXHAUSTED' }),
    );
  });

  it('is refused at the deadline before anything more is sent or run (field issue 10)', async () => {
    const clock = new HandMovedClock();
    const source = () => {
      clock.move(900_000);
      return ['found too late'];
    };

    const { outcome, requests, adapterCalls, invocations } = await play(
      [round(askLogs('a'), askLogs('b')), conclude()],
      { clock, source },
    );

    expect([requests.length, adapterCalls.length]).toEqual([1, 1]);
    expect(invocations).toMatchObject([{ status: 'ERROR', error_code: 'ABORTED' }]);
    expect(endingOf(outcome)).toEqual(
      anEnding({ status: 'STOPPED', stop: 'DEADLINE', toolCalls: 1 }),
    );
  });
});
