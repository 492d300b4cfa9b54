import type { Invocation } from '../../../shared/contracts/invocation.ts';
import { sha256Hex } from '../../../shared/kernel/canonical-json.ts';
import { utf8Length } from '../../../shared/kernel/utf8.ts';
import { RAW_LIMITS } from '../../../shared/store/raw-result.ts';
import { errorObservation } from '../../diagnosis/evidence/observation.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';
import { Doubts } from './doubts.ts';
import {
  callStep,
  inOrder,
  jsonOf,
  type Ready,
  sameJson,
  shownEvidence,
  stepsOf,
} from './record-views.ts';

/** Every invocation is settled, its observation is what its hash and its step say, word for word. */
export function doubtsOfInvocations(record: WholeRecord): readonly string[] {
  const doubts = new Doubts();
  for (const invocation of record.invocations) {
    checkEnd(record, invocation, doubts);
    checkInput(record, invocation, doubts);
    checkRawReference(invocation, doubts);
    if (invocation.status === 'READY') checkReady(record, invocation, doubts);
    if (invocation.status === 'ERROR') checkError(record, invocation, doubts);
  }
  for (const { sequence, detail } of stepsOf(record, 'TOOL_CALL')) {
    const isKept = record.invocations.some(
      ({ tool_call_id }) => tool_call_id === detail.tool_call_id,
    );
    doubts.unless(isKept, `step ${sequence} tells of ${detail.tool_call_id}, which is not kept`);
  }
  return doubts.all;
}

function checkEnd({ run }: WholeRecord, invocation: Invocation, doubts: Doubts): void {
  const { tool_call_id: id, status, opened_at } = invocation;
  const isSettled = status === 'READY' || status === 'ERROR';
  doubts.unless(isSettled, `${id} was left ${status}`);
  const settledAt = isSettled ? invocation.settled_at : null;
  const isInTime = inOrder(run.created_at, opened_at, settledAt, run.finished_at);
  doubts.unless(isInTime, `${id} is out of its time`);
}

/** A raw result lies in as few pieces as its limit allows. */
function checkRawReference(invocation: Invocation, doubts: Doubts): void {
  if (invocation.status === 'OPEN' || invocation.raw === null) return;
  const { compressed_bytes, chunks } = invocation.raw;
  const isCut = chunks === Math.ceil(compressed_bytes / RAW_LIMITS.chunkBytes);
  doubts.unless(isCut, `the raw result of ${invocation.tool_call_id} has another number of pieces`);
}

/** What ran is what the model asked for. */
function checkInput(
  record: WholeRecord,
  { tool_call_id: id, input }: Invocation,
  doubts: Doubts,
): void {
  const asked = callStep(record, id)?.detail.asked;
  if (asked === undefined || asked.truncated) return;
  const { input: askedInput } = Object(jsonOf(asked.json)) as { input?: unknown }; // the model's own JSON
  doubts.unless(sameJson(jsonOf(input), askedInput), `${id} ran with another input than was asked`);
}

function checkReady(record: WholeRecord, ready: Ready, doubts: Doubts): void {
  const { tool_call_id: id, observation, executed } = ready;
  const isHashed = sha256Hex(observation) === ready.observation_sha256;
  doubts.unless(isHashed, `the observation of ${id} does not match its hash`);
  const shown = shownEvidence(ready);
  doubts.unless(shown !== null, `the observation of ${id} breaks its contract`);
  if (shown === null) return;

  doubts.unless(
    JSON.stringify(jsonOf(observation)) === observation,
    `the observation of ${id} is not as it was written`,
  );
  doubts.unless(shown.tool_call_id === id, `the observation of ${id} names another call`);
  doubts.unless(
    shown.evidence_status === ready.evidence_status,
    `${id} and its observation differ on what was found`,
  );
  doubts.unless(
    shown.truncated === ready.truncated,
    `${id} and its observation differ on what was cut`,
  );
  doubts.unless(
    sameJson(shown.scope.request, jsonOf(ready.input)),
    `the observation of ${id} answers another input`,
  );
  doubts.unless(
    sameJson(shown.scope.window, executed.window),
    `the observation of ${id} is of another window`,
  );
  const windowEnd = shown.scope.window?.to ?? null;
  doubts.unless(
    inOrder(windowEnd, record.request.as_of ?? record.run.created_at),
    `${id} looked past as_of`,
  );
  checkStep(record, ready, shown.control === 'STOP_REQUIRED', doubts);
}

function checkStep(record: WholeRecord, ready: Ready, notice: boolean, doubts: Doubts): void {
  const { tool_call_id: id, observation, executed } = ready;
  const step = callStep(record, id)?.detail;
  if (step === undefined) {
    doubts.unless(record.outcome?.status !== 'COMPLETED', `no step tells of ${id}`);
    return;
  }
  // A run that was cut off in this very moment told of the cut, and the write had happened.
  if (step.error_code === 'ABORTED' && record.outcome?.status !== 'COMPLETED') return;
  const says = [step.evidence_status, step.error_code, step.truncated, step.observation_bytes];
  const holds = [ready.evidence_status, null, ready.truncated, utf8Length(observation)];
  doubts.unless(sameJson(says, holds), `${id} and its step differ`);
  doubts.unless(sameJson(step.executed, executed), `${id} and its step differ on what ran`);
  doubts.unless(step.stop_notice === notice, `${id} and its step differ on the notice`);
}

/** An error observation is kept nowhere, and made of nothing that is not in its step. */
function checkError(
  record: WholeRecord,
  { tool_call_id: id, error_code }: Extract<Invocation, { status: 'ERROR' }>,
  doubts: Doubts,
): void {
  const step = callStep(record, id)?.detail;
  const endedWithRun = error_code === 'ABORTED' || error_code === 'ABANDONED';
  if (step === undefined) {
    const mayLack = endedWithRun || record.outcome?.status !== 'COMPLETED';
    doubts.unless(mayLack, `no step tells of ${id}`);
    return;
  }
  const isTold = step.evidence_status === 'ERROR' && step.error_code === error_code;
  doubts.unless(isTold, `${id} and its step differ on its error`);
  if (!isTold || error_code === 'ABORTED') return;
  const { bytes } = errorObservation(id, error_code, { notice: step.stop_notice });
  const isCounted = step.observation_bytes === bytes && !step.truncated;
  doubts.unless(isCounted, `the step of ${id} tells of another error observation`);
}
