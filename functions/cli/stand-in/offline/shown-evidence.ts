import { listOf, memberOf, textOf } from '../json-shape.ts';
import type { Exchange } from './conversation.ts';
import type { Signal } from './playbook.ts';

/** One quotable string of an observation: what a source said, not what anyone asked. */
export interface ShownLine {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The query that returned a row, else null. */
  readonly queryName: string | null;
  readonly text: string;
  /** True for a pattern, which stands for many lines and tells their number. */
  readonly isSummary: boolean;
}

/** A signal that was shown: where, and in which of its wordings. */
export interface FoundSignal {
  readonly line: ShownLine;
  readonly wording: string;
}

/** Ids of observations are ours (`call-3`), not the provider's. */
export function toolCallIdOf({ observation }: Exchange): string {
  return textOf(memberOf(observation, 'tool_call_id'));
}

export function statusOf({ observation }: Exchange): string {
  return textOf(memberOf(observation, 'evidence_status'));
}

/** The business input of an evidence call. */
export function businessInput({ input }: Exchange): unknown {
  return memberOf(input, 'input');
}

/** The quotable strings of an observation: whitelisted, as everything else may be the asker's words. */
export function shownLines(exchange: Exchange): readonly ShownLine[] {
  const { observation, toolName } = exchange;
  const queryName = memberOf(businessInput(exchange), 'query_name');
  const toLine = (isSummary: boolean) => (text: unknown) => ({
    toolCallId: toolCallIdOf(exchange),
    toolName,
    queryName: typeof queryName === 'string' ? queryName : null,
    text: textOf(text),
    isSummary,
  });
  const list = (key: string) => listOf(memberOf(observation, key));
  return [
    ...[...list('events'), ...list('rows')].map(toLine(false)),
    ...list('evidence').map((document) => toLine(false)(memberOf(document, 'excerpt'))),
    ...list('patterns').map((pattern) => toLine(true)(memberOf(pattern, 'line'))),
    ...list('evidence').map((document) => toLine(true)(memberOf(document, 'title'))),
  ];
}

/** As passages are compared: NFC, lower case, without white space and the quotes around a row's values. */
export function folded(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s']+/gu, '');
}

/** Where a signal was shown: the first single line that holds it, and the first pattern that does. */
export function findSignal(signal: Signal, lines: readonly ShownLine[]): readonly FoundSignal[] {
  const places = signal.alternatives.flatMap((wording) => {
    const wanted = folded(wording);
    return lines
      .filter((line) => belongs(line, signal) && folded(line.text).includes(wanted))
      .map((line) => ({ line, wording }));
  });
  const single = places.find(({ line }) => !line.isSummary);
  const summary = places.find(({ line }) => line.isSummary);
  return [single, summary].filter((place) => place !== undefined);
}

/** Background reading proves nothing about this incident, so it counts only where it is named. */
function belongs(line: ShownLine, { toolName, queryName }: Signal): boolean {
  if (toolName === null) return line.toolName !== 'lookup_knowledge';
  return line.toolName === toolName && (queryName === null || line.queryName === queryName);
}
