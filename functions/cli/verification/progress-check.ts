import type { DiagnosisOutcome } from '../../../shared/contracts/diagnosis-outcome.ts';
import type { Check } from '../../../shared/contracts/progress-snapshot.ts';
import { quotableStrings } from '../../diagnosis/draft/quotable-strings.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';
import { Doubts } from './doubts.ts';
import { jsonOf, type Ready, readyInvocations, sameJson, stepsOf } from './record-views.ts';

/** The published progress is what the READY invocations and the evaluations of the record say. */
export function doubtsOfProgress(
  record: WholeRecord,
  outcome: DiagnosisOutcome,
): readonly string[] {
  const doubts = new Doubts();
  const ready = readyInvocations(record);
  const checks = outcome.progress?.checks ?? [];
  doubts.unless(
    outcome.progress === null || checks.length > 0,
    'its progress is empty and not null',
  );
  // A run that was cut off may have kept evidence that it no longer learnt of.
  const slack = outcome.status === 'COMPLETED' ? 0 : 1;
  const missing = ready.length - checks.length;
  doubts.unless(missing >= 0 && missing <= slack, 'its progress has other checks than the record');
  for (const [index, check] of checks.entries()) {
    const invocation = ready[index];
    const isKept = invocation !== undefined && isOf(check, invocation);
    doubts.unless(isKept, `its check of ${check.tool_call_id} is not what the record holds`);
    const isEvaluated = evaluationHolds(record, check, outcome.status === 'COMPLETED');
    doubts.unless(isEvaluated, `its evaluation of ${check.tool_call_id} is not the record's`);
  }
  return doubts.all;
}

function isOf(check: Check, invocation: Ready): boolean {
  const observation = jsonOf(invocation.observation);
  const { scope } = Object(observation) as { scope?: unknown }; // any of the three kinds of evidence
  const strings = quotableStrings(observation).map(({ text }) => text);
  const facts = check.facts.filter((fact) => strings.some((text) => text.includes(fact)));
  return (
    check.tool_call_id === invocation.tool_call_id &&
    check.tool_name === invocation.tool_name &&
    check.evidence_status === invocation.evidence_status &&
    sameJson(check.scope, scope) &&
    facts.length === check.facts.length
  );
}

function evaluationHolds(record: WholeRecord, check: Check, isComplete: boolean): boolean {
  const step = stepsOf(record, 'EVALUATION').find(
    ({ detail }) => detail.tool_call_id === check.tool_call_id,
  );
  if (step === undefined) return check.evaluation === null || !isComplete;
  return step.detail.evaluation === check.evaluation;
}
