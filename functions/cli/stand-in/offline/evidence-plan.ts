import { canonicalJson } from '../../../../shared/kernel/canonical-json.ts';
import { cutUtf8 } from '../../../../shared/kernel/utf8.ts';
import type { Conversation, JsonObject } from './conversation.ts';
import {
  type ListedEntry,
  listedEntries,
  listedTopics,
  recentMinutes,
  statedMinutes,
} from './listing.ts';
import type { Playbook, PlaybookStep } from './playbook.ts';
import { fillParameters } from './query-parameters.ts';
import { rankByWords } from './words.ts';

/** A call that the playbook asks for, without its envelope. */
export interface PlannedCall {
  readonly toolName: string;
  readonly input: JsonObject;
}

export interface EvidencePlan {
  /** What the steps ask for, in their order. */
  readonly calls: readonly PlannedCall[];
  /** Topics that only the question speaks of, for when the steps did not settle it. */
  readonly furtherCalls: readonly PlannedCall[];
  /** Queries that were left out, as a parameter of theirs can't be known or nobody lists them. */
  readonly skippedQueries: readonly string[];
}

/** Topics that one step may look into: a run has few rounds, and other steps want theirs. */
const MAX_TOPICS = 3;
/** Minutes to look back where neither request, playbook nor topic names any. */
const DEFAULT_MINUTES = 60;
const MAX_FILTER_BYTES = 512; // query_logs.input.query
const MAX_SEARCH_BYTES = 1_024; // lookup_knowledge.input.query

/** The calls of a playbook in its order; without one, a look at the fitting logs and documents. */
export function planEvidence(conversation: Conversation, playbook: Playbook | null): EvidencePlan {
  const { query } = conversation;
  const steps = (playbook?.steps ?? stepsWithoutPlaybook(conversation)).filter(({ toolName }) =>
    conversation.tools.has(toolName),
  );
  const planned = steps.map((step) => ({ step, calls: callsOf(step, step.text, conversation) }));
  const logSteps = steps.filter(({ toolName }) => toolName === 'query_logs');
  return {
    calls: withoutRepeats(planned.flatMap(({ calls }) => calls)),
    furtherCalls: withoutRepeats(logSteps.flatMap((step) => callsOf(step, query, conversation))),
    skippedQueries: planned
      .filter(({ step, calls }) => step.toolName === 'query_mysql' && calls.length === 0)
      .map(({ step }) => step.argument ?? step.text),
  };
}

/** Equal calls have equal keys. */
export function callKey({ toolName, input }: PlannedCall): string {
  return canonicalJson([toolName, input]);
}

function stepsWithoutPlaybook({ query }: Conversation): readonly PlaybookStep[] {
  return [
    { toolName: 'query_logs', text: query, argument: null },
    { toolName: 'lookup_knowledge', text: query, argument: query },
  ];
}

/** The calls of a step; logs are looked for in the topics that `about` speaks of. */
function callsOf(
  step: PlaybookStep,
  about: string,
  conversation: Conversation,
): readonly PlannedCall[] {
  switch (step.toolName) {
    case 'query_logs':
      return logCalls(step, about, conversation);
    case 'query_mysql':
      return mysqlCalls(step, conversation);
    case 'lookup_knowledge':
      return step.argument === null ? [] : [searchCall(step.argument)];
    default:
      return [];
  }
}

function logCalls(
  step: PlaybookStep,
  about: string,
  { query, tools }: Conversation,
): readonly PlannedCall[] {
  const topics = listedTopics(tools.get('query_logs') ?? '');
  return fittingTopics(topics, about, query).map(({ name, text }) => {
    const longest = statedMinutes(text) ?? DEFAULT_MINUTES;
    const wanted = recentMinutes(query) ?? recentMinutes(step.text) ?? longest;
    const filter = cutUtf8(step.argument ?? '', MAX_FILTER_BYTES);
    return {
      toolName: 'query_logs',
      input: { topic: name, query: filter, lookback_minutes: Math.min(wanted, longest) },
    };
  });
}

/** Half a word that no other topic has, or several that others have too. */
const MIN_TOPIC_SCORE = 0.5;

/** Topics that a text speaks of; if it speaks of none, the one that the question is nearest to. */
function fittingTopics(
  topics: readonly ListedEntry[],
  about: string,
  query: string,
): readonly ListedEntry[] {
  const fitting = rankByWords(about, topics)
    .filter(({ score }) => score >= MIN_TOPIC_SCORE)
    .map(({ candidate }) => candidate);
  if (fitting.length > 0) return fitting.slice(0, MAX_TOPICS);
  const [nearest] = rankByWords(query, topics);
  return nearest === undefined ? topics.slice(0, 1) : [nearest.candidate];
}

function mysqlCalls(step: PlaybookStep, { query, tools }: Conversation): readonly PlannedCall[] {
  const listed = listedEntries(tools.get('query_mysql') ?? '');
  const entry = listed.find(({ name }) => name === step.argument);
  if (entry === undefined) return [];
  const minutes = recentMinutes(query) ?? recentMinutes(step.text);
  const parameters = fillParameters(entry.text, { minutes, query });
  if (parameters === null) return [];
  return [{ toolName: 'query_mysql', input: { query_name: entry.name, parameters } }];
}

function searchCall(text: string): PlannedCall {
  return { toolName: 'lookup_knowledge', input: { query: cutUtf8(text, MAX_SEARCH_BYTES) } };
}

function withoutRepeats(calls: readonly PlannedCall[]): readonly PlannedCall[] {
  return [...new Map(calls.map((call) => [callKey(call), call])).values()];
}
