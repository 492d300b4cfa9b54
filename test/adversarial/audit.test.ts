import { describe, expect, it } from 'vitest';
import { scriptedBrain } from '../../functions/cli/stand-in/scripted-brain.ts';
import type { StepHook } from '../../functions/diagnosis/audit/step-hook.ts';
import { sha256Hex } from '../../shared/kernel/canonical-json.ts';
import { THE_REQUEST } from '../support/bench-view.ts';
import type { ConversationPlan } from '../support/conversation-plan.ts';
import { startBench } from '../support/diagnosis-bench.ts';
import { aGroundedDraft, conclude } from '../support/drafts.ts';
import { askLogs, askMysql, play, rawCall, readSkill, round } from '../support/played.ts';
import { play as playPlan } from '../support/played-conversation.ts';

const EVENTFUL = [
  round(readSkill('diagnose-payment-timeout'), askLogs('a'), rawCall('invented', {})),
  round(askLogs('b')),
  round(askLogs('a', ['call-2', 'NO_GAIN']), readSkill('diagnose-payment-timeout')),
  round(askMysql('c'), readSkill('unknown'), rawCall('query_logs', 'bare')),
  conclude(aGroundedDraft('call-2')),
];

const QUESTION = { topic: 'order', query: 'timeout', lookback_minutes: 60 };

/** One question with evidence, then a draft, on a clock of its own. */
const PLAN: ConversationPlan = {
  budget: {},
  sources: [],
  rounds: [
    {
      takesMs: 900,
      inputTokens: 900,
      event: 'none',
      say: {
        kind: 'calls',
        stopReason: 'tool_use',
        calls: [
          {
            name: 'query_logs',
            business: QUESTION,
            wrap: 'envelope',
            previous: 'absent',
            id: 'fresh',
          },
        ],
      },
    },
  ],
};

describe('the audit of a run', () => {
  it('has a step of each round, call, decision, evaluation and playbook, in order', async () => {
    const { steps } = await play(EVENTFUL);

    expect(steps.map(wordsOf)).toEqual([
      'ROUND 1',
      'PLAYBOOK_READ diagnose-payment-timeout',
      'TOOL_CALL EVIDENCE_FOUND',
      'CONTROL REFUSED UNKNOWN_TOOL',
      'ROUND 2',
      'CONTROL REPAIR_REQUIRED',
      'ROUND 3',
      'EVALUATION NO_GAIN',
      'CONTROL DUPLICATE_CALL',
      'CONTROL ALREADY_READ',
      'ROUND 4',
      'TOOL_CALL EVIDENCE_FOUND',
      'CONTROL UNKNOWN_SKILL',
      'CONTROL REFUSED INVALID_INPUT',
      'ROUND 5',
    ]);
  });

  it('carries one session id and one run id, and numbers its steps without a gap', async () => {
    await using bench = await startBench({ brain: scriptedBrain(...EVENTFUL) });

    await bench.run({ ...THE_REQUEST, session_id: 'session-9' });

    expect(new Set(bench.steps.map((step) => `${step.session_id} ${step.run_id}`))).toEqual(
      new Set(['session-9 run-1']),
    );
    expect(bench.steps.map(({ sequence }) => sequence)).toEqual(
      bench.steps.map((_, index) => index + 1),
    );
  });

  it.each([
    {
      what: 'nothing more to be had',
      answers: [1, 2, 3, 4, 5].map((n) => round(askLogs(`question-${n}`))),
      options: { source: () => [] },
      last: [
        'CONTROL STOP_REQUIRED',
        'ROUND 5',
        'CONTROL COLLECTION_STOPPED',
        'STOP, which ends the run',
      ],
    },
    {
      what: 'NO_GAIN once too often',
      answers: [
        round(askLogs('a')),
        round(askLogs('b', ['call-1', 'NO_GAIN'])),
        round(askLogs('c', ['call-2', 'NO_GAIN'])),
        round(askLogs('d', ['call-3', 'NO_GAIN'])),
        conclude(),
      ],
      options: {},
      last: ['EVALUATION NO_GAIN', 'STOP', 'CONTROL STOP_REQUIRED', 'ROUND 5'],
    },
    {
      what: 'one round in all',
      answers: [conclude()],
      options: { request: { budget: { model_calls: 1 } } },
      last: ['STOP', 'ROUND 1'],
    },
  ])('says why collection stopped: $what', async ({ answers, options, last }) => {
    const { steps } = await play(answers, options);

    expect(steps.map(wordsOf).slice(-last.length)).toEqual(last);
  });

  it('has a step of the call that a cancel cut off, and one of the stop', async () => {
    const cancel = new AbortController();
    const source = () => {
      cancel.abort();
      return ['too late'];
    };

    const { steps } = await play([round(askLogs('a'))], {
      source,
      delivery: { cancel: cancel.signal },
    });

    expect(steps.map(wordsOf)).toEqual([
      'ROUND 1',
      'TOOL_CALL ABORTED',
      'STOP, which ends the run',
    ]);
  });

  it('keeps the exact observation, its hash and whether it was cut (field issue 18)', async () => {
    const { invocations, shownAfter } = await play([round(askLogs('a')), conclude()]);

    const observation = JSON.stringify(shownAfter(1)[0]);
    expect(invocations).toMatchObject([
      { observation, observation_sha256: sha256Hex(observation), truncated: false },
    ]);
  });

  it('makes calls, tokens, time and duplicates of a run countable (field issue 3)', async () => {
    const { outcome, steps } = await play(EVENTFUL);

    expect(outcome.usage).toMatchObject({
      model_calls: 5,
      tool_calls: 2,
      input_tokens: 500,
      output_tokens: 100,
      time_ms: expect.any(Number),
    });
    expect(steps.filter((step) => wordsOf(step) === 'CONTROL DUPLICATE_CALL')).toHaveLength(1);
  });
});

describe('a step hook', () => {
  it.each<[string, StepHook, readonly string[]]>([
    ['throws', () => raise(), ['Error']],
    ['fails later', (async () => raise()) satisfies StepHook, ['Error']],
    ['changes what it is shown', (step) => scramble(step), []],
  ])('that %s changes nothing of a run', async (_what, hook, faults) => {
    const plain = await playPlan(PLAN);
    const hooked = await playPlan(PLAN, { hook });

    expect(JSON.stringify(hooked.outcome)).toBe(JSON.stringify(plain.outcome));
    expect(hooked.steps).toEqual(plain.steps);
    expect([...new Set(hooked.reported.map(({ name }) => name))]).toEqual(faults);
  });
});

function raise(): never {
  throw new Error('a hook that fails');
}

function scramble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    scramble(member);
    Reflect.set(value, key, 'scrambled');
  }
}

type StepDetail = Awaited<ReturnType<typeof play>>['steps'][number];

/** The kind of a step and what it decided, as one line. */
function wordsOf(step: StepDetail): string {
  switch (step.kind) {
    case 'ROUND':
      return `ROUND ${step.round}`;
    case 'TOOL_CALL':
      return `TOOL_CALL ${step.error_code ?? step.evidence_status}`;
    case 'CONTROL':
      return ['CONTROL', step.decision, step.error_code ?? ''].join(' ').trim();
    case 'EVALUATION':
      return `EVALUATION ${step.evaluation}`;
    case 'STOP':
      return step.ends_run ? 'STOP, which ends the run' : 'STOP';
    case 'PLAYBOOK_READ':
      return `PLAYBOOK_READ ${step.skill}`;
  }
}
