import { listOf, memberOf, textOf } from '../json-shape.ts';
import type { Exchange } from './conversation.ts';
import type { Playbook } from './playbook.ts';
import { folded, shownLines } from './shown-evidence.ts';

const EXCEPTION_CLASS = /\b[A-Z][A-Za-z0-9]{2,80}(?:Exception|Error)\b/gu;
const GRAVE_LEVELS = new Set(['ERROR', 'FATAL', 'CRITICAL', 'SEVERE']);

/**
 * GAINED when an observation shows a signal of the playbook, an exception class or a pattern of
 * grave lines that no earlier observation showed.
 */
export function evaluateGain(
  exchange: Exchange,
  earlier: readonly Exchange[],
  playbook: Playbook | null,
): 'GAINED' | 'NO_GAIN' {
  const known = new Set(earlier.flatMap((other) => [...marksOf(other, playbook)]));
  const marks = [...marksOf(exchange, playbook)];
  return marks.some((mark) => !known.has(mark)) ? 'GAINED' : 'NO_GAIN';
}

function marksOf(exchange: Exchange, playbook: Playbook | null): ReadonlySet<string> {
  const lines = shownLines(exchange).map(({ text }) => text);
  const text = folded(lines.join('\n'));
  return new Set([
    ...wordings(playbook).filter((wording) => text.includes(wording)),
    ...lines.flatMap((line) => line.match(EXCEPTION_CLASS) ?? []),
    ...gravePatterns(exchange),
  ]);
}

function wordings(playbook: Playbook | null): readonly string[] {
  return (playbook?.causes ?? [])
    .flatMap(({ signals, counterSignals }) => [...signals, ...counterSignals])
    .flatMap(({ alternatives }) => alternatives.map(folded));
}

/** Pattern lines of grave levels without their count, which differs by window. */
function gravePatterns({ observation }: Exchange): readonly string[] {
  return listOf(memberOf(observation, 'patterns'))
    .filter((pattern) => GRAVE_LEVELS.has(textOf(memberOf(pattern, 'level')).toUpperCase()))
    .map((pattern) => textOf(memberOf(pattern, 'line')).replace(/^\d{1,12}×\s{0,2}/u, ''));
}
