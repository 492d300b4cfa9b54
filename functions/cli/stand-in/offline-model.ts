import { PLAYBOOK_TOOL_NAME } from '../../../shared/contracts/tool-inputs.ts';
import { utf8Length } from '../../../shared/kernel/utf8.ts';
import { type Brain, type ConverseBody, mintToolUseId } from './brain.ts';
import { memberOf, textOf } from './json-shape.ts';
import { findCauses } from './offline/cause-findings.ts';
import { type Conversation, type Exchange, readConversation } from './offline/conversation.ts';
import { callKey, type PlannedCall, planEvidence } from './offline/evidence-plan.ts';
import { evaluateGain } from './offline/gain.ts';
import { listedEntries, listedPlaybooks } from './offline/listing.ts';
import { writeDraft } from './offline/offline-draft.ts';
import { type Playbook, readPlaybook } from './offline/playbook.ts';
import { businessInput, shownLines, statusOf, toolCallIdOf } from './offline/shown-evidence.ts';
import { rankByWords } from './offline/words.ts';
import { answerWith, tokenUsage, toolUseBlock } from './scripted-brain.ts';

/** Shared words below which no playbook is taken: less than a word of its own and a common one. */
const MIN_PLAYBOOK_SCORE = 0.75;

/**
 * A small rule-based model that shows the product without a language model: it reads the playbook
 * that fits best, makes its calls in order, and drafts from what it was shown and nothing else. It
 * keeps nothing between requests, so the same request always gets the same bytes. Its usage figures
 * are a quarter of the bytes, so that budgets have something to count; it has no tokens.
 */
export function createOfflineModel(): Brain {
  return {
    answer: async (request) => {
      const move = nextMove(readConversation(request));
      const block =
        move.kind === 'call'
          ? toolUseBlock(move.toolName, move.input, mintToolUseId(request, 0))
          : { text: move.text };
      return answerWith([block], { usage: usageOf(request, block) });
    },
  };
}

type Move =
  | {
      readonly kind: 'call';
      readonly toolName: string;
      readonly input: Parameters<typeof toolUseBlock>[1];
    }
  | { readonly kind: 'answer'; readonly text: string };

function nextMove(conversation: Conversation): Move {
  const { exchanges } = conversation;
  const name = exchanges.length === 0 ? fittingPlaybook(conversation) : null;
  if (name !== null) return { kind: 'call', toolName: PLAYBOOK_TOOL_NAME, input: { name } };

  const playbook = playbookRead(conversation);
  const { calls, furtherCalls, skippedQueries } = planEvidence(conversation, playbook);
  const answered = new Set(exchanges.filter((exchange) => !isRepair(exchange)).map(keyOf));
  const isOpen = (call: PlannedCall) => !answered.has(callKey(call));
  const unreached = calls.filter(isOpen);
  const next =
    unreached[0] ?? (isSettled(conversation, playbook) ? undefined : furtherCalls.find(isOpen));
  if (next === undefined || exchanges.some(isStop)) {
    const draft = writeDraft({ conversation, playbook, unreached, skippedQueries });
    return { kind: 'answer', text: JSON.stringify(draft) };
  }
  const previous = previousObservation(exchanges, playbook);
  const envelope = previous === null ? {} : { previous_observation: previous };
  // Made of JSON alone; the SDK's document type does not know `unknown`.
  const input = { ...envelope, input: next.input } as Parameters<typeof toolUseBlock>[1];
  return { kind: 'call', toolName: next.toolName, input };
}

/** True once some cause has all its signals: nothing else that is asked would tell more to this model. */
function isSettled({ exchanges }: Conversation, playbook: Playbook | null): boolean {
  return findCauses(playbook, exchanges.flatMap(shownLines)).some(({ isSupported }) => isSupported);
}

function fittingPlaybook({ query, systemText, tools }: Conversation): string | null {
  if (!tools.has(PLAYBOOK_TOOL_NAME)) return null;
  const [best] = rankByWords(query, listedPlaybooks(systemText));
  return best !== undefined && best.score >= MIN_PLAYBOOK_SCORE ? best.candidate.name : null;
}

function playbookRead({ exchanges, tools }: Conversation): Playbook | null {
  for (const { observation } of exchanges) {
    const instructions = textOf(memberOf(observation, 'instructions'));
    if (instructions === '') continue;
    const queries = listedEntries(tools.get('query_mysql') ?? '').map(({ name }) => name);
    return readPlaybook(
      textOf(memberOf(observation, 'skill')),
      instructions,
      tools.keys(),
      queries,
    );
  }
  return null;
}

/** The evaluation that is due: of the call the harness asks for, else of the newest evidence. */
function previousObservation(
  exchanges: readonly Exchange[],
  playbook: Playbook | null,
): { readonly tool_call_id: string; readonly evaluation: string } | null {
  const expected = textOf(memberOf(exchanges.at(-1)?.observation, 'expected_tool_call_id'));
  const index = exchanges.findLastIndex((exchange) =>
    expected === '' ? statusOf(exchange) === 'EVIDENCE_FOUND' : toolCallIdOf(exchange) === expected,
  );
  const exchange = exchanges[index];
  if (exchange === undefined) return null;
  const id = toolCallIdOf(exchange);
  if (expected === '' && exchanges.some((later) => isEvaluationOf(later, id))) return null;
  return {
    tool_call_id: id,
    evaluation: evaluateGain(exchange, exchanges.slice(0, index), playbook),
  };
}

function isEvaluationOf(exchange: Exchange, toolCallId: string): boolean {
  const previous = memberOf(exchange.input, 'previous_observation');
  return memberOf(previous, 'tool_call_id') === toolCallId && !isRepair(exchange);
}

function isRepair({ observation }: Exchange): boolean {
  return memberOf(observation, 'control') === 'REPAIR_REQUIRED';
}

function isStop({ observation }: Exchange): boolean {
  return memberOf(observation, 'control') === 'STOP_REQUIRED';
}

function keyOf(exchange: Exchange): string {
  const input = businessInput(exchange);
  return callKey({ toolName: exchange.toolName, input: input as Record<string, unknown> }); // JSON, only hashed
}

function usageOf(request: ConverseBody, answer: unknown): ReturnType<typeof tokenUsage> {
  const quarter = (value: unknown) => Math.round(utf8Length(JSON.stringify(value)) / 4);
  return tokenUsage({ inputTokens: quarter(request), outputTokens: quarter(answer) });
}
