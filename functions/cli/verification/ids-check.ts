import { toToolCallId } from '../../../shared/contracts/identifiers.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';
import { Doubts } from './doubts.ts';
import { announcedCalls } from './record-views.ts';

/** Every part is of this run, of this session, of this writer; every call was asked for by the model. */
export function doubtsOfIds(record: WholeRecord): readonly string[] {
  const { run, outcome, steps, invocations } = record;
  const doubts = new Doubts();
  for (const { sequence, run_id, session_id } of steps) {
    const isOurs = run_id === run.run_id && session_id === run.session_id;
    doubts.unless(isOurs, `step ${sequence} is of another run or session`);
  }
  if (outcome !== null) {
    const isOurs = outcome.run_id === run.run_id && outcome.session_id === run.session_id;
    doubts.unless(isOurs, 'the outcome is of another run or session');
  }
  const announced = announcedCalls(record);
  for (const [index, { tool_call_id: id }] of announced.entries()) {
    doubts.unless(id === toToolCallId(index + 1), `${id} stands where call-${index + 1} is due`);
  }
  let last = -1;
  for (const { run_id, fence, tool_call_id: id, tool_name } of invocations) {
    const place = announced.findIndex(({ tool_call_id }) => tool_call_id === id);
    doubts.unless(run_id === run.run_id, `${id} is an invocation of another run`);
    doubts.unless(fence === run.fence, `${id} was written by another writer`);
    doubts.unless(place > last, `${id} was not asked for, or stands twice or out of order`);
    doubts.unless(
      place < 0 || announced[place]?.tool_name === tool_name,
      `${id} names another tool`,
    );
    last = Math.max(last, place);
  }
  return doubts.all;
}
