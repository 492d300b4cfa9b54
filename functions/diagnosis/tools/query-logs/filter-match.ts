import type { EntryFields } from './entry-fields.ts';
import type { LogFilter } from './log-filter.ts';
import type { LogLevel } from './log-level.ts';

/** The part of an entry that a filter looks at. */
export interface FilterSubject {
  readonly text: string;
  readonly level: LogLevel | null;
  readonly fields: EntryFields | null;
}

/** True for an entry that the filter asks for; texts and values in any letter case. */
export function matches(filter: LogFilter, subject: FilterSubject): boolean {
  return filter.kind === 'all' || evaluate(filter, subject, subject.text.toLowerCase());
}

function evaluate(filter: LogFilter, subject: FilterSubject, lowered: string): boolean {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'text':
      return lowered.includes(filter.text.toLowerCase());
    case 'level':
      return subject.level === filter.level;
    case 'field':
      return hasField(filter.name.toLowerCase(), filter.value.toLowerCase(), subject, lowered);
    case 'not':
      return !evaluate(filter.operand, subject, lowered);
    case 'and':
      return filter.operands.every((operand) => evaluate(operand, subject, lowered));
    case 'or':
      return filter.operands.some((operand) => evaluate(operand, subject, lowered));
  }
}

/** Equal field of a structured entry (whole path or its last part), or `name=value` in plain text. */
function hasField(name: string, value: string, subject: FilterSubject, lowered: string): boolean {
  for (const [path, found] of subject.fields ?? []) {
    const lower = path.toLowerCase();
    const isNamed = lower === name || lower.endsWith(`.${name}`);
    if (isNamed && found.toLowerCase() === value) return true;
  }
  return hasPair(`${name}=${value}`, lowered) || hasPair(`${name}="${value}"`, lowered);
}

function hasPair(pair: string, lowered: string): boolean {
  for (let at = lowered.indexOf(pair); at !== -1; at = lowered.indexOf(pair, at + 1)) {
    const after = lowered.charAt(at + pair.length);
    if (!/[\w.@-]/.test(lowered.charAt(at - 1)) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
