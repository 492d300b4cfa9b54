import type { AnalysisItem, Quote } from '../../../../shared/contracts/diagnosis-draft.ts';
import { isRecord, memberOf, textOf } from '../json-shape.ts';
import type { Exchange, JsonObject } from './conversation.ts';
import { passageOf, withoutLinks } from './passage.ts';
import {
  businessInput,
  type FoundSignal,
  type ShownLine,
  shownLines,
  statusOf,
  toolCallIdOf,
} from './shown-evidence.ts';
import type { Wording } from './wording.ts';
import { rankByWords } from './words.ts';

const MAX_QUOTES = 3;
const TELLING = /\b(?:ERROR|FATAL|SEVERE|CRITICAL)\b|(?:Exception|Error)\b/u;

/** One item per call that found something or found nothing; failures prove neither. */
export function analysisItem(
  exchange: Exchange,
  found: readonly FoundSignal[],
  wording: Wording,
): AnalysisItem {
  const ids = { tool_call_ids: [toolCallIdOf(exchange)] };
  if (statusOf(exchange) === 'NO_EVIDENCE') {
    const statement = wording.nothingFound(scopeText(exchange, wording));
    return { type: 'NEGATIVE_OBSERVATION', statement, ...ids };
  }
  const quotes = quotesOf(exchange, found);
  const statement = statementOf(exchange, quotes[0]?.text ?? null, wording);
  return { type: 'OBSERVATION', statement, ...ids, ...(quotes.length === 0 ? {} : { quotes }) };
}

/** What a call looked at, in words that hold no link. */
export function scopeText(exchange: Exchange, wording: Wording): string {
  const window = memberOf(memberOf(exchange.observation, 'scope'), 'window');
  const from = memberOf(window, 'from');
  const span =
    typeof from === 'string' ? [wording.window(from, textOf(memberOf(window, 'to')))] : [];
  return [inputText(exchange.toolName, businessInput(exchange), wording), ...span].join(' ');
}

/** A source and the business input it was asked with, on one line. */
export function inputText(toolName: string, input: unknown, wording: Wording): string {
  const settings = Object.entries(isRecord(input) ? input : {}).map(
    ([key, value]) => `${key}=${JSON.stringify(value)}`,
  );
  return withoutLinks([wording.source(toolName), ...settings].join(' '));
}

function statementOf(
  { toolName, input, observation }: Exchange,
  passage: string | null,
  wording: Wording,
): string {
  switch (toolName) {
    case 'query_logs': {
      const topic = textOf(memberOf(input['input'], 'topic'));
      return wording.logsFound(topic, countOf(observation, 'matched_count'), passage);
    }
    case 'query_mysql':
      return wording.rowsFound(countOf(observation, 'returned_count'), passage);
    default:
      return wording.documentFound(passage);
  }
}

function countOf(observation: JsonObject, key: string): number {
  return Number(observation[key] ?? 0);
}

/** Passages around the signals found in this call, or the most telling line if it holds none. */
function quotesOf(exchange: Exchange, found: readonly FoundSignal[]): Quote[] {
  const toolCallId = toolCallIdOf(exchange);
  const here = found.filter(({ line }) => line.toolCallId === toolCallId);
  const passages = here.flatMap(({ line, wording }) => passageOf(line.text, wording) ?? []);
  const texts = passages.length > 0 ? passages : tellingPassages(exchange);
  return [...new Set(texts)]
    .slice(0, MAX_QUOTES)
    .map((text) => ({ tool_call_id: toolCallId, text }));
}

/** The first line that reports an error; of documents, the line nearest to what was looked for. */
function tellingPassages(exchange: Exchange): readonly string[] {
  const lines = shownLines(exchange);
  const texts = lines.flatMap(({ text }) => text.split('\n'));
  const ranked =
    exchange.toolName === 'lookup_knowledge'
      ? nearestLines(textOf(memberOf(businessInput(exchange), 'query')), lines)
      : texts.filter((text) => TELLING.test(text));
  return [...ranked, ...texts].flatMap((text) => passageOf(text, null) ?? []).slice(0, 1);
}

/** Sentences only: a title, a heading or a row of a table says little by itself. */
function nearestLines(wanted: string, lines: readonly ShownLine[]): readonly string[] {
  const candidates = lines
    .filter(({ isSummary }) => !isSummary)
    .flatMap(({ text }) => text.split('\n'))
    .filter((text) => !/^\s*[#|]/u.test(text))
    .map((text) => ({ name: '', text }));
  return rankByWords(wanted, candidates).map(({ candidate }) => candidate.text);
}
