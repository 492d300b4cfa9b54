import type { ZoneClock } from './zone-clock.ts';

/** An instant read from a log. */
export interface LogTime {
  readonly epochMs: number;
  /** True where the text names no zone, so that the configured one was taken. */
  readonly zoneAssumed: boolean;
}

/** What a text without zone or year is read against. */
export interface TimeReference {
  readonly zone: ZoneClock;
  /** The instant the evidence ends at; a text without year means the last such day before it. */
  readonly asOf: number;
}

const DAY_MS = 86_400_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CLOCK =
  '(?<h>\\d{1,2})[:.](?<m>\\d{1,2})[:.](?<s>\\d{1,2})(?:[.,](?<f>\\d{1,9})|:(?<ms>\\d{1,3}))?(?: (?<half>[AP]M))?';
const OFFSET = ' ?(?<zone>Z|[+-]\\d{2}:?\\d{2}|[A-Z]{3,4})?';
const NAMED_MONTH = '(?<mon>[A-Z][a-z]{2})';
const SHAPES = [
  `(?<y>\\d{4})[-/.](?<mo>\\d{1,2})[-/.](?<d>\\d{1,2})[T:_, -]{1,2}${CLOCK}${OFFSET}`,
  `(?<y>\\d{4})(?<mo>\\d{2})(?<d>\\d{2})[-T ]${CLOCK}${OFFSET}`,
  `(?<y>\\d{4})(?<mo>\\d{2})(?<d>\\d{2})T(?<h>\\d{2})(?<m>\\d{2})(?<s>\\d{2})(?:[.,](?<f>\\d{1,9}))?${OFFSET}`,
  '(?<yy>\\d{2})(?<mo>\\d{2})(?<d>\\d{2}) {1,2}(?<h>\\d{2})(?<m>\\d{2})(?<s>\\d{2})',
  `(?<yy>\\d{2})(?<mo>\\d{2})(?<d>\\d{2}) {1,2}${CLOCK}`,
  `(?<d>\\d{1,2})\\.(?<mo>\\d{1,2})\\.(?<y>\\d{4}),? ${CLOCK}${OFFSET}`,
  `(?<yy>\\d{2})[/-](?<mo>0\\d|1[0-2])[/-](?<d>\\d{2}),? ${CLOCK}${OFFSET}`,
  `(?<mo>0?\\d|1[0-2])[/.-](?<d>\\d{1,2})[/.-](?:(?<y>\\d{4})|(?<yy>\\d{2})),? ${CLOCK}${OFFSET}`,
  `(?<d>\\d{1,2})[/-](?<mo>\\d{1,2})[/-](?<y>\\d{4}),? ${CLOCK}${OFFSET}`,
  `(?<mo>\\d{1,2})[/.-](?<d>\\d{1,2}) ${CLOCK}`,
  `(?:[A-Z][a-z]{2},? {1,2})?(?<d>\\d{1,2})[/ -]${NAMED_MONTH}[/ -](?<y>\\d{4})[: ]${CLOCK}${OFFSET}`,
  `(?:[A-Z][a-z]{2},? {1,2})?${NAMED_MONTH} {1,2}(?<d>\\d{1,2}),?(?: (?<y>\\d{4}))? ${CLOCK}${OFFSET}(?: (?<y2>\\d{4}))?`,
  `[A-Z](?<mo>\\d{2})(?<d>\\d{2}) ${CLOCK}`,
  CLOCK,
].map((shape) => new RegExp(`^(?:${shape})$`));

/** Hours east of UTC of the abbreviations that name one zone only. */
const NAMED_ZONES = new Map(
  Object.entries({
    UTC: 0,
    GMT: 0,
    PST: -8,
    PDT: -7,
    MST: -7,
    MDT: -6,
    EST: -5,
    EDT: -4,
    CET: 1,
    CEST: 2,
    EET: 2,
    EEST: 3,
    MSK: 3,
    JST: 9,
    KST: 9,
    HKT: 8,
    SGT: 8,
  }),
);

/** Reads a timestamp in any of the shapes a log header writes; null for anything else. */
export function readTime(text: string, reference: TimeReference): LogTime | null {
  if (/^-?\d{1,19}(?:\.\d{1,9})?$/.test(text)) return epochTime(text);
  for (const shape of SHAPES) {
    const parts = shape.exec(text)?.groups;
    if (parts !== undefined) return fromParts(parts, reference);
  }
  return null;
}

/** Ten digits are seconds, thirteen ms, sixteen µs, nineteen ns. */
function epochTime(text: string): LogTime | null {
  const digits = text.split('.')[0]?.length ?? 0;
  const exponent = [10, 13, 16, 19].indexOf(digits);
  if (exponent === -1) return null;
  return { epochMs: Math.floor(Number(text) * 10 ** (3 - 3 * exponent)), zoneAssumed: false };
}

type Parts = Readonly<Record<string, string | undefined>>;

function fromParts(parts: Parts, reference: TimeReference): LogTime | null {
  const ofDay = timeOfDayMs(parts);
  const month = monthOf(parts);
  const day = Number(parts['d'] ?? 1);
  if (ofDay === null || month > 12 || day > 31) return null;
  const year = yearOf(parts);
  if (year !== null) return placed(Date.UTC(year, month - 1, day) + ofDay, parts, reference);
  return month === 0
    ? lastOf((back) => midnight(reference) - back * DAY_MS + ofDay, parts, reference)
    : lastOf((back) => dayOfYear(reference, back, month, day) + ofDay, parts, reference);
}

function timeOfDayMs(parts: Parts): number | null {
  const half = parts['half'];
  const hour = half === undefined ? Number(parts['h']) : Number(parts['h']) % 12;
  const [minute, second] = [Number(parts['m']), Number(parts['s'])];
  if (hour > 23 || minute > 59 || second > 60) return null;
  const fraction = Math.floor(Number(`0.${parts['f'] ?? 0}`) * 1_000 + 1e-6);
  const millis = Number(parts['ms'] ?? fraction);
  return ((hour + (half === 'PM' ? 12 : 0)) * 3_600 + minute * 60 + second) * 1_000 + millis;
}

function monthOf(parts: Parts): number {
  const name = parts['mon'];
  if (name === undefined) return Number(parts['mo'] ?? 0);
  const index = MONTHS.indexOf(name.toLowerCase());
  return index === -1 ? 13 : index + 1;
}

function yearOf(parts: Parts): number | null {
  const year = parts['y'] ?? parts['y2'];
  if (year !== undefined) return Number(year);
  const short = parts['yy'];
  return short === undefined ? null : 2_000 + Number(short);
}

function midnight({ zone, asOf }: TimeReference): number {
  const wall = zone.toWallMs(asOf);
  return wall - (((wall % DAY_MS) + DAY_MS) % DAY_MS);
}

function dayOfYear(
  { zone, asOf }: TimeReference,
  back: number,
  month: number,
  day: number,
): number {
  const year = new Date(zone.toWallMs(asOf)).getUTCFullYear();
  return Date.UTC(year + 1 - back, month - 1, day);
}

/** The latest candidate that is at most a day after the reference: clocks and zones differ a little. */
function lastOf(
  wallMs: (back: number) => number,
  parts: Parts,
  reference: TimeReference,
): LogTime | null {
  const slack = parts['mon'] === undefined && parts['mo'] === undefined ? DAY_MS / 24 : DAY_MS;
  for (let back = 0; back < 3; back += 1) {
    const time = placed(wallMs(back), parts, reference);
    if (time.epochMs <= reference.asOf + slack) return time;
  }
  return null;
}

function placed(wallMs: number, parts: Parts, { zone }: TimeReference): LogTime {
  const offset = offsetMs(parts['zone']);
  if (offset !== null) return { epochMs: wallMs - offset, zoneAssumed: false };
  return { epochMs: zone.toEpochMs(wallMs), zoneAssumed: true };
}

function offsetMs(zone: string | undefined): number | null {
  if (zone === undefined) return null;
  if (zone === 'Z') return 0;
  const numeric = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (numeric === null) {
    const hours = NAMED_ZONES.get(zone);
    return hours === undefined ? null : hours * 3_600_000;
  }
  const size = (Number(numeric[2]) * 60 + Number(numeric[3])) * 60_000;
  return numeric[1] === '-' ? -size : size;
}
