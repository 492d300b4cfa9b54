import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filterCommands } from '../../../../functions/diagnosis/tools/query-logs/filter-insights.ts';
import { matches } from '../../../../functions/diagnosis/tools/query-logs/filter-match.ts';
import { EntryInterpreter } from '../../../../functions/diagnosis/tools/query-logs/log-entry.ts';
import {
  type LogFilter,
  parseFilter,
} from '../../../../functions/diagnosis/tools/query-logs/log-filter.ts';
import { runInsights } from '../../../support/insights-language.ts';

const interpreter = new EntryInterpreter();

function onLine(filter: LogFilter, text: string): boolean {
  return matches(filter, { ...interpreter.interpret(text), text });
}

function onService(filter: LogFilter, text: string): boolean {
  const query = filterCommands(filter).join('\n| ');
  return runInsights(query, [{ epochMs: 0, message: text }]).length === 1;
}

function filterOf(text: string): LogFilter {
  const parsed = parseFilter(text);
  if (parsed.kind === 'refused') throw new Error(`refused: ${text}`);
  return parsed.filter;
}

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
const WORDS = [
  'timeout',
  'gateway',
  '支付失败',
  'C:\\temp',
  '"quoted"',
  "it's",
  'a|b',
  '#7',
  '/pay',
];
const NAMES = ['orderNo', 'status', 'error.type', 'user_id'];
const VALUES = ['20261130', '504', 'READ_TIMEOUT', '/api/pay', 'read timeout', 'x-1'];

const level = fc.constantFrom(...LEVELS);
const message = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 });
const pairs = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES), {
  maxKeys: 2,
  noNullPrototype: true,
});

interface Entry {
  readonly level: string;
  readonly words: string;
  readonly pairs: Readonly<Record<string, string>>;
}

function plainPairs(entry: Entry): string {
  return Object.entries(entry.pairs)
    .map(([name, value]) => `${name}=${/\s/.test(value) ? `"${value}"` : value}`)
    .join(', ');
}

/** `error.type` becomes an object in an object. */
function nestedPairs({ pairs: flat }: Entry): object {
  const { 'error.type': type, ...others } = flat;
  return type === undefined ? others : { ...others, error: { type } };
}

const TIME = '2026-11-30 17:00:00.000';
const FORMATS: Readonly<Record<string, (entry: Entry) => string>> = {
  logback: (entry) =>
    `${TIME} ${entry.level} [exec-1] c.a.pay.Gateway - ${entry.words} ${plainPairs(entry)}`,
  bracketed: (entry) =>
    `[Mon Nov 30 17:00:00 2026] [${entry.level.toLowerCase()}] ${entry.words} (${plainPairs(entry)})`,
  json: (entry) =>
    JSON.stringify({ ts: TIME, level: entry.level, msg: entry.words, ...nestedPairs(entry) }),
  spaced: (entry) =>
    JSON.stringify({ msg: entry.words, severity: entry.level, ...entry.pairs }).replaceAll(
      /":/g,
      '": ',
    ),
  numbered: (entry) =>
    JSON.stringify({ level: 10 + 10 * LEVELS.indexOf(entry.level), msg: entry.words, at: 5 }),
  wrapped: (entry) =>
    JSON.stringify({
      log: JSON.stringify({ level: entry.level.toLowerCase(), msg: 'x', ...nestedPairs(entry) }),
      stream: 'stdout',
    }),
  // The last part of a dotted name of logfmt is found on lines only; docs/logs.md says so.
  logfmt: (entry) =>
    `ts=2026-11-30T17:00:00Z level=${entry.level.toLowerCase()} msg=done ${Object.entries(
      entry.pairs,
    )
      .map(([name, value]) => `${name.replace('.', '_')}="${value}"`)
      .join(' ')}`,
  bare: (entry) => `${entry.words} without a header`,
};

const line = fc
  .record({
    format: fc.constantFrom(...Object.values(FORMATS)),
    level,
    message,
    pairs,
  })
  .map(({ format, level: named, message: words, pairs: given }) =>
    format({ level: named, words: words.join(' '), pairs: given }),
  );

function spelled(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

const { filter } = fc.letrec<{ filter: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom(...WORDS, 'out', 'absent', '504').map(spelled),
    level.map((name) => `level=${name}`),
    fc
      .tuple(fc.constantFrom(...NAMES, 'type', 'missing'), fc.constantFrom(...VALUES, '50'))
      .map(([name, value]) => `${name}=${spelled(value)}`),
  ),
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    tie('filter').map((inner) => `NOT (${inner})`),
    fc.tuple(tie('filter'), tie('filter')).map(([one, other]) => `(${one}) OR (${other})`),
    fc.tuple(tie('filter'), tie('filter')).map(([one, other]) => `(${one}) (${other})`),
  ),
}));

it('lets through on the service what it lets through on lines', () => {
  fc.assert(
    fc.property(filter, fc.array(line, { minLength: 1, maxLength: 8 }), (text, lines) => {
      const parsed = parseFilter(text);
      fc.pre(parsed.kind === 'parsed');
      const asked = filterOf(text);

      const served = lines.filter((each) => onService(asked, each));

      expect(served).toEqual(lines.filter((each) => onLine(asked, each)));
    }),
    { numRuns: 400 },
  );
});

it.each([
  ['type=timeout', '{"error.type":"timeout"}', true],
  ['error.type=timeout', '{"error":{"type":"timeout"},"kind":1}', true],
  ['error.type=timeout', '{"cause":{"type":"timeout"}}', false],
  ['status=504', '{"status":504}', true],
  ['status=504', '{"http.status":504,"at":1}', true],
  ['type=timeout', 'lost with error.type=timeout', false],
  ['status=50', '{"status":504}', false],
  ['orderNo=1', '下单失败：orderNo=1。', true],
  ['orderNo=1', 'failed orderNo=1.', true],
  ['orderNo=1', 'failed xorderNo=1', false],
  ['orderNo=1', 'failed orderNo=12', false],
  ['url=/api/pay', 'GET url=/api/pay done', true],
  ['path="a \\"b\\""', '{"path":"a \\"b\\""}', true],
  ['"C:\\\\temp"', 'lost C:\\temp', true],
  ['"C:\\\\temp"', 'lost C:/temp', false],
  ['level=ERROR', 'LOG: ERROR in the middle', false],
])('answers %j on %j alike: %s', (text, entry, expected) => {
  const asked = filterOf(text);

  expect({ service: onService(asked, entry), line: onLine(asked, entry) }).toEqual({
    service: expected,
    line: expected,
  });
});
