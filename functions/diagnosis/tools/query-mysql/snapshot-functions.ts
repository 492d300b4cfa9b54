import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { fromSqlDatetime, toSqlDatetime } from './sql-datetime.ts';

type Value = Exclude<SQLOutputValue, null>;
type Answer = string | number | bigint | null;
/** Not called when an argument is NULL: the answer is NULL then, as in MySQL. */
type StrictFunction = (...values: Value[]) => Answer;

/** Gives a snapshot the functions of MySQL that SQLite lacks or reads differently. */
export function defineMysqlFunctions(
  database: DatabaseSync,
  { asOf, schema }: { readonly asOf: number; readonly schema: string | null },
): void {
  const now = toSqlDatetime(asOf);
  const contextual: Readonly<Record<string, StrictFunction>> = {
    // The snapshot's own instant: a replay does not know a later one.
    NOW: () => now,
    SYSDATE: () => now,
    CURDATE: () => now.slice(0, 10),
    CURTIME: () => now.slice(11, 19),
    UNIX_TIMESTAMP: (value) => seconds(value === undefined ? asOf : instantOf(value)),
    DATABASE: () => schema,
    SCHEMA: () => schema,
  };
  const all = { ...TEXT_FUNCTIONS, ...NUMBER_FUNCTIONS, ...TIME_FUNCTIONS, ...contextual };
  for (const [name, run] of Object.entries(all)) {
    database.function(name, { varargs: true, useBigIntArguments: true }, (...values) =>
      values.every(isPresent) ? run(...values) : null,
    );
  }
  // SQLite keeps ISNULL for an operator; the translation writes IS_NULL.
  database.function('IS_NULL', { useBigIntArguments: true }, (value) => (value === null ? 1 : 0));
}

/** True for units of fixed length from a second up, which a snapshot can count in. */
export function isSnapshotUnit(upperUnit: string): boolean {
  return UNITS_MS.has(upperUnit);
}

function isPresent(value: SQLOutputValue): value is Value {
  return value !== null;
}

const TEXT_FUNCTIONS: Readonly<Record<string, StrictFunction>> = {
  CONCAT: (...values) => values.map(textOf).join(''),
  LEFT: (value, length) => charactersOf(value).slice(0, countOf(length)).join(''),
  RIGHT: (value, length) => lastCharacters(charactersOf(value), countOf(length)),
  LENGTH: (value) => Buffer.byteLength(textOf(value)),
  CHAR_LENGTH: (value) => charactersOf(value).length,
  CHARACTER_LENGTH: (value) => charactersOf(value).length,
  LCASE: (value) => textOf(value).toLowerCase(),
  UCASE: (value) => textOf(value).toUpperCase(),
  LOCATE: (part, value) => textOf(value).toLowerCase().indexOf(textOf(part).toLowerCase()) + 1,
  SUBSTRING_INDEX: (value, mark, count) => upToMark(textOf(value), textOf(mark), Number(count)),
  JSON_UNQUOTE: (value) => textOf(value).replace(/^"(.*)"$/s, '$1'),
};

const NUMBER_FUNCTIONS: Readonly<Record<string, StrictFunction>> = {
  LEAST: (...values) => pick(values, (a, b) => a < b),
  GREATEST: (...values) => pick(values, (a, b) => a > b),
  TRUNCATE: (value, digits) => truncate(Number(value), Number(digits)),
  FORMAT_BYTES: (value) => scaled(Number(value), BYTE_UNITS),
  FORMAT_PICO_TIME: (value) => scaled(Number(value), PICO_UNITS),
};

const TIME_FUNCTIONS: Readonly<Record<string, StrictFunction>> = {
  FROM_UNIXTIME: (value) => toSqlDatetime(Number(value) * 1_000),
  // Seconds from the year 0 to 1970, the origin MySQL counts from.
  TO_SECONDS: (value) => shifted(seconds(instantOf(value)), 62_167_219_200),
  DATE: (value) => part(value, 0, 10),
  YEAR: (value) => numberPart(value, 0, 4),
  MONTH: (value) => numberPart(value, 5, 7),
  DAY: (value) => numberPart(value, 8, 10),
  HOUR: (value) => numberPart(value, 11, 13),
  MINUTE: (value) => numberPart(value, 14, 16),
  SECOND: (value) => numberPart(value, 17, 19),
  DATE_FORMAT: (value, format) => formatted(instantOf(value), textOf(format)),
  DATE_ADD: (value, count, unit) => moved(value, Number(count), unit),
  DATE_SUB: (value, count, unit) => moved(value, -Number(count), unit),
  TIMESTAMPADD: (unit, count, value) => moved(value, Number(count), unit),
  TIMESTAMPDIFF: (unit, from, to) => unitsBetween(from, to, unitMs(unit)),
  DATEDIFF: (to, from) => unitsBetween(part(from, 0, 10), part(to, 0, 10), 86_400_000),
};

function textOf(value: Value | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);
}

function charactersOf(value: Value | undefined): string[] {
  return [...textOf(value)];
}

function countOf(value: Value | undefined): number {
  return Math.max(0, Number(value));
}

function lastCharacters(characters: readonly string[], count: number): string {
  return characters.slice(Math.max(0, characters.length - count)).join('');
}

function upToMark(text: string, mark: string, count: number): string {
  const parts = text.split(mark);
  return (count >= 0 ? parts.slice(0, count) : parts.slice(count)).join(mark);
}

function pick(values: readonly Value[], isBetter: (a: Value, b: Value) => boolean): Answer {
  const [first, ...others] = values;
  const best = others.reduce((held, other) => (isBetter(other, held) ? other : held), first ?? '');
  return best instanceof Uint8Array ? textOf(best) : best;
}

function truncate(value: number, digits: number): number {
  return Math.trunc(value * 10 ** digits) / 10 ** digits;
}

type Units = readonly (readonly [name: string, size: number])[];

const BYTE_UNITS: Units = [
  ['TiB', 1_024 ** 4],
  ['GiB', 1_024 ** 3],
  ['MiB', 1_024 ** 2],
  ['KiB', 1_024],
  ['bytes', 1],
];

const PICO_UNITS: Units = [
  ['d', 86_400e12],
  ['h', 3_600e12],
  ['min', 60e12],
  ['s', 1e12],
  ['ms', 1e9],
  ['us', 1e6],
  ['ns', 1e3],
  ['ps', 1],
];

function scaled(value: number, units: Units): string {
  const [name, size] = units.find(([, least]) => Math.abs(value) >= least) ??
    units.at(-1) ?? ['', 1];
  return size === 1 ? `${value} ${name}` : `${(value / size).toFixed(2)} ${name}`;
}

function instantOf(value: Answer | Value | undefined): number | null {
  if (value === null || value === undefined) return null;
  return fromSqlDatetime(String(value)) ?? null;
}

function seconds(instant: number | null): number | null {
  return instant === null ? null : Math.floor(instant / 1_000);
}

function shifted(value: number | null, by: number): number | null {
  return value === null ? null : value + by;
}

function part(value: Answer | Value | undefined, from: number, to: number): string | null {
  const instant = instantOf(value);
  return instant === null ? null : toSqlDatetime(instant).slice(from, to);
}

function numberPart(value: Value | undefined, from: number, to: number): number | null {
  const text = part(value, from, to);
  return text === null ? null : Number(text);
}

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['SECOND', 1_000],
  ['MINUTE', 60_000],
  ['HOUR', 3_600_000],
  ['DAY', 86_400_000],
  ['WEEK', 604_800_000],
]);

/** @throws Error for a unit that {@link isSnapshotUnit} denies; the translation refuses it before. */
function unitMs(unit: Value | undefined): number {
  const size = UNITS_MS.get(String(unit));
  if (size === undefined) throw new Error('a snapshot does not count in this unit');
  return size;
}

function moved(value: Value | undefined, count: number, unit: Value | undefined): string | null {
  const instant = instantOf(value);
  return instant === null ? null : toSqlDatetime(instant + count * unitMs(unit));
}

function unitsBetween(
  from: Answer | Value | undefined,
  to: Answer | Value | undefined,
  size: number,
): number | null {
  const start = instantOf(from);
  const end = instantOf(to);
  return start === null || end === null ? null : Math.trunc((end - start) / size);
}

/** Where each specifier of DATE_FORMAT lies in `YYYY-MM-DD HH:MM:SS`. */
const FORMAT_PARTS: Readonly<Record<string, readonly [number, number]>> = {
  Y: [0, 4],
  y: [2, 4],
  m: [5, 7],
  d: [8, 10],
  H: [11, 13],
  i: [14, 16],
  s: [17, 19],
  S: [17, 19],
  T: [11, 19],
};

function formatted(instant: number | null, format: string): string | null {
  if (instant === null) return null;
  const text = toSqlDatetime(instant);
  return format.replace(/%(.)/gs, (_match, specifier: string) => {
    const place = FORMAT_PARTS[specifier];
    return place === undefined ? specifier : text.slice(...place);
  });
}
