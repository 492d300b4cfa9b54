import type { StepDetail } from '../../../shared/contracts/step.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';
import { Doubts } from './doubts.ts';
import { doubtsOfGuidance } from './guidance-check.ts';
import { announcedCalls, inOrder, stepsOf } from './record-views.ts';

/** Steps are numbered without a gap, go forward in time, and follow the rounds and calls they tell of. */
export function doubtsOfSteps(record: WholeRecord): readonly string[] {
  const doubts = new Doubts();
  checkNumbers(record, doubts);
  checkRounds(record, doubts);
  checkAnswers(record, doubts);
  return [...doubts.all, ...doubtsOfGuidance(record)];
}

function checkNumbers({ run, steps }: WholeRecord, doubts: Doubts): void {
  let before: string = run.created_at;
  for (const [index, { sequence, at }] of steps.entries()) {
    doubts.unless(sequence === index + 1, `step ${sequence} stands where ${index + 1} is due`);
    doubts.unless(inOrder(before, at, run.finished_at), `step ${sequence} is out of its time`);
    before = at;
  }
}

function checkRounds(record: WholeRecord, doubts: Doubts): void {
  const { run, steps, outcome } = record;
  let round = 0;
  for (const { sequence, detail } of steps) {
    if (detail.kind === 'ROUND') round += 1;
    // A stop at the beginning of a round comes before that round's own step, or in its place.
    const isBeforeRound = detail.kind === 'STOP' && detail.round === round + 1;
    doubts.unless(detail.round === round || isBeforeRound, `step ${sequence} is of another round`);
  }
  // A round whose process died left its gate write and no step.
  const wasLeft = outcome?.status === 'COMPLETED' ? 0 : 1;
  const isCounted = run.rounds >= round && run.rounds <= round + wasLeft;
  doubts.unless(isCounted, `the run counts ${run.rounds} rounds, its steps ${round}`);
  if (outcome?.status !== 'COMPLETED') return;
  const last = stepsOf(record, 'ROUND').at(-1)?.detail;
  const isCleanEnd = last?.model_stop_reason === 'end_turn' && last.tool_calls.length === 0;
  doubts.unless(isCleanEnd && last.failure === null, 'the last round is no clean end');
}

/** Every call is answered once, in the order in which the model asked, in the round in which it asked. */
function checkAnswers(record: WholeRecord, doubts: Doubts): void {
  const announced = announcedCalls(record);
  const roundOf = new Map(
    stepsOf(record, 'ROUND').flatMap(({ detail }) =>
      detail.tool_calls.map(({ tool_call_id }) => [tool_call_id, detail.round] as const),
    ),
  );
  let place = 0;
  for (const { sequence, detail } of record.steps) {
    if (!isAnswer(detail)) continue;
    const due = announced[place];
    const isDue = due?.tool_call_id === detail.tool_call_id;
    doubts.unless(isDue, `step ${sequence} answers ${detail.tool_call_id} out of turn`);
    const isOfItsRound = roundOf.get(detail.tool_call_id) === detail.round;
    doubts.unless(isOfItsRound, `step ${sequence} answers a call of another round`);
    const name = detail.kind === 'PLAYBOOK_READ' ? 'read_skill' : detail.tool_name;
    doubts.unless(due?.tool_name.toWellFormed() === name, `step ${sequence} names another tool`);
    place += 1;
  }
  if (record.outcome?.status !== 'COMPLETED') return;
  doubts.unless(place === announced.length, 'a call was left unanswered');
}

function isAnswer(
  detail: StepDetail,
): detail is Extract<StepDetail, { kind: 'TOOL_CALL' | 'CONTROL' | 'PLAYBOOK_READ' }> {
  return ['TOOL_CALL', 'CONTROL', 'PLAYBOOK_READ'].includes(detail.kind);
}
