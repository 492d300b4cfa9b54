import type { AnalysisItem, Quote } from '../../../shared/contracts/diagnosis-draft.ts';
import type { GroundedItem, GroundedQuote } from '../../../shared/contracts/diagnosis-outcome.ts';
import type { GuardCode } from '../../../shared/contracts/failure.ts';
import type { Evidence } from './cited-evidence.ts';
import { findQuote, isTooShort } from './quote-match.ts';
import { unmatchedTerms } from './statement-terms.ts';

/** How an item rests on its evidence, or the first rule it breaks. */
export type ItemVerdict =
  | { readonly kind: 'grounded'; readonly grounding: Omit<GroundedItem, 'index'> }
  | Refusal;

interface Refusal {
  readonly kind: 'refused';
  readonly code: GuardCode;
  readonly toolCallId: string;
}

/** Holds one analysis item against the evidence it cites. An id that is cited twice counts once. */
export function groundItem(
  item: AnalysisItem,
  evidence: ReadonlyMap<string, Evidence>,
  otherCallIds: readonly string[],
): ItemVerdict {
  const cited = new Map<string, Evidence>();
  for (const id of item.tool_call_ids) {
    const found = evidence.get(id);
    if (found === undefined) return refused(unknownCode(id, otherCallIds), id);
    // With none that found nothing at least one found something: the schema asks for one id.
    if (item.type === 'OBSERVATION' && !found.isFound) return refused('NO_EVIDENCE_AS_PROOF', id);
    cited.set(id, found);
  }

  const quotes: GroundedQuote[] = [];
  for (const quote of item.quotes ?? []) {
    const verdict = groundQuote(quote, cited.get(quote.tool_call_id));
    if (verdict.kind === 'refused') return verdict;
    quotes.push(verdict.quote);
  }
  return { kind: 'grounded', grounding: { ...ground(item, [...cited.values()]), quotes } };
}

function unknownCode(id: string, otherCallIds: readonly string[]): GuardCode {
  return otherCallIds.includes(id) ? 'NOT_EVIDENCE' : 'UNKNOWN_EVIDENCE';
}

function ground(
  item: AnalysisItem,
  cited: readonly Evidence[],
): Omit<GroundedItem, 'index' | 'quotes'> {
  const observations = cited.map(({ observation }) => observation);
  return {
    tool_call_ids: cited.map(({ toolCallId }) => toolCallId),
    unmatched_terms: unmatchedTerms(item, observations),
  };
}

function groundQuote(
  { tool_call_id: id, text }: Quote,
  source: Evidence | undefined,
): { readonly kind: 'grounded'; readonly quote: GroundedQuote } | Refusal {
  if (source === undefined) return refused('QUOTE_NOT_CITED', id);
  if (!source.isFound) return refused('NO_EVIDENCE_AS_PROOF', id);
  if (isTooShort(text)) return refused('QUOTE_TOO_SHORT', id);

  const match = findQuote(text, source.quotable);
  if (match === null) return refused('QUOTE_NOT_FOUND', id);
  return { kind: 'grounded', quote: { tool_call_id: source.toolCallId, ...match } };
}

function refused(code: GuardCode, toolCallId: string): Refusal {
  return { kind: 'refused', code, toolCallId };
}
