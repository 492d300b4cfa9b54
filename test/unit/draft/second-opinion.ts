import { parse } from 'lossless-json';
import { MAX_DRAFT_BYTES } from '../../../shared/contracts/diagnosis-draft.ts';
import { utf8Bytes } from '../../../shared/kernel/utf8.ts';

/**
 * Whether a text is a draft, decided by other means than the parser's: another library for the
 * grammar, keys counted in the text against members counted in the value, a shape written by hand.
 */
export function isDraftToo(text: string): boolean {
  const bytes = utf8Bytes(text).length;
  if (bytes > MAX_DRAFT_BYTES || text !== new TextDecoder().decode(utf8Bytes(text))) return false;
  const value = losslessValue(text);
  return keysIn(text) === membersIn(value) && isDraft(value);
}

function losslessValue(text: string): unknown {
  try {
    return parse(text, undefined, Number);
  } catch {
    return undefined;
  }
}

/** Colons outside of strings: one for each key that is written. */
function keysIn(text: string): number {
  let keys = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString && character === '\\') at += 1;
    if (character === '"') inString = !inString;
    if (!inString && character === ':') keys += 1;
  }
  return keys;
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, member) => sum + membersIn(member), own);
}

type Check = (value: unknown) => boolean;

const isDraft = record({
  conclusion: either(isNull, textOf(2_000)),
  analysis: listOf(
    0,
    12,
    record(
      {
        type: (value) => value === 'OBSERVATION' || value === 'NEGATIVE_OBSERVATION',
        statement: textOf(2_000),
        tool_call_ids: listOf(1, 8, textOf(64)),
      },
      {
        quotes: either(
          isNull,
          listOf(0, 4, record({ tool_call_id: textOf(64), text: textOf(500) })),
        ),
      },
    ),
  ),
  action_plan: listOf(0, 8, textOf(1_000)),
  recommendations: listOf(0, 8, textOf(1_000)),
  limitations: record({
    checked_scope: listOf(0, 12, textOf(512)),
    missing_info: listOf(0, 12, textOf(512)),
  }),
});

function record(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  const checks = new Map([...Object.entries(required), ...Object.entries(optional)]);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(required).every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, member]) => checks.get(key)?.(member) ?? false);
}

function listOf(min: number, max: number, check: Check): Check {
  return (value) =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every(check);
}

function textOf(maxBytes: number): Check {
  return (value) =>
    typeof value === 'string' &&
    /\S/.test(value) &&
    utf8Bytes(value).length <= maxBytes &&
    value === new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8Bytes(value));
}

function either(first: Check, second: Check): Check {
  return (value) => first(value) || second(value);
}

function isNull(value: unknown): boolean {
  return value === null;
}
