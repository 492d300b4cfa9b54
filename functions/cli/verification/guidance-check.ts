import type { WholeRecord } from '../../run-record/record-pages.ts';
import { Doubts } from './doubts.ts';
import { jsonOf, readyInvocations, type StepOf, sameJson, stepsOf } from './record-views.ts';

/** Evaluations and playbooks: what the model said of its evidence, and what it went by. */
export function doubtsOfGuidance(record: WholeRecord): readonly string[] {
  const doubts = new Doubts();
  checkEvaluations(record, doubts);
  checkPlaybooks(record, doubts);
  return doubts.all;
}

/** What was evaluated is evidence of an earlier round, evaluated once, in the words of a call of this round. */
function checkEvaluations(record: WholeRecord, doubts: Doubts): void {
  const found = readyInvocations(record).filter(
    ({ evidence_status }) => evidence_status === 'EVIDENCE_FOUND',
  );
  const rounds = stepsOf(record, 'ROUND');
  const evaluated = new Set<string>();
  for (const step of stepsOf(record, 'EVALUATION')) {
    const { tool_call_id: id, given_by: by, round } = step.detail;
    const isEvidence = found.some(({ tool_call_id }) => tool_call_id === id);
    doubts.unless(
      isEvidence && !evaluated.has(id),
      `step ${step.sequence} evaluates no open evidence`,
    );
    const isGiven = roundOf(rounds, by) === round && (roundOf(rounds, id) ?? round) < round;
    doubts.unless(isGiven, `step ${step.sequence} evaluates at the wrong time`);
    doubts.unless(isSaid(record, step), `step ${step.sequence} is not what ${by} said`);
    evaluated.add(id);
  }
}

function roundOf(rounds: readonly StepOf<'ROUND'>[], id: string): number | undefined {
  return rounds.find(({ detail }) =>
    detail.tool_calls.some(({ tool_call_id }) => tool_call_id === id),
  )?.detail.round;
}

function isSaid(record: WholeRecord, { detail }: StepOf<'EVALUATION'>): boolean {
  const giver = [...stepsOf(record, 'TOOL_CALL'), ...stepsOf(record, 'CONTROL')].find(
    ({ detail: call }) => call.tool_call_id === detail.given_by,
  );
  if (giver === undefined) return record.outcome?.status !== 'COMPLETED';
  const { json, truncated } = giver.detail.asked;
  if (truncated) return true;
  const { previous_observation: given } = Object(jsonOf(json)) as {
    previous_observation?: unknown;
  }; // the model's own JSON
  return sameJson(given, { tool_call_id: detail.tool_call_id, evaluation: detail.evaluation });
}

/** Each playbook is read once, the first is the one that later calls name, and all say when it was read. */
function checkPlaybooks({ steps }: WholeRecord, doubts: Doubts): void {
  const read: string[] = [];
  let toolCalls = 0;
  for (const { sequence, detail } of steps) {
    if (detail.kind === 'PLAYBOOK_READ') {
      doubts.unless(!read.includes(detail.skill), `step ${sequence} reads a playbook again`);
      const isBefore = toolCalls === 0;
      doubts.unless(
        detail.before_evidence === isBefore,
        `step ${sequence} is on the wrong side of evidence`,
      );
      read.push(detail.skill);
    }
    if (detail.kind !== 'TOOL_CALL' && detail.kind !== 'CONTROL') continue;
    if (detail.kind === 'TOOL_CALL') toolCalls += 1;
    const selected = read[0] ?? null;
    doubts.unless(detail.playbook === selected, `step ${sequence} goes by another playbook`);
  }
}
