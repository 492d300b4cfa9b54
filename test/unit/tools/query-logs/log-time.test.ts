import { expect, it } from 'vitest';
import { readTime } from '../../../../functions/diagnosis/tools/query-logs/log-time.ts';
import { timestampEnd } from '../../../../functions/diagnosis/tools/query-logs/log-timestamp.ts';
import { ZoneClock } from '../../../../functions/diagnosis/tools/query-logs/zone-clock.ts';

const asOf = Date.parse('2026-11-30T10:00:00Z');
const shanghai = { zone: new ZoneClock('Asia/Shanghai'), asOf };

it.each([
  ['2026-11-30T17:02:05.250+08:00', '2026-11-30T09:02:05.250Z', false],
  ['2026-11-30T04:02:50-05:00', '2026-11-30T09:02:50.000Z', false],
  ['2026-11-30T09:02:05.123456789Z', '2026-11-30T09:02:05.123Z', false],
  ['20261130T090205Z', '2026-11-30T09:02:05.000Z', false],
  ['30/Nov/2026:17:08:35 +0800', '2026-11-30T09:08:35.000Z', false],
  ['Mon, 30 Nov 2026 17:00:00 +0800', '2026-11-30T09:00:00.000Z', false],
  ['2026-11-30 01:45:01.123 PST', '2026-11-30T09:45:01.123Z', false],
  ['1796029735', '2026-11-30T09:08:55.000Z', false],
  ['1796029735250', '2026-11-30T09:08:55.250Z', false],
  ['1796029735250000', '2026-11-30T09:08:55.250Z', false],
  ['2026-11-30 17:01:45,070', '2026-11-30T09:01:45.070Z', true],
  ['2026/11/30 17:15:12', '2026-11-30T09:15:12.000Z', true],
  ['2026-11-30-17.42.50.675872', '2026-11-30T09:42:50.675Z', true],
  ['20261130-17:15:29:606', '2026-11-30T09:15:29.606Z', true],
  ['20261130-17:5:9:96', '2026-11-30T09:05:09.096Z', true],
  ['261130 171529', '2026-11-30T09:15:29.000Z', true],
  ['26/11/30 17:10:40', '2026-11-30T09:10:40.000Z', true],
  ['11/30/2026 5:00:01 PM', '2026-11-30T09:00:01.000Z', true],
  ['30.11.2026 17:00:00', '2026-11-30T09:00:00.000Z', true],
  ['Mon Nov 30 17:01:10 2026', '2026-11-30T09:01:10.000Z', true],
  ['Nov 30 17:01:10', '2026-11-30T09:01:10.000Z', true],
  ['Dec 31 23:59:59', '2025-12-31T15:59:59.000Z', true],
  ['11-29 16:13:38.811', '2026-11-29T08:13:38.811Z', true],
  ['E1130 17:04:22.619632', '2026-11-30T09:04:22.619Z', true],
  ['17:00:00.123', '2026-11-30T09:00:00.123Z', true],
  ['23:30:00', '2026-11-29T15:30:00.000Z', true],
])('reads %s as %s, zone assumed: %s', (text, instant, zoneAssumed) => {
  const time = readTime(text, shanghai);

  expect(time).toEqual({ epochMs: Date.parse(instant), zoneAssumed });
});

it.each(['2026-13-30 17:00:00', '2026-11-30 25:00:00', 'Foo 30 17:00:00', '12345', ''])(
  'reads no time out of %j',
  (text) => {
    expect(readTime(text, shanghai)).toBeNull();
  },
);

it.each([
  ['2026-07-01 12:00:00', '2026-07-01T16:00:00.000Z'],
  ['2026-11-30 12:00:00', '2026-11-30T17:00:00.000Z'],
  ['2026-03-08 03:30:00', '2026-03-08T07:30:00.000Z'],
])('follows daylight saving of the zone: %s', (text, instant) => {
  const newYork = { zone: new ZoneClock('America/New_York'), asOf };

  expect(readTime(text, newYork)?.epochMs).toBe(Date.parse(instant));
});

it('ends a timestamp before the level behind it', () => {
  const line = '2026-11-30 17:02:03.572 INFO started';

  expect(timestampEnd(line, 0)).toBe(23);
});
