import type { DiagnosisDraft } from '../../../shared/contracts/diagnosis-draft.ts';
import { linksIn } from './link-text.ts';

/** A link of a draft that no trusted text holds; `item` is its analysis item, if it stands in one. */
export interface UntrustedLink {
  readonly item: number | null;
  readonly link: string;
}

/**
 * The first link in a draft that stands in none of the trusted texts, compared as a whole: the start
 * of a trusted link, or a longer one, is another link. Quotes are looked through as well: a link out
 * of a log line is no less clickable between quotation marks.
 */
export function findUntrustedLink(
  draft: DiagnosisDraft,
  trustedTexts: readonly string[],
): UntrustedLink | null {
  const trusted = new Set(trustedTexts.flatMap((text) => linksIn(text, { hostNames: true })));
  for (const { item, text, isAdvice } of textsOf(draft)) {
    const link = linksIn(text, { hostNames: isAdvice }).find((found) => !trusted.has(found));
    if (link !== undefined) return { item, link };
  }
  return null;
}

interface DraftText {
  readonly item: number | null;
  readonly text: string;
  /** Where a bare host name tells the reader where to go; elsewhere it only names a machine. */
  readonly isAdvice: boolean;
}

function textsOf(draft: DiagnosisDraft): readonly DraftText[] {
  const { conclusion, analysis, action_plan, recommendations, limitations } = draft;
  const report = [...limitations.checked_scope, ...limitations.missing_info];
  return [
    ...analysis.flatMap(({ statement, quotes }, item) =>
      [statement, ...(quotes ?? []).map((quote) => quote.text)].map((text) => ({
        item,
        text,
        isAdvice: false,
      })),
    ),
    ...[conclusion ?? '', ...report].map((text) => ({ item: null, text, isAdvice: false })),
    ...[...action_plan, ...recommendations].map((text) => ({ item: null, text, isAdvice: true })),
  ];
}
