import { MAX_FIELD_DEPTH } from './entry-fields.ts';
import { HEAD_LEVEL, KEYED_LEVEL, levelWords, MARKED_LEVEL } from './insights-level.ts';
import {
  isPlain,
  jsonForms,
  jsonName,
  literal,
  PLAIN_TEXT,
  pairsOf,
  plainForms,
  SPOKEN_TEXT,
} from './insights-literal.ts';
import type { LogFilter } from './log-filter.ts';
import type { LogLevel } from './log-level.ts';

type FieldFilter = Extract<LogFilter, { readonly kind: 'field' }>;

/**
 * The commands of CloudWatch Logs Insights that let through what a filter asks for. Which commands
 * and fields they use depends on the kinds of comparison only; texts and values stand in literals,
 * never in a command, a name or a regular expression.
 */
export function filterCommands(filter: LogFilter): readonly string[] {
  const leaves = leavesOf(filter);
  const hasFields = leaves.some(({ kind }) => kind === 'field');
  const hasLevels = leaves.some(({ kind }) => kind === 'level');
  const text = hasFields || !leaves.every(isSpokenPlainly) ? SPOKEN_TEXT : PLAIN_TEXT;
  return [
    `fields ${text} as dText, strlen(@message) as dLength`,
    ...(hasFields ? [`fields ${pairsOf('dText')} as dPairs`] : []),
    ...(hasLevels ? LEVEL_COMMANDS : []),
    ...(filter.kind === 'all' ? [] : [`filter ${condition(filter)}`]),
  ];
}

const LEVEL_COMMANDS = [
  `parse @message /${KEYED_LEVEL}/`,
  `parse @message /${HEAD_LEVEL}/`,
  `parse @message /${MARKED_LEVEL}/`,
  'fields coalesce(dKeyed, dHead, dMarked) as dLevel',
];

function leavesOf(filter: LogFilter): readonly LogFilter[] {
  switch (filter.kind) {
    case 'not':
      return leavesOf(filter.operand);
    case 'and':
    case 'or':
      return filter.operands.flatMap(leavesOf);
    default:
      return [filter];
  }
}

function isSpokenPlainly(filter: LogFilter): boolean {
  return filter.kind !== 'text' || isPlain(filter.text);
}

/** Never an unknown: each comparison is true or false for every event, so NOT turns it round. */
function condition(filter: LogFilter): string {
  switch (filter.kind) {
    case 'all':
      return '(strlen(@message) >= 0)';
    case 'text':
      return `dText like ${literal(filter.text)}`;
    case 'level':
      return levelCondition(filter.level);
    case 'field':
      return fieldCondition(filter);
    case 'not':
      return `(not ${condition(filter.operand)})`;
    case 'and':
    case 'or':
      return joined(filter.operands.map(condition), filter.kind);
  }
}

function joined(conditions: readonly string[], word: 'and' | 'or'): string {
  return `(${conditions.join(` ${word} `)})`;
}

function levelCondition(level: LogLevel): string {
  const words = levelWords(level).map((word) => `"${word}"`);
  return `(ispresent(dLevel) and toupper(dLevel) in [${words.join(', ')}])`;
}

/** The whole name or its last part, as `matches` has it; a dotted name may be that of nested objects. */
function fieldCondition({ name, value }: FieldFilter): string {
  const lower = name.toLowerCase();
  const whole = jsonForms(lower, value).flatMap((form) => [` ${form}`, `.${form}`]);
  const named = [...whole, ...plainForms(lower, value)].map(amongPairs);
  const parents = lower.split('.');
  const last = parents.pop() ?? '';
  if (parents.length === 0 || parents.length >= MAX_FIELD_DEPTH) return joined(named, 'or');
  const inner = jsonForms(last, value).map((form) => amongPairs(` ${form}`));
  const nested = [...parents.map(jsonName).map(amongPairs), joined(inner, 'or')];
  return joined([...named, joined(nested, 'and')], 'or');
}

function amongPairs(text: string): string {
  return `dPairs like ${literal(text)}`;
}
