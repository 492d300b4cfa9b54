import { InstantSchema } from '../../../../shared/contracts/identifiers.ts';
import { toSqlDatetime } from './sql-datetime.ts';

/** One column of a snapshot table; `type` is MySQL's, such as `BIGINT UNSIGNED` or `varchar(64)`. */
interface SnapshotColumn {
  readonly name: string;
  readonly type: string;
}

/** A value as SQLite stores it. */
export type SnapshotValue = string | number | bigint | Uint8Array | null;

/** The content of `<schema>/<table>.json`. */
export interface SnapshotTable {
  readonly columns: readonly SnapshotColumn[];
  readonly rows: readonly (readonly SnapshotValue[])[];
}

/**
 * Reads a snapshot table: `{"columns": [{"name", "type"}], "rows": [[…]]}`, cells being text, numbers
 * (integers of any length without loss), booleans, null, or `{"base64": "…"}` for bytes. Undefined when
 * the text is not that.
 */
export function readSnapshotTable(json: string): SnapshotTable | undefined {
  const read = parseJson(json);
  if (typeof read !== 'object' || read === null) return undefined;
  if (!('columns' in read && 'rows' in read)) return undefined;
  const { columns, rows } = read;
  if (!Array.isArray(columns) || columns.length === 0 || !columns.every(isColumn)) return undefined;
  if (!Array.isArray(rows)) return undefined;
  const values = rows.map((row) => readRow(row, columns));
  return values.every((row) => row !== undefined) ? { columns, rows: values } : undefined;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json, keepLongIntegers);
  } catch {
    return undefined; // The caller says which file is no table.
  }
}

function keepLongIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?[0-9]{1,40}$/.test(source) ? BigInt(source) : value;
}

function isColumn(value: unknown): value is SnapshotColumn {
  if (typeof value !== 'object' || value === null) return false;
  if (!('name' in value && 'type' in value)) return false;
  return typeof value.name === 'string' && value.name !== '' && typeof value.type === 'string';
}

function readRow(row: unknown, columns: readonly SnapshotColumn[]): SnapshotValue[] | undefined {
  if (!Array.isArray(row) || row.length !== columns.length) return undefined;
  const values = row.map((cell, index) => readCell(inSqlForm(cell, columns[index]?.type ?? '')));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** RFC 3339 instants in DATETIME and TIMESTAMP columns, so that they compare with a window. */
function inSqlForm(cell: unknown, type: string): unknown {
  const isInstant = /^(?:DATETIME|TIMESTAMP)/i.test(type) && InstantSchema.safeParse(cell).success;
  return isInstant ? toSqlDatetime(Date.parse(String(cell))) : cell;
}

function readCell(cell: unknown): SnapshotValue | undefined {
  if (cell === null || typeof cell === 'string' || typeof cell === 'number') return cell;
  if (typeof cell === 'bigint') return fitsSqlite(cell) ? cell : String(cell);
  if (typeof cell === 'boolean') return Number(cell);
  if (typeof cell !== 'object' || !('base64' in cell)) return undefined;
  return typeof cell.base64 === 'string' ? Buffer.from(cell.base64, 'base64') : undefined;
}

/** SQLite's integers have 64 bits with a sign; a longer one is kept as its digits. */
function fitsSqlite(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/**
 * The SQLite declaration of a column: its affinity, and MySQL's default of comparing text without
 * letter case.
 */
export function declarationOf(type: string, values: readonly SnapshotValue[]): string {
  const upper = type.trim().toUpperCase();
  if (/BLOB|BINARY/.test(upper)) return '';
  const isNumeric = /^(?:TINY|SMALL|MEDIUM|BIG)?INT|^(?:YEAR|BOOL|DEC|NUMERIC|FLOAT|DOUBLE|REAL)/;
  if (!isNumeric.test(upper)) return 'TEXT COLLATE NOCASE';
  // A number with more digits than a double holds stays text, which an affinity would round.
  return values.some((value) => typeof value === 'string' && value.replace(/\D/g, '').length > 15)
    ? ''
    : 'NUMERIC';
}
