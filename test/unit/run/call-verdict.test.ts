import { describe, expect, it } from 'vitest';
import {
  type AskedCall,
  judgeCall,
  type Verdict,
} from '../../../functions/diagnosis/run/call-verdict.ts';
import type { RunContext } from '../../../functions/diagnosis/run/run-context.ts';
import { RunStoppedError } from '../../../functions/diagnosis/run/stop.ts';
import type { Limits } from '../../../shared/contracts/budget.ts';
import { toToolCallId } from '../../../shared/contracts/identifiers.ts';
import { type ARun, aRun, enterRound } from '../../support/a-run.ts';
import { cellsUnder, everyPair, pairOf } from '../../support/progress-table.ts';

const FIRST = toToolCallId(1);
const ASKED = toToolCallId(9);
const OLD = { toolName: 'query_logs', key: 'old', lookbackMinutes: null } as const;
const NEW = { ...OLD, key: 'new' };

const CALLS: Readonly<Record<string, AskedCall['ask']>> = {
  'unknown name': { kind: 'unknown' },
  'invalid input': { kind: 'invalid', fields: ['input.topic'] },
  read_skill: { kind: 'playbook' },
  'new question': { kind: 'evidence', question: NEW, given: undefined },
  'asked before': { kind: 'evidence', question: OLD, given: undefined },
};

const STATES: Readonly<Record<string, () => RunContext>> = {
  collecting: () => inRound(2).run,
  'evaluation pending': () => withPending(inRound(1).run),
  'evaluation pending, one repair made': () => {
    const run = withPending(inRound(1).run);
    run.progress.demandEvaluation(undefined);
    enterRound(run);
    return run;
  },
  'last round of calls': () => inRound(2, { model_calls: 3 }).run,
  'last round of calls, evaluation pending': () => withPending(inRound(1, { model_calls: 3 }).run),
  'last round of calls, told in this round': () => {
    const { run } = inRound(2, { model_calls: 3 });
    judgeCall(run, { toolCallId: FIRST, ask: { kind: 'unknown' } });
    run.progress.deliverNotice();
    return run;
  },
  'last round of calls, tool calls used up': () => {
    const { run } = inRound(2, { model_calls: 3, tool_calls: 1 });
    run.budget.openToolCall();
    return run;
  },
  'last round of calls, then tool calls used up': () => {
    const { run } = inRound(2, { model_calls: 3, tool_calls: 1 });
    judgeCall(run, { toolCallId: FIRST, ask: { kind: 'playbook' } });
    run.budget.openToolCall();
    return run;
  },
  'last round of calls, then reserve of time reached': () => {
    const { run, wait } = inRound(2, { model_calls: 3 });
    judgeCall(run, { toolCallId: FIRST, ask: { kind: 'playbook' } });
    wait(840_000);
    return run;
  },
  'last round of calls, stopped before it': () => {
    const { run } = inRound(1, { model_calls: 3 });
    run.progress.stop('INFORMATION_SATURATED');
    enterRound(run);
    return run;
  },
  'last round': () => inRound(3, { model_calls: 3 }).run,
  stopped: () => stopped(),
  'stopped, told in this round': () => {
    const run = stopped();
    run.progress.deliverNotice();
    return run;
  },
  'stopped, told before this round': () => {
    const run = stopped();
    run.progress.deliverNotice();
    enterRound(run);
    return run;
  },
  'deadline passed': () => {
    const { run, wait } = inRound(2);
    wait(900_000);
    return run;
  },
  cancelled: () => {
    const { run, abort } = inRound(2);
    abort(new RunStoppedError('CANCELLED'));
    return run;
  },
};

describe('judgeCall', () => {
  const cells = cellsUnder('One call');

  it('has a cell in docs/progress.md for every state and every call', () => {
    expect(cells.map(pairOf)).toEqual(everyPair(Object.keys(STATES), Object.keys(CALLS)));
  });

  it.each(cells)('$row: $column gets $says', ({ row, column, says }) => {
    const run = STATES[row]?.() ?? aRun().run;
    run.ledger.open(FIRST, OLD);

    const said = wordsFor(() =>
      judgeCall(run, { toolCallId: ASKED, ask: CALLS[column] ?? { kind: 'unknown' } }),
    );

    expect(said).toBe(says);
  });

  it('names the paths of a bad input', () => {
    const { run } = inRound(1);

    const verdict = judgeCall(run, {
      toolCallId: ASKED,
      ask: { kind: 'invalid', fields: ['input'] },
    });

    expect(verdict).toEqual({
      kind: 'refuse',
      errorCode: 'INVALID_INPUT',
      fields: ['input'],
      notice: false,
    });
  });

  it('names the call that asked the same', () => {
    const { run } = inRound(1);
    run.ledger.open(FIRST, OLD);

    const verdict = judgeCall(run, { toolCallId: ASKED, ask: CALLS['asked before'] ?? NOTHING });

    expect(verdict).toEqual({ kind: 'duplicate', equivalentToolCallId: FIRST });
  });

  it('names the evidence that waits for its evaluation', () => {
    const run = withPending(inRound(1).run);

    const verdict = judgeCall(run, { toolCallId: ASKED, ask: CALLS['new question'] ?? NOTHING });

    expect(verdict).toEqual({
      kind: 'repair',
      missingField: 'previous_observation',
      expectedToolCallId: FIRST,
    });
  });

  it.each([
    ['last round of calls', 'MODEL_CALLS_EXHAUSTED'],
    ['last round of calls, tool calls used up', 'TOOL_CALLS_EXHAUSTED'],
    ['last round of calls, stopped before it', 'INFORMATION_SATURATED'],
    ['evaluation pending, one repair made', 'INFORMATION_SATURATED'],
  ])('stops collection in the state "%s" as %s', (state, reason) => {
    const run = STATES[state]?.() ?? aRun().run;

    judgeCall(run, { toolCallId: ASKED, ask: CALLS['new question'] ?? NOTHING });

    expect(run.progress.stopReason).toBe(reason);
  });

  it.each([
    ['stopped, told before this round', 'EVIDENCE_UNAVAILABLE'],
    ['deadline passed', 'DEADLINE'],
    ['cancelled', 'CANCELLED'],
  ])('ends the run in the state "%s" as %s', (state, reason) => {
    const run = STATES[state]?.() ?? aRun().run;

    const judge = () => judgeCall(run, { toolCallId: ASKED, ask: NOTHING });

    expect(judge).toThrow(expect.objectContaining({ code: 'RUN_STOPPED', reason }));
  });
});

const NOTHING: AskedCall['ask'] = { kind: 'unknown' };

function inRound(round: number, limits: Partial<Limits> = {}): ARun {
  const given = aRun(limits);
  for (let at = 0; at < round; at += 1) enterRound(given.run);
  return given;
}

/** The run in the round after one that found evidence. */
function withPending(run: RunContext): RunContext {
  run.progress.record(FIRST, 'EVIDENCE_FOUND');
  enterRound(run);
  return run;
}

function stopped(): RunContext {
  const { run } = inRound(2);
  run.progress.stop('EVIDENCE_UNAVAILABLE');
  return run;
}

/** The verdict in the words of the table. */
function wordsFor(judge: () => Verdict): string {
  try {
    return wordsOf(judge());
  } catch (error) {
    return error instanceof RunStoppedError ? 'ends the run' : String(error);
  }
}

function wordsOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'run':
      return `run${verdict.notice ? ' + notice' : ''}`;
    case 'refuse':
      return `${verdict.errorCode}${verdict.notice ? ' + notice' : ''}`;
    case 'repair':
      return 'REPAIR_REQUIRED';
    case 'duplicate':
      return 'DUPLICATE_CALL';
    case 'stop':
      return 'STOP_REQUIRED';
  }
}
