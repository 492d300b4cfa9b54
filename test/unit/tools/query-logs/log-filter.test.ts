import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalFilter } from '../../../../functions/diagnosis/tools/query-logs/filter-canonical.ts';
import { matches } from '../../../../functions/diagnosis/tools/query-logs/filter-match.ts';
import {
  type LogFilter,
  parseFilter,
} from '../../../../functions/diagnosis/tools/query-logs/log-filter.ts';
import type { LogLevel } from '../../../../functions/diagnosis/tools/query-logs/log-level.ts';

function filterOf(text: string): LogFilter {
  const parsed = parseFilter(text);
  if (parsed.kind === 'refused') throw new Error(`refused at ${parsed.fault.position}`);
  return parsed.filter;
}

function subject(text: string, level: LogLevel | null = null, fields: Record<string, string> = {}) {
  return { text, level, fields: new Map(Object.entries(fields)) };
}

const LINE =
  'ERROR Gateway read timed out for orderNo=20261130 after 30043ms | pay#7 "quoted" SOURCE';

it.each([
  ['', true],
  ['   ', true],
  ['TIMED gateway', true],
  ['timed missing', false],
  ['"timed out"', true],
  ['"out timed"', false],
  ['missing OR gateway', true],
  ['missing OR gateway AND absent', false],
  ['(missing OR gateway) timed', true],
  ['NOT missing', true],
  ['NOT (gateway OR missing)', false],
  ['gateway AND NOT timed', false],
  ['and', false],
  ['orderNo=20261130', true],
  ['orderno=20261130', true],
  ['orderNo=2026', false],
  ['|', true],
  ['#7', true],
  ['SOURCE', true],
  ['"\\"quoted\\""', true],
  ["'x'", false],
  ['30043ms', true],
])('evaluates %j on a plain line: %s', (text, expected) => {
  expect(matches(filterOf(text), subject(LINE))).toBe(expected);
});

it.each([
  ['level=ERROR', true],
  ['level=error', true],
  ['level="Error"', true],
  ['level=WARN', false],
  ['NOT level=INFO', true],
])('compares %j with the level of the entry: %s', (text, expected) => {
  expect(matches(filterOf(text), subject('lost', 'ERROR'))).toBe(expected);
});

it.each([
  ['error.type=timeout', true],
  ['type=Timeout', true],
  ['type=time', false],
  ['stage="read timeout"', true],
  ['missing=timeout', false],
])('compares %j with fields of a structured entry: %s', (text, expected) => {
  const fields = { 'error.type': 'Timeout', stage: 'read timeout' };

  expect(matches(filterOf(text), subject('{}', null, fields))).toBe(expected);
});

it.each([
  ['a AND', 5, 'OPERAND_MISSING'],
  ['OR a', 0, 'OPERAND_MISSING'],
  ['NOT', 3, 'OPERAND_MISSING'],
  ['()', 1, 'OPERAND_MISSING'],
  ['| stats count() by host', 14, 'OPERAND_MISSING'],
  ['| stats count(*)', 14, 'WILDCARD'],
  ['(a', 0, 'UNCLOSED_PARENTHESIS'],
  ['a)', 1, 'UNEXPECTED_PARENTHESIS'],
  ['a "bc', 2, 'UNCLOSED_QUOTE'],
  ['a ""', 2, 'EMPTY_TEXT'],
  ['code=', 5, 'EMPTY_TEXT'],
  ['level=LOUD', 6, 'UNKNOWN_LEVEL'],
  ['code!=5', 0, 'UNKNOWN_OPERATOR'],
  ['msg=~x', 0, 'UNKNOWN_OPERATOR'],
  ['*time*', 0, 'WILDCARD'],
  ['a\nb', 1, 'CONTROL_CHARACTER'],
  ['a\u0000', 1, 'CONTROL_CHARACTER'],
  ['a\u0085b', 1, 'CONTROL_CHARACTER'],
  [`${'('.repeat(40)}a${')'.repeat(40)}`, 16, 'TOO_DEEP'],
])('refuses %j at %i', (text, position, reason) => {
  expect(parseFilter(text)).toEqual({ kind: 'refused', fault: { position, reason } });
});

it.each([
  '| stats max by host',
  'timeout # comment',
  "SOURCE logGroups(namePrefix: ['secret'])",
  "like /.*/ or 1=1 -- '",
  'fields @message | filter @ptr like "x"',
  '#{jndi:ldap://x.invalid/a}',
  '`rm -rf /`',
])('takes %j as words to be found and nothing else', (text) => {
  const words = JSON.stringify(filterOf(text).kind);

  expect(['"and"', '"or"', '"text"', '"field"']).toContain(words);
  expect(matches(filterOf(text), subject('an ordinary line'))).toBe(false);
});

it.each([
  ['Timeout  gateway', 'gateway AND timeout'],
  ['a OR (b OR c)', 'C OR b OR A'],
  ['a a b', 'a AND b'],
  ['NOT NOT a', 'a'],
  ['"timeout"', 'timeout'],
  ['level=warning', 'level=WARN'],
  ['Code=X', 'code="x"'],
])('prints %j and %j alike', (one, other) => {
  expect(canonicalFilter(filterOf(one))).toBe(canonicalFilter(filterOf(other)));
});

it.each([
  ['a b', 'a OR b'],
  ['NOT a', 'a'],
  ['"a b"', 'a b'],
  ['level=ERROR', 'ERROR'],
])('prints %j and %j differently', (one, other) => {
  expect(canonicalFilter(filterOf(one))).not.toBe(canonicalFilter(filterOf(other)));
});

it('prints a filter that parses back into an equal one', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 60 });

  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parseFilter(text);
      fc.pre(parsed.kind === 'parsed' && text.isWellFormed());
      const printed = canonicalFilter(filterOf(text));

      expect(canonicalFilter(filterOf(printed))).toBe(printed);
    }),
  );
});
