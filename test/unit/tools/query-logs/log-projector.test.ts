import { describe, expect, it } from 'vitest';
import { project, rawLogs, word } from './projected-logs.ts';

it('shows patterns, events and a timeline', () => {
  const { evidenceStatus, truncated, notes, body, facts } = project(
    rawLogs([
      '2026-11-30T09:00:00Z INFO [t-1] a.B - order 17 paid',
      '2026-11-30T09:00:01Z ERROR [t-2] a.C - ledger lost after 30 ms',
      '2026-11-30T09:00:02Z INFO [t-3] a.B - order 18 paid',
    ]),
  );

  expect({ evidenceStatus, truncated, notes }).toEqual({
    evidenceStatus: 'EVIDENCE_FOUND',
    truncated: false,
    notes: [],
  });
  expect(body).toEqual({
    matched_count: 3,
    returned_count: 3,
    patterns: [
      {
        line: '1× ERROR a.C - ledger lost after 30 ms',
        count: 1,
        level: 'ERROR',
        first_seen: '2026-11-30T09:00:01.000Z',
        last_seen: '2026-11-30T09:00:01.000Z',
      },
      {
        line: '2× INFO a.B - order <*> paid',
        count: 2,
        level: 'INFO',
        first_seen: '2026-11-30T09:00:00.000Z',
        last_seen: '2026-11-30T09:00:02.000Z',
      },
    ],
    events: [
      '2026-11-30T09:00:00.000Z INFO a.B - order 17 paid',
      '2026-11-30T09:00:01.000Z ERROR a.C - ledger lost after 30 ms',
      '2026-11-30T09:00:02.000Z INFO a.B - order 18 paid',
    ],
    timeline: [
      { start: '2026-11-30T09:00:00.000Z', count: 3 },
      { start: '2026-11-30T09:10:00.000Z', count: 0 },
      { start: '2026-11-30T09:20:00.000Z', count: 0 },
      { start: '2026-11-30T09:30:00.000Z', count: 0 },
      { start: '2026-11-30T09:40:00.000Z', count: 0 },
      { start: '2026-11-30T09:50:00.000Z', count: 0 },
    ],
  });
  expect(facts).toEqual([
    '2026-11-30T09:00:01.000Z ERROR a.C - ledger lost after 30 ms',
    '2026-11-30T09:00:00.000Z INFO a.B - order 17 paid',
    '2× INFO a.B - order <*> paid',
  ]);
});

it('finds no evidence in no entries', () => {
  expect(project(rawLogs([]))).toMatchObject({
    evidenceStatus: 'NO_EVIDENCE',
    truncated: false,
    body: { matched_count: 0, returned_count: 0, patterns: [], events: [], timeline: [] },
    facts: [],
  });
});

it('passes on what the source said about zone and bytes', () => {
  const raw = rawLogs(['2026-11-30 17:00:00 INFO a'], { zoneAssumed: true, bytesReplaced: 2 });

  expect(project(raw).notes).toEqual(['TIME_ZONE_ASSUMED', 'BYTES_REPLACED']);
});

it('keeps exception classes, their messages and causes, and lets frames go', () => {
  const entry = [
    '2026-11-30T09:00:00Z ERROR a.B - pay failed',
    'a.b.XException: outer',
    '\tat a.b.C.d(C.java:1)',
    '\tSuppressed: a.b.YException: close',
    '\t\tat a.b.E.f(E.java:2)',
    'Caused by: java.sql.SQLException: inner',
    '\tat a.b.G.h(G.java:3)',
    '\t... 58 common frames omitted',
  ].join('\n');

  const { body, truncated } = project(rawLogs([entry]));

  expect(body.events).toEqual([
    '2026-11-30T09:00:00.000Z ERROR a.B - pay failed | a.b.XException: outer | Suppressed: a.b.YException: close | Caused by: java.sql.SQLException: inner',
  ]);
  expect(truncated).toBe(false);
});

it('ranks errors above chatter and the rare above the frequent', () => {
  const texts = [
    ...Array.from({ length: 50 }, () => 'INFO went by'),
    ...Array.from({ length: 20 }, () => 'ERROR lost again'),
    'ERROR lost for once',
    'WARN slow',
    'DEBUG detail',
  ];

  const lines = project(rawLogs(texts)).body.patterns.map(({ line }) => line);

  expect(lines).toEqual([
    '1× ERROR lost for once',
    '20× ERROR lost again',
    '1× WARN slow',
    '50× INFO went by',
    '1× DEBUG detail',
  ]);
});

it('ranks a burst above chatter of the same level', () => {
  const texts = Array.from({ length: 200 }, (_none, at) =>
    at >= 100 && at < 106
      ? 'INFO leader elected anew'
      : `INFO ${at % 2 ? 'heartbeat sent' : 'heartbeat seen'}`,
  );

  expect(project(rawLogs(texts)).body.patterns[0]?.line).toBe('6× INFO leader elected anew');
});

describe('caps', () => {
  it.each([
    [30, 30, false],
    [31, 30, true],
  ])('shows of %i events %i', (count, shown, truncated) => {
    const texts = Array.from({ length: count }, (_none, at) => `INFO ok user=${word(at)}`);

    const projection = project(rawLogs(texts));

    expect(projection.body).toMatchObject({ matched_count: count, returned_count: shown });
    expect(projection.truncated).toBe(truncated);
  });

  it.each([
    [20, 20, false],
    [21, 20, true],
  ])('shows of %i patterns %i', (count, shown, truncated) => {
    const texts = Array.from({ length: count }, (_none, at) => `ERROR ${word(at)}`);

    const projection = project(rawLogs(texts));

    expect(projection.body.patterns).toHaveLength(shown);
    expect(projection.truncated).toBe(truncated);
  });

  it.each([
    [1_024, 1_024, false],
    [1_025, 1_024, true],
  ])('shows of an event line of %i bytes %i', (bytes, shown, truncated) => {
    const head = '2026-11-30T09:00:00.000Z INFO ';
    const text = `INFO ${'超 '.repeat(300).slice(0, 200)}`;
    const padded = text.padEnd(text.length + bytes - Buffer.byteLength(head + text.slice(5)), 'x');

    const projection = project(rawLogs([padded]));

    expect(Buffer.byteLength(projection.body.events[0] ?? '')).toBe(shown);
    expect(projection.truncated).toBe(truncated);
  });

  it('has at most 60 stretches in the timeline, and they count every entry', () => {
    const { body } = project(rawLogs(new Array(5_000).fill('INFO ok')));

    expect(body.timeline.length).toBeLessThanOrEqual(60);
    expect(body.timeline.reduce((sum, { count }) => sum + count, 0)).toBe(5_000);
  });
});
