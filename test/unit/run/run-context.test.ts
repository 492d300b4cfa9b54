import { describe, expect, it } from 'vitest';
import { RunStoppedError } from '../../../functions/diagnosis/run/stop.ts';
import { toToolCallId } from '../../../shared/contracts/identifiers.ts';
import type { TokenUsage } from '../../../shared/contracts/step.ts';
import { type ARun, aRun, enterRound } from '../../support/a-run.ts';
import { cellsUnder, everyPair, pairOf } from '../../support/progress-table.ts';

const SMALL = { model_calls: 3, tool_calls: 1, tokens: 32_768, bytes: 81_920 };

const EVENTS: Readonly<Record<string, (given: ARun) => void>> = {
  nothing: () => undefined,
  'reserve of time reached': ({ wait }) => wait(840_000),
  'tool calls used up': ({ run }) => run.budget.openToolCall(),
  'token reserve reached': ({ run }) => run.budget.recordUsage(tokens(20_000)),
  'no room for an observation and a draft': ({ run }) => run.budget.recordUserMessage(60_000),
  'last round': ({ run }) => enterRound(run),
  'rounds used up': ({ run }) => {
    enterRound(run);
    enterRound(run);
  },
  'tokens used up': ({ run }) => run.budget.recordUsage(tokens(32_768)),
  'bytes used up': ({ run }) => run.budget.recordObservation(81_920),
  'deadline passed': ({ wait }) => wait(900_000),
  cancel: ({ abort }) => abort(new RunStoppedError('CANCELLED')),
};

const STATES: Readonly<Record<string, (given: ARun) => void>> = {
  collecting: () => undefined,
  'stopped as INFORMATION_SATURATED': ({ run }) => run.progress.stop('INFORMATION_SATURATED'),
};

describe('RunContext', () => {
  const cells = cellsUnder('What stops collection, and what ends the run');

  it('has a cell in docs/progress.md for every event in every state', () => {
    expect(cells.map(pairOf)).toEqual(everyPair(Object.keys(EVENTS), Object.keys(STATES)));
  });

  it.each(cells)('$column: $row, and it $says', ({ row, column, says }) => {
    const given = aRun(SMALL);
    enterRound(given.run);
    STATES[column]?.(given);
    EVENTS[row]?.(given);

    const said = nextRound(given, column === 'collecting');

    expect(said).toBe(says);
  });

  it('counts no round in that it refuses', () => {
    const { run } = aRun({ model_calls: 1 });
    enterRound(run);

    expect(() => enterRound(run)).toThrow(RunStoppedError);

    expect(run.budget.usage(0).model_calls).toBe(1);
  });

  it('throws the reason of its signal', () => {
    const { run, abort } = aRun();
    const reason = new RunStoppedError('CANCELLED');
    abort(reason);

    expect(() => run.assertAlive()).toThrow(reason);
  });

  it('lists every call the model was answered under', () => {
    const { run } = aRun();
    run.noteToolCall(toToolCallId(1));
    run.noteToolCall(toToolCallId(2));

    expect(run.toolCallIds).toEqual(['call-1', 'call-2']);
  });

  it('shares nothing with another run', () => {
    const [one, other] = [aRun(), aRun()];
    enterRound(one.run);
    one.run.budget.openToolCall();
    one.run.progress.stop('DEADLINE');
    one.run.noteToolCall(toToolCallId(1));

    expect(other.run.progress.round).toBe(0);
    expect(other.run.progress.stopReason).toBeNull();
    expect(other.run.budget.usage(0).tool_calls).toBe(0);
    expect(other.run.toolCallIds).toEqual([]);
  });
});

function tokens(input_tokens: number): TokenUsage {
  return { input_tokens, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
}

/** What the next round comes to, in the words of the table. The last round has been entered before. */
function nextRound({ run }: ARun, wasCollecting: boolean): string {
  try {
    enterRound(run);
  } catch (error) {
    return error instanceof RunStoppedError ? `ends as ${error.reason}` : String(error);
  }
  const { stopReason } = run.progress;
  if (stopReason === null) return 'goes on';
  return `${wasCollecting ? 'stops as' : 'stays'} ${stopReason}`;
}
