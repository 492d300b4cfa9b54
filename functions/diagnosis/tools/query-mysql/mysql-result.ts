import { utf8Bytes } from '../../../../shared/kernel/utf8.ts';

/** The raw result of `query_mysql`, the same whatever the source. */
export interface MysqlResult {
  readonly columns: readonly string[];
  /** Values as text, null for NULL; binary ones in hexadecimal digits behind `0x`. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** There was at least one more row than the query's limit. */
  readonly rows_cut: boolean;
  /** The rows are of the moment of asking, not of `as_of`. */
  readonly live_state: boolean;
}

/** The bytes an adapter keeps. */
export function encodeMysqlResult(result: MysqlResult): Uint8Array {
  return utf8Bytes(JSON.stringify(result));
}

/** Reads what {@link encodeMysqlResult} wrote, leniently on unknown keys; undefined when it is not that. */
export function decodeMysqlResult(raw: Uint8Array): MysqlResult | undefined {
  const read = parseJson(raw);
  if (!isObject(read)) return undefined;
  const { columns, rows, rows_cut, live_state } = read;
  if (!isTextList(columns) || !isRowList(rows, columns.length)) return undefined;
  if (typeof rows_cut !== 'boolean' || typeof live_state !== 'boolean') return undefined;
  return { columns, rows, rows_cut, live_state };
}

function parseJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    return undefined; // Bytes that are no JSON are a malformed result, which the caller says.
  }
}

function isObject(value: unknown): value is Partial<Record<keyof MysqlResult, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function isRowList(value: unknown, width: number): value is (string | null)[][] {
  return Array.isArray(value) && value.every((row) => isRow(row, width));
}

function isRow(row: unknown, width: number): boolean {
  return (
    Array.isArray(row) &&
    row.length === width &&
    row.every((cell) => cell === null || typeof cell === 'string')
  );
}
