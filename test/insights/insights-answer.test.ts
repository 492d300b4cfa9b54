import type { StartQueryRequest } from '@aws-sdk/client-cloudwatch-logs';
import { describe, expect, it } from 'vitest';
import {
  ACROSS,
  AS_OF,
  anEvent,
  anInsightsRun,
  readResult,
  shownOf,
  textsOf,
} from './an-insights-call.ts';

const LINES = [
  anEvent(3_500, '2026-11-30T09:01:40Z INFO started'),
  anEvent(600, '2026-11-30T09:50:00Z ERROR gateway timed out'),
  anEvent(30, '2026-11-30T09:59:30Z INFO order done'),
];

/** The sample comes first: it goes on with `fields`, the counts with `stats`. */
function byQuery(one: StartQueryRequest, other: StartQueryRequest): number {
  return String(one.queryString) < String(other.queryString) ? -1 : 1;
}

describe('the requests of a call', () => {
  it('start two queries over the groups of the topic, in whole seconds', async () => {
    const { ask, server } = await anInsightsRun({ script: { events: LINES } });

    const result = await ask({ query: 'timed', asOf: AS_OF + 999 });

    const asked = {
      logGroupIdentifiers: ['/aws/ecs/pay', ACROSS],
      startTime: AS_OF / 1_000 - 3_600,
      endTime: AS_OF / 1_000,
    };
    expect(server.queries.map(({ request }) => request).toSorted(byQuery)).toEqual([
      { ...asked, queryString: expect.stringContaining('limit 10000') },
      { ...asked, queryString: expect.stringContaining('stats count(*) as dCount by bin(5m)') },
    ]);
    expect(result).toMatchObject({
      kind: 'result',
      sourceKind: 'CLOUDWATCH_LOGS',
      window: { from: '2026-11-30T09:00:00.000Z', to: '2026-11-30T10:00:00.000Z' },
      executed: {
        statement: expect.stringContaining('filter dText like "timed"'),
        window: { from: '2026-11-30T09:00:00.000Z', to: '2026-11-30T10:00:00.000Z' },
        sources: ['/aws/ecs/pay', ACROSS],
      },
    });
  });

  it('do not include a topic without groups', async () => {
    const { ask, server } = await anInsightsRun();

    const result = await ask({ topic: 'constructor' });

    expect(result).toEqual({ kind: 'failed', code: 'TOPIC_UNKNOWN', executed: null });
    expect(server.requests).toEqual([]);
  });
});

describe('a sample that is all that matched', () => {
  it('reads like the entries of a file, in time order', async () => {
    const { ask } = await anInsightsRun({ script: { events: LINES } });

    const result = await ask();

    expect(readResult(result)).toEqual({
      head: {
        matchedCount: 3,
        entryCount: 3,
        counts: null,
        rowsCut: false,
        zoneAssumed: false,
        bytesReplaced: 0,
        newestMayBeMissing: false,
      },
      entries: LINES.map(({ epochMs, message }) => ({ epochMs, text: message })),
    });
  });

  it('is no evidence where nothing matched', async () => {
    const { ask } = await anInsightsRun({ script: { events: LINES } });

    const { evidenceStatus, body, truncated } = shownOf(await ask({ query: 'absent' }));

    expect({ evidenceStatus, matched: body.matched_count, truncated }).toEqual({
      evidenceStatus: 'NO_EVIDENCE',
      matched: 0,
      truncated: false,
    });
  });

  it('is no evidence where the service leaves rows out of its answer', async () => {
    const look = () => ({ results: undefined, statistics: undefined });
    const { ask } = await anInsightsRun({ script: { look } });

    expect(shownOf(await ask()).evidenceStatus).toBe('NO_EVIDENCE');
  });

  it('has the lines of a trace put together that were logged one by one', async () => {
    const events = [
      anEvent(20, '2026-11-30T09:59:40Z ERROR lost', 'a'),
      anEvent(20, 'java.io.IOException: gone', 'b'),
      anEvent(20, '\tat com.example.Pay.run(Pay.java:1)', 'a'),
      anEvent(20, 'Caused by: java.net.SocketTimeoutException: read', 'a'),
      anEvent(20, '\t... 12 more', 'a'),
      anEvent(10, '\tat com.example.Late.run(Late.java:1)', 'a'),
    ];
    const { ask } = await anInsightsRun({ script: { events } });

    const texts = textsOf(await ask());

    expect(texts.map((text) => text.split('\n').toSorted()).toSorted()).toEqual(
      [
        [events[0], events[2], events[3], events[4]].map((event) => event?.message).toSorted(),
        ['java.io.IOException: gone'],
        ['\tat com.example.Late.run(Late.java:1)'],
      ].toSorted(),
    );
    expect(texts.find((text) => text.includes('12 more'))).toMatch(
      /^2026-11-30T09:59:40Z ERROR lost/,
    );
  });

  it('leaves lines apart where words were asked for', async () => {
    const events = [anEvent(20, 'Caused by: A'), anEvent(20, 'Caused by: A again')];
    const { ask } = await anInsightsRun({ script: { events } });

    expect(readResult(await ask({ query: 'caused' })).head.matchedCount).toBe(2);
  });

  it('loses colours and control characters', async () => {
    const events = [anEvent(20, '\u001b[31mERROR\u001b[0m lost\u0007\r\n')];
    const { ask } = await anInsightsRun({ script: { events } });

    expect(textsOf(await ask())).toEqual(['ERROR lost']);
  });
});

describe('a sample of more', () => {
  const flood = Array.from({ length: 12_000 }, (_none, at) => anEvent(at / 4, `INFO order ${at}`));
  const decisive = anEvent(3_300, 'ERROR connection pool exhausted');

  it('is counted by the source, page by page', async () => {
    const { ask, server } = await anInsightsRun({
      script: { events: [...flood, decisive], pageRows: 3_000 },
    });

    const { body, notes, truncated } = shownOf(await ask());

    expect({ matched: body.matched_count, notes, truncated }).toEqual({
      matched: 12_001,
      notes: ['ROWS_CUT_BY_SOURCE'],
      truncated: true,
    });
    expect(body.timeline.reduce((sum, { count }) => sum + count, 0)).toBe(12_001);
    expect(server.requestsOf('GetQueryResults')).toHaveLength(5);
  });

  it('holds what looks like a failure before the newest of the rest', async () => {
    const { ask } = await anInsightsRun({ script: { events: [...flood, decisive] } });

    const result = await ask();

    expect(readResult(result).head.entryCount).toBe(10_000);
    expect(textsOf(result)).toContain(decisive.message);
    expect(textsOf(result)).toContain('INFO order 0');
    expect(textsOf(result)).not.toContain('INFO order 11999');
  });

  it('keeps to half of what a raw result may have', async () => {
    const events = Array.from({ length: 300 }, (_none, at) => anEvent(at, 'x'.repeat(100_000)));
    const { ask } = await anInsightsRun({ script: { events } });

    const { head } = readResult(await ask());

    expect({ matched: head.matchedCount, entries: head.entryCount, cut: head.rowsCut }).toEqual({
      matched: 300,
      entries: 167,
      cut: true,
    });
  });
});

describe('rows that the service cut', () => {
  const long = `ERROR ${'长'.repeat(3_000)} the end`;

  it('are fetched whole', async () => {
    const events = [anEvent(20, long), anEvent(10, 'INFO short')];
    const { ask, server } = await anInsightsRun({ script: { events, messageChars: 500 } });

    const result = await ask();

    expect(textsOf(result)).toEqual([long, 'INFO short']);
    expect(readResult(result).head.rowsCut).toBe(false);
    expect(server.requestsOf('GetLogRecord').map(({ body }) => body)).toEqual([
      { logRecordPointer: 'ptr-0' },
    ]);
  });

  it('are fetched ten at most; the others stay cut and say so', async () => {
    const events = Array.from({ length: 14 }, (_none, at) => anEvent(at, `${long} ${at}`));
    const { ask, server } = await anInsightsRun({ script: { events, messageChars: 500 } });

    const result = await ask();

    expect(server.requestsOf('GetLogRecord')).toHaveLength(10);
    expect(shownOf(result).notes).toEqual(['ROWS_CUT_BY_SOURCE']);
    expect(textsOf(result).filter((text) => text.includes('the end'))).toHaveLength(10);
  });

  it('stay cut where the service does not give them', async () => {
    const events = [anEvent(20, long), anEvent(10, long)];
    const { ask, server, faults } = await anInsightsRun({
      script: {
        events,
        messageChars: 500,
        trouble: ({ action }) =>
          action === 'GetLogRecord' ? { kind: 'error', name: 'ThrottlingException' } : undefined,
      },
    });

    const result = await ask();

    expect(shownOf(result)).toMatchObject({ notes: ['ROWS_CUT_BY_SOURCE'], truncated: true });
    expect(server.requestsOf('GetLogRecord')).toHaveLength(1);
    expect(faults).toEqual(['ThrottlingException']);
  });
});

describe('the newest minutes', () => {
  it.each([
    [0, ['NEWEST_MINUTES_MAY_BE_MISSING']],
    [299_000, ['NEWEST_MINUTES_MAY_BE_MISSING']],
    [300_000, []],
  ])('may be missing %i ms after the end of the window: %j', async (sinceMs, notes) => {
    const { ask } = await anInsightsRun({ script: { events: LINES }, now: AS_OF + sinceMs });

    expect(shownOf(await ask()).notes).toEqual(notes);
  });
});
