import type { GuardedRun } from '../../../functions/diagnosis/draft/draft-guard.ts';
import type { DiagnosisDraft } from '../../../shared/contracts/diagnosis-draft.ts';

/** The guard's rules once more, one line each, the slow way; links are those that begin with `http`. */
export function brokenRules(draft: DiagnosisDraft, run: GuardedRun): string[] {
  const calls = run.calls.map((call) => ({ ...call, shown: shown(call.observation) }));
  const cited = draft.analysis.flatMap((item) =>
    item.tool_call_ids.map((id) => ({ item, call: calls.find((call) => call.toolCallId === id) })),
  );
  const quotes = draft.analysis.flatMap((item) =>
    (item.quotes ?? []).map((quote) => ({
      item,
      quote,
      call: calls.find((call) => call.toolCallId === quote.tool_call_id),
    })),
  );
  const grounds = run.requireQuotes ? quotes : cited;
  const checkedNothing = run.calls.length === 0;
  const trusted = [
    ...run.playbookTexts,
    ...cited.flatMap(({ call }) => call?.shown.excerpts ?? []),
  ].flatMap(links);

  const rules = {
    'every citation is evidence': cited.every(({ call }) => call !== undefined),
    'observations cite what was found': cited.every(
      ({ item, call }) => item.type !== 'OBSERVATION' || call?.evidenceStatus === 'EVIDENCE_FOUND',
    ),
    'quotes are cited': quotes.every(({ item, quote }) =>
      item.tool_call_ids.includes(quote.tool_call_id),
    ),
    'quotes are of calls that found something': quotes.every(
      ({ call }) => call?.evidenceStatus === 'EVIDENCE_FOUND',
    ),
    'quotes are long enough': quotes.every(
      ({ quote }) => Buffer.from(bare(quote.text)).length >= 12,
    ),
    'quotes stand in one string': quotes.every(({ quote, call }) =>
      call?.shown.strings.some((string) => bare(string).includes(bare(quote.text))),
    ),
    'a conclusion has a ground':
      draft.conclusion === null ||
      grounds.some(
        ({ call }) => call?.evidenceStatus === 'EVIDENCE_FOUND' && /^query_/.test(call.toolName),
      ),
    'no conclusion says what it lacks':
      draft.conclusion !== null || draft.limitations.missing_info.length > 0,
    'no conclusion says what was checked':
      draft.conclusion !== null || checkedNothing || draft.limitations.checked_scope.length > 0,
    'links are trusted': links(JSON.stringify(draft)).every((link) => trusted.includes(link)),
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

/** A text as quotes are compared. */
export function bare(text: string): string {
  return [...text.normalize('NFC')].filter((character) => character.trim() !== '').join('');
}

function links(text: string): string[] {
  return text.match(/http[a-z0-9:/.]+/g) ?? [];
}

interface Shown {
  readonly strings: readonly string[];
  readonly excerpts: readonly string[];
}

function shown(observation: string): Shown {
  const {
    patterns = [],
    events = [],
    rows = [],
    evidence = [],
  } = JSON.parse(observation) as ObservationLists; // Written by the builders beside this file.
  const excerpts = evidence.map(({ excerpt }) => excerpt);
  const titles = evidence.map(({ title }) => title);
  return {
    strings: [...patterns.map(({ line }) => line), ...events, ...rows, ...titles, ...excerpts],
    excerpts,
  };
}

interface ObservationLists {
  readonly patterns?: readonly { readonly line: string }[];
  readonly events?: readonly string[];
  readonly rows?: readonly string[];
  readonly evidence?: readonly { readonly title: string; readonly excerpt: string }[];
}
