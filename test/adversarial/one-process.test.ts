import { describe, expect, it } from 'vitest';
import type { Brain, ConverseBody } from '../../functions/cli/stand-in/brain.ts';
import { callTools, scriptedBrain } from '../../functions/cli/stand-in/scripted-brain.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { type BenchOptions, startBench } from '../support/diagnosis-bench.ts';
import { aDraft, aGroundedDraft, conclude } from '../support/drafts.ts';
import { anEnding, endingOf } from '../support/ending.ts';
import { fakeTools, scriptedTools } from '../support/fake-tools.ts';
import { HandMovedClock } from '../support/hand-moved-clock.ts';
import { shownIn } from '../support/planned-answers.ts';
import { askLogs, readSkill, round } from '../support/played.ts';

const COUNT = 6;
const numbers = Array.from({ length: COUNT }, (_, index) => index);

/**
 * The same diagnosis whoever asks: a playbook and one question, a second question of its own, a
 * draft that quotes what it was shown. Each run is told apart by the number in its query.
 */
const twoQuestions: Brain = {
  async answer(request, { round: n }) {
    const name = nameOf(request);
    const skill = readSkill('diagnose-slow-response');
    if (n === 1) return callTools([skill, askLogs(name)])(request);
    if (n === 2) return callTools([skill, askLogs(`${name} again`, ['call-2', 'GAINED'])])(request);
    return conclude(aGroundedDraft('call-2'));
  },
};

describe('runs of one warm process', () => {
  it('share nothing when they go on at the same time', async () => {
    const alone = await Promise.all(numbers.map((n) => aloneWith(n)));
    await using bench = await startBench(options());

    const together = await Promise.all(numbers.map((n) => bench.run(requestOf(n))));

    expect(together.map(bytesOf)).toEqual(alone.map(bytesOf));
    expect(together.map(endingOf)).toEqual(
      numbers.map(() => anEnding({ rounds: 3, toolCalls: 2, checks: ['call-2', 'call-4'] })),
    );
  });

  it('share nothing when they follow each other', async () => {
    const alone = await aloneWith(1);
    await using bench = await startBench(options());

    await bench.run(requestOf(0));
    const second = await bench.run(requestOf(1));

    expect(bytesOf(second)).toBe(bytesOf(alone));
  });

  it('never show one what another found', async () => {
    const { tools } = scriptedTools(({ input }) => [`ERROR found for ${JSON.stringify(input)}`]);
    await using bench = await startBench(options({ evidence: tools }));

    await Promise.all(numbers.map((n) => bench.run(requestOf(n))));

    const strangers = bench.server.requests.flatMap(({ body }) => strangersIn(body));
    expect(strangers).toEqual([]);
  });

  it('may not cite each other', async () => {
    const citing = aDraft({
      analysis: [{ type: 'OBSERVATION', statement: '看到了', tool_call_ids: ['call-1'] }],
    });
    const brain = scriptedBrain(round(askLogs('a')), conclude(), conclude(citing));
    await using bench = await startBench({ brain });

    await bench.run({ query: '第一次', run_id: 'first' });
    const second = await bench.run({ query: '第二次', run_id: 'second' });

    expect(endingOf(second)).toEqual(
      anEnding({ status: 'FAILED', failure: 'EVIDENCE_REJECTED/UNKNOWN_EVIDENCE' }),
    );
  });

  it('begin with a whole budget each, and none can give itself more (field issue 6)', async () => {
    const asks = numbers.map((n) => round(askLogs(`question-${n}`)));
    const brain = scriptedBrain(...asks.slice(0, 3), ...asks.slice(0, 3));
    await using bench = await startBench({ brain, evidence: fakeTools(() => []) });
    const budget = { model_calls: 2 };

    const first = await bench.run({ query: '同一个问题', run_id: 'first', budget });
    const second = await bench.run({ query: '同一个问题', run_id: 'second', budget });

    const spent = { status: 'STOPPED', stop: 'MODEL_CALLS_EXHAUSTED', rounds: 2, toolCalls: 1 };
    expect([first, second].map(endingOf)).toMatchObject([spent, { ...spent, rounds: 2 }]);
  });

  it('are not poisoned by one that failed: a follow-up is only its query and the previous turn (field issue 17)', async () => {
    const fault = {
      kind: 'error',
      status: 500,
      type: 'InternalServerException',
      message: '',
    } as const;
    await using bench = await startBench({
      brain: scriptedBrain(round(askLogs('a')), fault, conclude()),
    });
    const previous_turn = {
      run_id: 'first',
      as_of: '2026-11-30T00:00:00Z',
      query: '为什么',
      conclusion: null,
      missing_info: ['日志'],
    };

    const failed = await bench.run({ query: '为什么', run_id: 'first' });
    const next = await bench.run({ query: '还有呢', run_id: 'second', previous_turn });

    expect([failed.status, next.status]).toEqual(['FAILED', 'COMPLETED']);
    expect(bench.server.requests[2]?.body?.messages).toMatchObject([
      { role: 'user', content: [{ text: JSON.stringify({ query: '还有呢', previous_turn }) }, {}] },
    ]);
  });
});

function options(changes: Partial<BenchOptions> = {}): BenchOptions {
  return { brain: twoQuestions, clock: new HandMovedClock(), ...changes };
}

async function aloneWith(n: number): Promise<DiagnosisOutcome> {
  await using bench = await startBench(options());
  return await bench.run(requestOf(n));
}

function requestOf(n: number) {
  return { query: `问题 ${n} 为什么`, run_id: `run-${n}` };
}

function bytesOf(outcome: DiagnosisOutcome): string {
  return JSON.stringify(outcome);
}

/** The number in the query of a request, as a filter. */
function nameOf({ messages = [] }: ConverseBody): string {
  return `question-${/问题 (\d)/.exec(messages[0]?.content?.[0]?.text ?? '')?.[1]}`;
}

/** Events in a request that belong to another run's question. */
function strangersIn(body: ConverseBody | null): readonly string[] {
  if (body === null) return [];
  return shownIn(body)
    .flatMap((one) => (one['events'] ?? []) as string[]) // of the observation contract
    .filter((event) => !event.includes(nameOf(body)));
}
