import type { DiagnosisOutcome } from '../../../shared/contracts/diagnosis-outcome.ts';
import type { PlaybookCatalog } from '../../diagnosis/agent/playbooks.ts';
import { type GuardVerdict, guardDraft } from '../../diagnosis/draft/draft-guard.ts';
import type { WholeRecord } from '../../run-record/record-pages.ts';
import { announcedCalls, jsonOf, readyInvocations, sameJson, stepsOf } from './record-views.ts';

type Completed = Extract<DiagnosisOutcome, { status: 'COMPLETED' }>;

/**
 * The guard accepts the draft once more, over the observations as they are kept, and grounds it in the
 * same places. `playbooks` are those that the run ran with, or null where they are not at hand.
 */
export function doubtsOfDraft(
  record: WholeRecord,
  outcome: Completed,
  playbooks: PlaybookCatalog | null,
): readonly string[] {
  const ready = readyInvocations(record);
  const broken = ready.find(({ observation }) => jsonOf(observation) === undefined);
  if (broken !== undefined)
    return [`${broken.tool_call_id} can't be cited: its observation is no JSON`];
  const ids = new Set<string>(ready.map(({ tool_call_id }) => tool_call_id));
  const verdict = guardDraft(outcome.draft, {
    calls: ready.map(({ tool_call_id, tool_name, evidence_status, observation }) => ({
      toolCallId: tool_call_id,
      toolName: tool_name,
      evidenceStatus: evidence_status,
      observation,
    })),
    otherCallIds: announcedCalls(record)
      .map(({ tool_call_id }) => tool_call_id)
      .filter((id) => !ids.has(id)),
    playbookTexts: playbookTexts(record, playbooks),
    requireQuotes: outcome.grounding.conclusion !== 'CITED',
  });
  if (verdict.kind === 'accepted') {
    const isSame = sameJson(verdict.grounding, outcome.grounding);
    return isSame ? [] : ['it is grounded in other places than it says'];
  }
  return [refusalText(verdict, playbooks)];
}

function playbookTexts(record: WholeRecord, playbooks: PlaybookCatalog | null): readonly string[] {
  const read = stepsOf(record, 'PLAYBOOK_READ').map(({ detail }) => detail.skill);
  return (playbooks?.playbooks ?? [])
    .filter(({ name }) => read.includes(name))
    .map(({ body }) => body);
}

function refusalText(
  { code, item, toolCallId }: Extract<GuardVerdict, { kind: 'refused' }>,
  playbooks: PlaybookCatalog | null,
): string {
  const place = item === null ? '' : ` in item ${item + 1}`;
  const call = toolCallId === null ? '' : ` for ${toolCallId}`;
  const unknown =
    code === 'UNTRUSTED_LINK' && playbooks === null ? ', and its playbooks are not at hand' : '';
  return `the guard refuses it: ${code}${place}${call}${unknown}`;
}
