import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogFileAdapter } from '../../../../functions/diagnosis/tools/query-logs/log-file-adapter.ts';
import { RawLogReader } from '../../../../functions/diagnosis/tools/query-logs/log-raw.ts';

const asOf = Date.parse('2026-11-30T10:00:00Z');
const topics = [{ name: 'pay', description: 'payment service', max_lookback_minutes: 120 }];

const atRunEnd = new AsyncDisposableStack();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'query-logs-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

function ask(query = '', options: { topic?: string; minutes?: number; signal?: AbortSignal } = {}) {
  const adapter = new LogFileAdapter({
    folder,
    topics,
    timeZone: 'Asia/Shanghai',
    sourceKind: 'FILE',
  });
  const { topic = 'pay', minutes = 60, signal = new AbortController().signal } = options;
  return adapter.call(
    { topic, query, lookback_minutes: minutes },
    { signal, asOf, bindings: {}, atRunEnd },
  );
}

async function textsOf(query = '', minutes = 60): Promise<string[]> {
  const result = await ask(query, { minutes });
  const reader = result.kind === 'result' ? RawLogReader.open(result.raw) : null;
  const texts: string[] = [];
  reader?.forEach(({ text }) => {
    texts.push(text);
  });
  return texts;
}

it('answers the entries of the window that match, in time order', async () => {
  const lines = [
    '2026-11-30T10:00:00Z ERROR at the end',
    '2026-11-30T09:30:00Z ERROR in the middle',
    '2026-11-30T09:31:00Z INFO other',
    '2026-11-30T09:00:00Z ERROR at the start',
    '2026-11-30T08:59:59Z ERROR before',
    '2026-11-30T10:00:01Z ERROR after',
  ];
  await writeFile(join(folder, 'pay.log'), lines.join('\n'));

  expect(await textsOf('level=ERROR')).toEqual([lines[3], lines[1], lines[0]]);
});

it('keeps the order of the source among equal times, whatever threads are open', async () => {
  const lines = [3, 1, 2, 1, 3].map(
    (thread, at) => `2026-11-30T09:30:00Z INFO [t-${thread}] ${at}`,
  );
  await writeFile(join(folder, 'pay.log'), lines.join('\n'));

  expect(await textsOf()).toEqual(lines);
});

it('reads rotated files and JSON lines of the topic, and no other topic', async () => {
  await writeFile(join(folder, 'pay.log.2'), '2026-11-30T09:01:00Z INFO two\n');
  await writeFile(join(folder, 'pay.log.1'), '2026-11-30T09:02:00Z INFO one\n');
  await writeFile(join(folder, 'pay.log'), '2026-11-30T09:03:00Z INFO now\n');
  await writeFile(join(folder, 'pay.jsonl'), '{"ts":"2026-11-30T09:02:30Z","msg":"json"}\n');
  await writeFile(join(folder, 'pay-other.log'), '2026-11-30T09:03:00Z INFO foreign\n');
  await writeFile(join(folder, 'pay.log.bak'), '2026-11-30T09:03:00Z INFO backup\n');

  expect(await textsOf()).toEqual([
    '2026-11-30T09:01:00Z INFO two',
    '2026-11-30T09:02:00Z INFO one',
    '{"ts":"2026-11-30T09:02:30Z","msg":"json"}',
    '2026-11-30T09:03:00Z INFO now',
  ]);
});

it('says what was really run', async () => {
  await writeFile(join(folder, 'pay.log'), '2026-11-30T09:03:00Z INFO now\n');

  const result = await ask('Timeout  level=warning');

  expect(result).toMatchObject({
    kind: 'result',
    sourceKind: 'FILE',
    window: { from: '2026-11-30T09:00:00.000Z', to: '2026-11-30T10:00:00.000Z' },
    executed: {
      statement: '("timeout" AND level=WARN)',
      window: { from: '2026-11-30T09:00:00.000Z', to: '2026-11-30T10:00:00.000Z' },
      sources: ['pay.log'],
    },
  });
});

it('reads times without a zone in the configured one and notes it', async () => {
  await writeFile(join(folder, 'pay.log'), '2026-11-30 17:30:00 INFO Shanghai\n');

  const result = await ask();

  const reader = result.kind === 'result' ? RawLogReader.open(result.raw) : null;
  expect(reader?.head).toMatchObject({ matchedCount: 1, zoneAssumed: true, bytesReplaced: 0 });
});

it('keeps an entry that cannot be placed in time', async () => {
  await writeFile(join(folder, 'pay.log'), '[2.776s][info][gc] To-space exhausted\n');

  expect(await textsOf()).toEqual(['[2.776s][info][gc] To-space exhausted']);
});

it('finds words inside a trace', async () => {
  const entry = '2026-11-30T09:03:00Z ERROR lost\na.b.XException: deep\n\tat a.B.c(B.java:1)';
  await writeFile(join(folder, 'pay.log'), `${entry}\n2026-11-30T09:04:00Z INFO ok\n`);

  expect(await textsOf('XException')).toEqual([entry]);
});

it('does not know a topic that is not configured', async () => {
  await writeFile(join(folder, 'other.log'), '2026-11-30T09:03:00Z INFO now\n');

  expect(await ask('', { topic: 'other' })).toEqual({
    kind: 'failed',
    code: 'TOPIC_UNKNOWN',
    executed: null,
  });
});

it('calls a topic without files unavailable, not empty', async () => {
  expect(await ask()).toMatchObject({ kind: 'failed', code: 'SOURCE_UNAVAILABLE' });
});

it('calls a missing folder unavailable', async () => {
  const adapter = new LogFileAdapter({
    folder: join(folder, 'missing'),
    topics,
    timeZone: 'UTC',
    sourceKind: 'MOCK',
  });

  const result = await adapter.call(
    { topic: 'pay', query: '', lookback_minutes: 5 },
    { signal: new AbortController().signal, asOf, bindings: {}, atRunEnd },
  );

  expect(result).toMatchObject({ kind: 'failed', code: 'SOURCE_UNAVAILABLE' });
});

it('refuses a result past 32 MB and shortens nothing', async () => {
  const line = `2026-11-30T09:03:00Z INFO ${'x'.repeat(1_000)}\n`;
  await writeFile(join(folder, 'pay.log'), line.repeat(34_000));

  expect(await ask()).toMatchObject({ kind: 'failed', code: 'RAW_TOO_LARGE' });
  expect(await textsOf('absent')).toEqual([]);
});

it('stops for an abort', async () => {
  await writeFile(join(folder, 'pay.log'), '2026-11-30T09:03:00Z INFO now\n');
  const reason = new Error('time is up');

  await expect(ask('', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
