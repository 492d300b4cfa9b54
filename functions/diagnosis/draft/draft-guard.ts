import type { DiagnosisDraft } from '../../../shared/contracts/diagnosis-draft.ts';
import type { GroundedItem, Grounding } from '../../../shared/contracts/diagnosis-outcome.ts';
import type { GuardCode } from '../../../shared/contracts/failure.ts';
import { type Evidence, readEvidence, type SettledCall } from './cited-evidence.ts';
import { groundItem } from './item-grounding.ts';
import { findUntrustedLink } from './untrusted-link.ts';

/** What the guard holds a draft against. */
export interface GuardedRun {
  /** The READY invocations of this run. */
  readonly calls: readonly SettledCall[];
  /** Ids of this run that can't be cited: errors, control answers, playbooks. */
  readonly otherCallIds: readonly string[];
  /** Bodies of the playbooks read in this run. */
  readonly playbookTexts: readonly string[];
  readonly requireQuotes: boolean;
}

/** `item` is the index of the analysis item at fault, null where none is. */
export type GuardVerdict =
  | { readonly kind: 'accepted'; readonly grounding: Grounding }
  | {
      readonly kind: 'refused';
      readonly code: GuardCode;
      readonly item: number | null;
      readonly toolCallId: string | null;
    };

/**
 * Holds a draft against the evidence of its run: every citation, every quote, the conclusion, every
 * link; names the first rule that is broken. Never edits the draft, never judges its reasoning.
 *
 * @throws SyntaxError when an observation is not JSON.
 */
export function guardDraft(draft: DiagnosisDraft, run: GuardedRun): GuardVerdict {
  const evidence = readEvidence(run.calls);
  const items: GroundedItem[] = [];
  for (const [index, item] of draft.analysis.entries()) {
    const grounded = groundItem(item, evidence, run.otherCallIds);
    if (grounded.kind === 'refused') return { ...grounded, item: index };
    items.push({ index, ...grounded.grounding });
  }

  const code = conclusionFlaw(draft, run, items, evidence);
  if (code !== null) return { kind: 'refused', code, item: null, toolCallId: null };

  const link = findUntrustedLink(draft, [...run.playbookTexts, ...citedExcerpts(items, evidence)]);
  if (link !== null) {
    return { kind: 'refused', code: 'UNTRUSTED_LINK', item: link.item, toolCallId: null };
  }
  return { kind: 'accepted', grounding: { conclusion: groundOf(draft, run), items } };
}

function conclusionFlaw(
  { conclusion, limitations }: DiagnosisDraft,
  { calls, requireQuotes }: GuardedRun,
  items: readonly GroundedItem[],
  evidence: ReadonlyMap<string, Evidence>,
): GuardCode | null {
  if (conclusion !== null) {
    const grounds = requireQuotes
      ? items.flatMap(({ quotes }) => quotes.map((quote) => quote.tool_call_id))
      : items.flatMap((item) => item.tool_call_ids);
    const grounded = grounds.some((id) => evidence.get(id)?.isOfThisIncident);
    return grounded ? null : 'CONCLUSION_UNGROUNDED';
  }
  if (limitations.missing_info.length === 0) return 'MISSING_INFO_REQUIRED';
  const somethingWasChecked = calls.length > 0;
  return somethingWasChecked && limitations.checked_scope.length === 0
    ? 'CHECKED_SCOPE_REQUIRED'
    : null;
}

function citedExcerpts(
  items: readonly GroundedItem[],
  evidence: ReadonlyMap<string, Evidence>,
): readonly string[] {
  const citedIds = new Set(items.flatMap((item) => item.tool_call_ids));
  return [...evidence.values()]
    .filter(({ toolCallId }) => citedIds.has(toolCallId))
    .flatMap(({ excerpts }) => excerpts);
}

/** A deployment that does not ask for quotes never claims that a conclusion is quoted. */
function groundOf(
  { conclusion }: DiagnosisDraft,
  { requireQuotes }: GuardedRun,
): Grounding['conclusion'] {
  if (conclusion === null) return 'NONE';
  return requireQuotes ? 'QUOTED' : 'CITED';
}
