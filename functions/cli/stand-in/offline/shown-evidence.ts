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

/** Single events, rows and excerpts come before patterns and titles: they hold times and figures. */
export function shownLines(exchange: Exchange): readonly ShownLine[] {
  const { observation, toolName } = exchange;
  const documents = listOf(memberOf(observation, 'evidence'));
  const texts = [
    ...listOf(memberOf(observation, 'events')),
    ...listOf(memberOf(observation, 'patterns')).map((pattern) => memberOf(pattern, 'line')),
    ...listOf(memberOf(observation, 'rows')),
    ...documents.map((document) => memberOf(document, 'excerpt')),
    ...documents.map((document) => memberOf(document, 'title')),
  ];
  const queryName = memberOf(businessInput(exchange), 'query_name');
  return texts.map(textOf).map((text) => ({
    toolCallId: toolCallIdOf(exchange),
    toolName,
    queryName: typeof queryName === 'string' ? queryName : null,
    text,
  }));
}

/** As passages are compared: NFC, lower case, without white space. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/gu, '');
}

/** The first line that shows a signal where it belongs, with the wording that was found. */
export function findSignal(
  signal: Signal,
  lines: readonly ShownLine[],
): { readonly line: ShownLine; readonly wording: string } | null {
  for (const wording of signal.alternatives) {
    const wanted = folded(wording);
    const line = lines.find(
      (shown) => belongs(shown, signal) && folded(shown.text).includes(wanted),
    );
    if (line !== undefined) return { line, wording };
  }
  return null;
}

/** Background reading proves nothing about this incident, so it counts only where it is named. */
function belongs(line: ShownLine, { toolName, queryName }: Signal): boolean {
  if (toolName === null) return line.toolName !== 'lookup_knowledge';
  return line.toolName === toolName && (queryName === null || line.queryName === queryName);
}
