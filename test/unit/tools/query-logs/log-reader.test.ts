import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogReader } from '../../../../functions/diagnosis/tools/query-logs/log-reader.ts';
import { ZoneClock } from '../../../../functions/diagnosis/tools/query-logs/zone-clock.ts';
import { corporaNote, corpusBytes, corpusEntryCounts, corpusLogs, hasCorpora } from './corpora.ts';

const reference = {
  zone: new ZoneClock('Asia/Shanghai'),
  asOf: Date.parse('2026-11-30T10:00:00Z'),
};

function read(bytes: Uint8Array, pieceBytes = 4_096) {
  const reader = new LogReader(reference);
  const entries = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    entries.push(...reader.push(bytes.subarray(at, at + pieceBytes)));
  }
  entries.push(...reader.finish());
  return entries.sort((a, b) => a.order - b.order);
}

function readText(...lines: string[]) {
  return read(Buffer.from(`${lines.join('\n')}\n`));
}

const TRACE = [
  'java.lang.IllegalStateException: outer',
  '\tat a.B.c(B.java:1)',
  'Caused by: java.sql.SQLException: inner',
  '\tat a.C.d(C.java:9)',
  '\t... 58 common frames omitted',
];

it('folds a Java trace into its entry', () => {
  const entries = readText(
    '2026-11-30 17:00:00 ERROR a.B - failed',
    ...TRACE,
    '2026-11-30 17:00:01 INFO a.B - ok',
  );

  expect(entries.map(({ text }) => text.split('\n').length)).toEqual([6, 1]);
});

it('folds a Python trace with the line that ends it', () => {
  const entries = readText(
    '2026-11-30 17:00:00,001 ERROR worker failed',
    'Traceback (most recent call last):',
    '  File "/app/pay.py", line 12, in charge',
    '    gateway.send(order)',
    'requests.exceptions.Timeout: read timed out',
    '2026-11-30 17:00:01,001 INFO next',
  );

  expect(entries.map(({ text }) => text.split('\n').length)).toEqual([5, 1]);
});

it('folds traces of two streams whose lines alternate', () => {
  const entries = readText(
    '[pod/pay-a/app] 2026-11-30 17:00:01.001 ERROR x - failed A',
    '[pod/pay-b/app] 2026-11-30 17:00:01.001 ERROR x - failed B',
    '[pod/pay-a/app] java.net.SocketTimeoutException: Read timed out',
    '[pod/pay-b/app] java.lang.IllegalStateException: pool closed',
    '[pod/pay-a/app] \tat a.B.c(B.java:1)',
    '[pod/pay-b/app] \tat a.B.c(B.java:1)',
  );

  expect(entries.map(({ message }) => message.split('\n').slice(0, 2))).toEqual([
    ['x - failed A', 'java.net.SocketTimeoutException: Read timed out'],
    ['x - failed B', 'java.lang.IllegalStateException: pool closed'],
  ]);
});

it('folds traces of two threads whose lines alternate, each with a header of its own', () => {
  const entries = readText(
    '2026-11-30 17:00:01.001 ERROR [t-1] x - failed A',
    '2026-11-30 17:00:01.001 ERROR [t-2] x - failed B',
    '[t-1] \tat a.B.c(B.java:1)',
    '[t-2] \tat a.D.e(D.java:1)',
  );

  expect(entries.map(({ text }) => text.split('\n').at(-1))).toEqual([
    '\tat a.B.c(B.java:1)',
    '\tat a.D.e(D.java:1)',
  ]);
});

it('keeps a slow statement of MySQL in one entry', () => {
  const entries = readText(
    '# Time: 2026-11-30T09:00:00.000000Z',
    '# User@Host: pay[pay] @  [10.0.0.1]  Id: 1',
    '# Query_time: 4.8  Lock_time: 0.1 Rows_sent: 1  Rows_examined: 9',
    'SET timestamp=1796029200;',
    'SELECT * FROM t_order;',
    '# Time: 2026-11-30T09:00:01.000000Z',
    '# User@Host: pay[pay] @  [10.0.0.1]  Id: 2',
  );

  expect(entries.map(({ text, epochMs }) => [text.split('\n').length, epochMs])).toEqual([
    [5, Date.parse('2026-11-30T09:00:00Z')],
    [2, Date.parse('2026-11-30T09:00:01Z')],
  ]);
});

it.each([
  {
    name: 'flat JSON',
    line: '{"ts":"2026-11-30T09:00:00Z","level":"warn","msg":"slow","order":7}',
    found: { level: 'WARN', message: 'slow order=7' },
  },
  {
    name: 'nested JSON',
    line: '{"timestamp":"2026-11-30T09:00:00Z","fields":{"lvl":"ERROR","message":"lost"}}',
    found: { level: 'ERROR', message: 'lost' },
  },
  {
    name: 'JSON wrapped in JSON',
    line: '{"log":"{\\"lvl\\":\\"error\\",\\"m\\":\\"lost\\"}\\n","stream":"stderr","time":"2026-11-30T09:00:00Z"}',
    found: { level: 'ERROR', message: 'lost' },
  },
  {
    name: 'JSON around a whole line',
    line: '{"log":"ERROR pool exhausted\\n","time":"2026-11-30T09:00:00Z"}',
    found: { level: 'ERROR', message: 'pool exhausted' },
  },
  {
    name: 'JSON behind a header',
    line: '2026-11-30T09:00:00Z app[1]: {"level":"error","msg":"lost"}',
    found: { level: 'ERROR', message: 'lost' },
  },
  {
    name: 'a level as a number',
    line: '{"time":1796029200000,"level":50,"msg":"lost"}',
    found: { level: 'ERROR', message: 'lost' },
  },
  {
    name: 'JSON with a trace',
    line: '{"@timestamp":"2026-11-30T09:00:00Z","log.level":"ERROR","message":"refund failed","error":{"type":"a.XException","stack_trace":"a.XException: timed out\\n\\tat a.B.c(B.java:1)"}}',
    found: { level: 'ERROR', message: 'refund failed\na.XException: timed out' },
  },
  {
    name: 'logfmt',
    line: 'time="2026-11-30T09:00:00Z" level=error msg="pod \\"a\\" lost" pod=a-1',
    found: { level: 'ERROR', message: 'pod "a" lost pod=a-1' },
  },
])('reads $name', ({ line, found }) => {
  const [entry] = readText(line);

  expect({ level: entry?.level, message: entry?.message, epochMs: entry?.epochMs }).toEqual({
    ...found,
    epochMs: Date.parse('2026-11-30T09:00:00Z'),
  });
});

it('keeps damaged JSON lines as entries of their own', () => {
  const lines = [
    '{"msg":"a"}',
    '{"msg":"conn',
    '{"msg":"b"}{"msg":"c"}',
    '{"n":NaN,"msg":"e"}',
    'no json',
  ];

  expect(readText(...lines).map(({ text }) => text)).toEqual(lines);
});

it('lets no name of an object member pass for a level', () => {
  const [entry] = readText('{"__proto__":{"level":"FATAL"},"msg":"k"}');

  expect(entry?.level).toBeNull();
});

it('gives an entry without a time that of the entry before it', () => {
  const entries = readText('2026-11-30T09:00:00Z INFO start', 'ERROR lost');

  expect(entries.map(({ epochMs, isTimed }) => ({ epochMs, isTimed }))).toEqual([
    { epochMs: Date.parse('2026-11-30T09:00:00Z'), isTimed: true },
    { epochMs: Date.parse('2026-11-30T09:00:00Z'), isTimed: false },
  ]);
});

it('reads a line of hundreds of kilobytes whole', () => {
  const long = 'k'.repeat(300_000);

  const entries = readText(
    `2026-11-30 17:00:00 ERROR dump ${long}`,
    '2026-11-30 17:00:01 INFO end',
  );

  expect(entries.map(({ message }) => message)).toEqual([`dump ${long}`, 'end']);
});

it('takes a carriage return alone for the line ending of an old system', () => {
  const entries = readText('2026-11-30 17:00:00 INFO one\r2026-11-30 17:00:01 INFO two');

  expect(entries.map(({ message }) => message)).toEqual(['one', 'two']);
});

it.each([
  ['makes no entry of blank lines', ['', '  ', '\t'], []],
  ['keeps a progress bar in one entry', ['load 10%\rload 99%'], ['load 10%\nload 99%']],
])('%s', (_name, lines, texts) => {
  expect(readText(...lines).map(({ text }) => text)).toEqual(texts);
});

it('gives an untimed entry the time of the line before it, whatever threads are open', () => {
  const entries = readText(
    '2026-11-30T09:00:00Z INFO [t-1] one',
    'ERROR first',
    '2026-11-30T09:05:00Z INFO [t-2] two',
    'ERROR second',
  );

  expect(entries.map(({ epochMs }) => epochMs)).toEqual(
    ['09:00', '09:00', '09:05', '09:05'].map((time) => Date.parse(`2026-11-30T${time}:00Z`)),
  );
});

it('reads any bytes without a fault', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const entries = read(bytes, 64);

      expect(
        entries.every(({ text, message }) => text.isWellFormed() && message.isWellFormed()),
      ).toBe(true);
    }),
  );
});

describe.skipIf(!hasCorpora)(`on the collected logs${corporaNote}`, () => {
  it.each(corpusEntryCounts())('finds the entries of %s: %i', (name, count) => {
    expect(read(corpusBytes(name), 7_777)).toHaveLength(count);
  });

  it.each(corpusLogs())('reads %s into text that is well-formed', (name) => {
    const entries = read(corpusBytes(name));

    expect(entries.filter(({ text }) => !text.isWellFormed())).toEqual([]);
  });

  it('puts hosts of different zones into true order', () => {
    const entries = read(corpusBytes('mixed_timezones.log'));

    const byTime = entries.sort((a, b) => (a.epochMs ?? 0) - (b.epochMs ?? 0));
    const order = byTime.map(({ text }) => Number(/seq=(\d+)/.exec(text)?.[1]));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });
});
