import {
  type AnalysisItem,
  type DiagnosisDraft,
  MAX_DRAFT_BYTES,
  type Quote,
} from '../../../../shared/contracts/diagnosis-draft.ts';
import { cutUtf8, utf8Length } from '../../../../shared/kernel/utf8.ts';
import { memberOf, textOf } from '../json-shape.ts';
import { analysisItem, inputText, scopeText } from './analysis-items.ts';
import { type CauseFinding, findCauses } from './cause-findings.ts';
import type { Conversation, Exchange } from './conversation.ts';
import type { PlannedCall } from './evidence-plan.ts';
import type { Playbook, Signal } from './playbook.ts';
import { type FoundSignal, folded, shownLines, statusOf } from './shown-evidence.ts';
import { CHINESE, ENGLISH, type Wording } from './wording.ts';
import { isChinese } from './words.ts';

/** What a draft is made from: what was shown, what the playbook says of it, what was not reached. */
export interface DraftMaterial {
  readonly conversation: Conversation;
  readonly playbook: Playbook | null;
  readonly unreached: readonly PlannedCall[];
  readonly skippedQueries: readonly string[];
}

/** The draft's own limits for its lists; entries stay short, so that they leave room for the facts. */
const MAX_ITEMS = 12;
const MAX_SCOPE_ENTRIES = 12;
const MAX_SCOPE_BYTES = 300;
const MAX_ADVICE = 5;
const MAX_ADVICE_BYTES = 500;
const MAX_CONCLUSION_BYTES = 2_000;
/** Facts that a conclusion repeats; its items hold the rest. */
const MAX_FACTS = 3;

/**
 * A draft whose facts are passages of the observations shown. It concludes if the signals of exactly
 * one cause were seen, and else says which are missing.
 */
export function writeDraft(material: DraftMaterial): DiagnosisDraft {
  const { conversation, playbook } = material;
  const wording = isChinese(conversation.query) ? CHINESE : ENGLISH;
  const shown = conversation.exchanges.filter(isEvidence);
  const findings = findCauses(playbook, shown.flatMap(shownLines));
  const supported = findings.filter(({ isSupported }) => isSupported);
  const only = supported.length === 1 ? (supported[0] ?? null) : null;
  const found = (only === null ? findings : [only]).flatMap((finding) => finding.found);
  const analysis = shown
    .slice(0, MAX_ITEMS)
    .map((exchange) => analysisItem(exchange, found, wording));
  const facts = only === null ? [] : factsOf(only, analysis);
  const cause = facts.length === 0 ? null : only;

  return fitted({
    conclusion: cause === null ? null : conclusionOf(cause, facts, wording),
    analysis,
    action_plan: cause === null ? [] : adviceFor(playbook, cause.cause.name),
    recommendations: [
      ...(cause === null ? [wording.nextStep] : adviceFor(playbook, null)),
      wording.note,
    ],
    limitations: {
      checked_scope: entries(shown.map((exchange) => scopeText(exchange, wording))),
      missing_info: entries([
        ...(cause === null ? reasonsForNone(playbook, findings, wording) : []),
        ...gaps(material, wording),
      ]),
    },
  });
}

function isEvidence(exchange: Exchange): boolean {
  return ['EVIDENCE_FOUND', 'NO_EVIDENCE'].includes(statusOf(exchange));
}

/** Quotes of the items that show a signal of the cause in logs or rows. */
function factsOf({ found }: CauseFinding, analysis: readonly AnalysisItem[]): readonly string[] {
  const proofs = found.filter(({ line }) => line.toolName !== 'lookup_knowledge');
  return analysis
    .flatMap(({ quotes }) => quotes ?? [])
    .filter((quote) => proofs.some((proof) => shows(quote, proof)))
    .map(({ text }) => text)
    .slice(0, MAX_FACTS);
}

function shows(quote: Quote, { line, wording }: FoundSignal): boolean {
  return quote.tool_call_id === line.toolCallId && folded(quote.text).includes(folded(wording));
}

function conclusionOf({ cause }: CauseFinding, facts: readonly string[], wording: Wording): string {
  return cutUtf8(wording.conclusion(cause.name, facts), MAX_CONCLUSION_BYTES);
}

/** Advice for the cause of this name; for null, what holds whatever the cause is. */
function adviceFor(playbook: Playbook | null, name: string | null): string[] {
  return (playbook?.advice ?? [])
    .filter(({ cause }) => cause === name)
    .slice(0, MAX_ADVICE)
    .map(({ text }) => cutUtf8(text, MAX_ADVICE_BYTES));
}

function reasonsForNone(
  playbook: Playbook | null,
  findings: readonly CauseFinding[],
  wording: Wording,
): readonly string[] {
  if (playbook === null) return [wording.noPlaybook];
  const supported = findings.filter(({ isSupported }) => isSupported);
  if (supported.length > 1) return [wording.ambiguous(supported.map(({ cause }) => cause.name))];
  const reasons = findings.flatMap(({ cause, missing, against }) => [
    ...(missing.length === 0
      ? []
      : [
          wording.missing(
            cause.name,
            missing.map((signal) => wording.signal(placeOf(signal, wording), signal.alternatives)),
          ),
        ]),
    ...(against.length === 0
      ? []
      : [wording.against(cause.name, [...new Set(against.map((seen) => seen.wording))])]),
  ]);
  return reasons.length === 0 ? [wording.noSignals] : reasons;
}

function placeOf({ toolName, queryName }: Signal, wording: Wording): string {
  return queryName === null ? wording.source(toolName) : wording.rowsOf(queryName);
}

function gaps(
  { conversation, unreached, skippedQueries }: DraftMaterial,
  wording: Wording,
): readonly string[] {
  const failed = conversation.exchanges.filter((exchange) => statusOf(exchange) === 'ERROR');
  return [
    ...failed.map((exchange) =>
      wording.failed(
        scopeText(exchange, wording),
        textOf(memberOf(exchange.observation, 'error_code')),
      ),
    ),
    ...skippedQueries.map((queryName) => wording.skipped(queryName)),
    ...unreached.map(({ toolName, input }) =>
      wording.notReached(inputText(toolName, input, wording)),
    ),
  ];
}

function entries(texts: readonly string[]): string[] {
  return texts.slice(0, MAX_SCOPE_ENTRIES).map((text) => cutUtf8(text, MAX_SCOPE_BYTES));
}

/** Drops items without a fact of the conclusion, the last first, until the draft has its size. */
function fitted(draft: DiagnosisDraft): DiagnosisDraft {
  const analysis = [...draft.analysis];
  const result = { ...draft, analysis };
  while (utf8Length(JSON.stringify(result)) > MAX_DRAFT_BYTES && analysis.length > 0) {
    const last = analysis.findLastIndex(({ quotes }) => !holdsFact(draft.conclusion, quotes));
    analysis.splice(last < 0 ? analysis.length - 1 : last, 1);
  }
  return result;
}

function holdsFact(conclusion: string | null, quotes: AnalysisItem['quotes']): boolean {
  return (quotes ?? []).some(({ text }) => conclusion?.includes(text) ?? false);
}
