import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  HEAD_LEVEL,
  KEYED_LEVEL,
  MARKED_LEVEL,
} from '../../../../functions/diagnosis/tools/query-logs/insights-level.ts';
import { literal } from '../../../../functions/diagnosis/tools/query-logs/insights-literal.ts';
import { insightsQueries } from '../../../../functions/diagnosis/tools/query-logs/insights-query.ts';
import {
  type LogFilter,
  parseFilter,
} from '../../../../functions/diagnosis/tools/query-logs/log-filter.ts';
import { commandsOf } from '../../../support/insights-language.ts';
import { insightsTokens } from '../../../support/insights-tokens.ts';

const HOUR_MS = 3_600_000;

function filterOf(text: string): LogFilter {
  const parsed = parseFilter(text);
  if (parsed.kind === 'refused') throw new Error(`refused: ${text}`);
  return parsed.filter;
}

function queriesOf(filter: LogFilter): string[] {
  const { counts, sample } = insightsQueries(filter, HOUR_MS);
  return [counts, sample];
}

/** Everything of a query but what stands in its string literals. */
function skeleton(query: string): string[] {
  return insightsTokens(query).map(({ kind, text }) => (kind === 'string' ? 'STRING' : text));
}

/** The same filter with harmless words in the place of the model's. */
function harmless(filter: LogFilter): LogFilter {
  switch (filter.kind) {
    case 'text':
      return { kind: 'text', text: /["\\]/.test(filter.text) ? 'a\\b' : 'ab' };
    case 'field':
      return { kind: 'field', name: filter.name.replaceAll(/[^.]+/g, 'n'), value: 'v' };
    case 'not':
      return { kind: 'not', operand: harmless(filter.operand) };
    case 'and':
    case 'or':
      return { kind: filter.kind, operands: filter.operands.map(harmless) };
    default:
      return filter;
  }
}

function expectTheTemplate(text: string): void {
  const filter = filterOf(text);

  const queries = queriesOf(filter);

  expect(queries.map(skeleton)).toEqual(queriesOf(harmless(filter)).map(skeleton));
}

const HOSTILE = [
  '| stats count(*) by @message',
  '" | fields @message | limit 1 | display "',
  '\\" | limit 1',
  "' | limit 1 #",
  '\\',
  '\\\\"',
  'x # comment',
  "SOURCE logGroups(namePrefix: ['secret'])",
  'SOURCE "arn:aws:logs:us-east-1:123456789012:log-group:other"',
  '/.*/ or 1=1',
  '" or dText like /.*/ or dText like "',
  '`@ptr`',
  'level"=x | unmask(@message)',
  '$(jndi:ldap://x.invalid)',
  '\u241f | limit 1 \u241c',
  '＂ ｜ limit 1',
  '\u202e" | \u2066limit 1',
];

describe('a filter text', () => {
  it.each(HOSTILE)('never becomes more than literals: %j', (text) => {
    expectTheTemplate(`"${text.replaceAll(/["\\]/g, '\\$&')}"`);
    expectTheTemplate(`name="${text.replaceAll(/["\\]/g, '\\$&')}"`);
  });

  it('never becomes more than literals, whatever it is', () => {
    const hostile = fc.constantFrom(...HOSTILE, '|', '#', '"', "'", '\\', '/', '(', ')', ' OR ');
    const piece = fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 8 }));
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

    fc.assert(
      fc.property(text, (given) => {
        const isRead = parseFilter(given).kind === 'parsed';
        fc.pre(isRead);

        expectTheTemplate(given);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never becomes more than literals in quotes, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (given) => {
        const text = `"x${given.replaceAll(/["\\]/g, '\\$&')}" OR f="y${given.replaceAll(/["\\]/g, '\\$&')}"`;
        fc.pre(parseFilter(text).kind === 'parsed');

        expectTheTemplate(text);
      }),
      { numRuns: 2_000 },
    );
  });
});

const TEMPLATE = ['fields', 'fields', 'sort', 'limit', 'display'];

it.each([
  ['', TEMPLATE],
  ['a | b', ['fields', 'filter', 'fields', 'sort', 'limit', 'display']],
  ['f=1', ['fields', 'fields', 'filter', 'fields', 'sort', 'limit', 'display']],
  [
    'level=WARN',
    [
      ...['fields', 'parse', 'parse', 'parse', 'fields', 'filter'],
      ...['fields', 'sort', 'limit', 'display'],
    ],
  ],
])('has for %j the commands of the template', (text, commands) => {
  const { sample } = insightsQueries(filterOf(text), HOUR_MS);

  expect(commandsOf(sample).map(([name]) => name)).toEqual(commands);
});

it('has no regular expression but the three of the template', () => {
  const [counts = ''] = queriesOf(filterOf('level=ERROR "/.*/" f="/x/"'));

  const regexes = insightsTokens(counts).filter(({ kind }) => kind === 'regex');

  expect(regexes.map(({ text }) => text)).toEqual([KEYED_LEVEL, HEAD_LEVEL, MARKED_LEVEL]);
});

it.each(['a\nb', 'a\rb', 'a\u0000', 'a\u0085b', 'a\u2028b', 'a\u2029b'])(
  'makes no literal of %j',
  (text) => {
    expect(() => literal(text)).toThrow(RangeError);
  },
);

const DEEP = 'a.'.repeat(30);

it.each([
  ['one long value', `a.b="${'x'.repeat(500)}"`],
  ['one long value of quotes', `a.b="${'\\"'.repeat(250)}"`],
  ['dotted fields', Array.from({ length: 8 }, () => `a.b=${'c'.repeat(55)}`).join(' OR ')],
  [
    'deep names',
    Array.from({ length: 7 }, (_none, at) => `${'abcdefgh'.charAt(at)}.${DEEP}b=c`).join(' '),
  ],
  ['many words', Array.from({ length: 256 }, () => 'a').join(' ')],
  [
    'fields, levels and words',
    `${'level=INFO '.repeat(4)}${'a.b=c '.repeat(4)}${'x '.repeat(220)}`,
  ],
])('stays below the length that the service takes: %s', (_name, text) => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(512);
  for (const query of queriesOf(filterOf(text))) expect(query.length).toBeLessThan(10_000);
});

it('refuses more fields than a query has room for, at the first that is too much', () => {
  const text = Array.from({ length: 9 }, () => 'a=b').join(' ');

  expect(parseFilter(text)).toEqual({
    kind: 'refused',
    fault: { position: 32, reason: 'TOO_MANY_FIELDS' },
  });
});
