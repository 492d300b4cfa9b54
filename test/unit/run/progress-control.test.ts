import { describe, expect, it } from 'vitest';
import {
  type Answer,
  ProgressControl,
  type Repair,
} from '../../../functions/diagnosis/run/progress-control.ts';
import { type ToolCallId, toToolCallId } from '../../../shared/contracts/identifiers.ts';
import { cellsUnder, everyPair, pairOf } from '../../support/progress-table.ts';

const OTHER = toToolCallId(1);
const PENDING = toToolCallId(2);
const ASKED = toToolCallId(3);

const DEBTS: Readonly<Record<string, () => ProgressControl>> = {
  'nothing pending': () => afterRounds(['EVIDENCE_FOUND'], []),
  pending: () => afterRounds(['EVIDENCE_FOUND']),
  'pending, one repair made': () => {
    const progress = afterRounds(['EVIDENCE_FOUND']);
    progress.demandEvaluation(undefined);
    progress.record(ASKED, 'REPAIR');
    progress.beginRound();
    return progress;
  },
};

const STREAKS: ReadonlyMap<string, readonly Answer[][]> = new Map<string, Answer[][]>([
  ['0', []],
  ['1', [['NO_EVIDENCE']]],
  ['1 unavailable', [['SOURCE_ERROR']]],
  ['2', [['REFUSED'], ['SOURCE_ERROR']]],
  ['2 unavailable', [['SOURCE_ERROR'], ['SOURCE_ERROR']]],
]);

describe('the evaluation that is owed', () => {
  const cells = cellsUnder('The evaluation that is owed');

  it('has a cell in docs/progress.md for whatever is given in every state', () => {
    const given = [...new Set(cells.map(({ row }) => row))];

    expect(given.length).toBeGreaterThanOrEqual(12);
    expect(cells.map(pairOf)).toEqual(everyPair(given, Object.keys(DEBTS)));
  });

  it.each(cells)('$row, $column: $says', ({ row, column, says }) => {
    const progress = DEBTS[column]?.() ?? new ProgressControl();
    const given = givenIn(row);

    const settled = progress.settle([{ toolCallId: ASKED, given }]);
    const repair = progress.demandEvaluation(given);

    const evaluated = settled === null ? '' : `settled ${settled.evaluation}, `;
    expect(`${evaluated}${wordsOf(repair)}`).toBe(says);
    expect(progress.pending === null).toBe(says.endsWith('run'));
  });

  it('is settled by the first call that names it well, for the whole round', () => {
    const progress = afterRounds(['EVIDENCE_FOUND']);
    const claims = [
      { toolCallId: toToolCallId(3), given: { tool_call_id: OTHER, evaluation: 'NO_GAIN' } },
      { toolCallId: toToolCallId(4), given: { tool_call_id: PENDING, evaluation: 'GAINED' } },
      { toolCallId: toToolCallId(5), given: { tool_call_id: PENDING, evaluation: 'NO_GAIN' } },
    ];

    const settled = progress.settle(claims);

    expect(settled).toEqual({ toolCallId: PENDING, evaluation: 'GAINED', givenBy: 'call-4' });
    expect(progress.settle(claims)).toBeNull();
  });

  it('is owed for the last evidence of a round', () => {
    const progress = new ProgressControl();
    progress.beginRound();
    progress.record(OTHER, 'EVIDENCE_FOUND');
    progress.record(PENDING, 'EVIDENCE_FOUND');
    progress.record(ASKED, 'NO_EVIDENCE');

    progress.beginRound();

    expect(progress.pending).toBe(PENDING);
  });

  it('is owed over rounds in which nothing needs it', () => {
    const progress = afterRounds(['EVIDENCE_FOUND'], ['PLAYBOOK'], ['REFUSED']);

    expect(progress.pending).toBe(PENDING);
  });

  it('counts the calls of one round that are sent back as one repair', () => {
    const progress = afterRounds(['EVIDENCE_FOUND']);

    const repairs = [1, 2, 3].map(() => progress.demandEvaluation(undefined));

    expect(repairs.map(wordsOf)).toEqual(Array(3).fill('repair previous_observation'));
    expect(progress.stopReason).toBeNull();
  });

  it('stops collection at the second repair in a row', () => {
    const progress = DEBTS['pending, one repair made']?.();

    progress?.demandEvaluation(undefined);

    expect(progress?.stopReason).toBe('INFORMATION_SATURATED');
  });

  it('forgets a repair once an evaluation is settled', () => {
    const progress = DEBTS['pending, one repair made']?.() ?? new ProgressControl();
    progress.settle([
      { toolCallId: ASKED, given: { tool_call_id: PENDING, evaluation: 'GAINED' } },
    ]);
    progress.record(PENDING, 'EVIDENCE_FOUND');
    progress.beginRound();

    const repair = progress.demandEvaluation(undefined);

    expect(repair).toMatchObject({ kind: 'repair' });
  });
});

describe('the streak', () => {
  const cells = cellsUnder('The streak');

  it('has a cell in docs/progress.md for every round and every streak', () => {
    const rounds = [...new Set(cells.map(({ row }) => row))];

    expect(rounds).toEqual(expect.arrayContaining([...ANSWERS, 'GAINED', 'NO_GAIN', 'no calls']));
    expect(cells.map(pairOf)).toEqual(everyPair(rounds, [...STREAKS.keys()]));
  });

  it.each(cells)('of $column becomes $says after $row', ({ row, column, says }) => {
    const progress = afterRounds(...(STREAKS.get(column) ?? []), ['EVIDENCE_FOUND']);

    for (const what of row.split(', ')) bring(progress, what);
    progress.beginRound();

    expect(streakOf(progress)).toBe(says);
  });
});

describe('a stop', () => {
  it('keeps its first reason', () => {
    const progress = new ProgressControl();
    progress.stop('TOOL_CALLS_EXHAUSTED');

    const reason = progress.stop('DEADLINE');

    expect(reason).toBe('TOOL_CALLS_EXHAUSTED');
    expect(progress.stopReason).toBe('TOOL_CALLS_EXHAUSTED');
  });

  it('is not lifted by a gain that comes later', () => {
    const progress = afterRounds(['NO_EVIDENCE'], ['NO_EVIDENCE'], ['NO_EVIDENCE']);
    progress.record(PENDING, 'EVIDENCE_FOUND');
    progress.beginRound();

    progress.settle([
      { toolCallId: ASKED, given: { tool_call_id: PENDING, evaluation: 'GAINED' } },
    ]);

    expect(progress.stopReason).toBe('INFORMATION_SATURATED');
  });

  it('is known to the model from the round after the first notice', () => {
    const progress = afterRounds([]);
    progress.stop('DEADLINE');
    progress.deliverNotice();
    const inTheRound = progress.stopToldBeforeThisRound;
    progress.beginRound();
    progress.deliverNotice();

    expect([inTheRound, progress.stopToldBeforeThisRound]).toEqual([null, 'DEADLINE']);
  });

  it('is unknown to the model as long as no notice was delivered', () => {
    const progress = afterRounds([]);
    progress.stop('DEADLINE');
    progress.beginRound();

    expect(progress.stopToldBeforeThisRound).toBeNull();
  });
});

const ANSWERS: readonly Answer[] = [
  'EVIDENCE_FOUND',
  'NO_EVIDENCE',
  'SOURCE_ERROR',
  'REFUSED',
  'REPAIR',
  'PLAYBOOK',
  'STOP',
];

/** Rounds with these answers; the control stands in the round after the last. */
function afterRounds(...rounds: readonly (readonly Answer[])[]): ProgressControl {
  const progress = new ProgressControl();
  progress.beginRound();
  for (const answers of rounds) {
    settle(progress, answers.length === 0 ? 'GAINED' : 'none');
    for (const answer of answers) progress.record(PENDING, answer);
    progress.beginRound();
  }
  return progress;
}

function bring(progress: ProgressControl, what: string): void {
  settle(progress, what);
  for (const answer of ANSWERS) if (answer === what) progress.record(ASKED, answer);
}

function settle(progress: ProgressControl, evaluation: string): void {
  const given = { tool_call_id: progress.pending as ToolCallId, evaluation };
  progress.settle([{ toolCallId: ASKED, given }]);
}

/** The streak, told by how many more failing rounds it bears and what it then stops for. */
function streakOf(progress: ProgressControl): string {
  if (progress.stopReason !== null) return progress.stopReason;
  let borne = 0;
  while (progress.stopReason === null) {
    progress.record(ASKED, 'SOURCE_ERROR');
    progress.beginRound();
    borne += 1;
  }
  const streak = 3 - borne;
  const isUnavailable = streak > 0 && String(progress.stopReason) === 'EVIDENCE_UNAVAILABLE';
  return `${streak}${isUnavailable ? ' unavailable' : ''}`;
}

function givenIn(row: string): unknown {
  return row === 'left out' ? undefined : JSON.parse(row.replaceAll('`', ''));
}

function wordsOf(repair: Repair | null): string {
  if (repair === null) return 'run';
  return repair.kind === 'stop' ? 'stop' : `repair ${repair.missingField}`;
}
