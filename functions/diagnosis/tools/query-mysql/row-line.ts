import { cutUtf8, utf8Length } from '../../../../shared/kernel/utf8.ts';
import type { RedactedText, Redactor } from '../../../../shared/redaction/redactor.ts';
import { isPrivateColumn } from './sql-allow-list.ts';

/** One value, redacted and written as it stands behind its column's name; not yet cut. */
export interface ShownCell {
  /** The column's name as a row line spells it. */
  readonly key: string;
  readonly value: string;
  /** Part of the source's value has not been read. */
  readonly isCut: boolean;
}

/** One row on one line. */
export interface RowLine {
  readonly line: RedactedText;
  /** Not every value is there in full. */
  readonly isCut: boolean;
}

/** UTF-8 bytes of a value that are read; a cell shows 512 of them, and redaction may shorten text. */
const MAX_READ_BYTES = 4_096;

const HIDDEN = '<hidden>';

/**
 * Redacts a value in the light of its column's name and writes it unambiguously on one line: bare
 * where it has no blank, `'` or `=`, else in single quotes with `'` doubled; NULL bare; line ends, tabs
 * and other control characters as their pictures, such as ␊.
 */
export function showCell(
  { column, key }: { readonly column: string; readonly key: string },
  value: string | null,
  redactor: Redactor,
): ShownCell {
  if (value === null) return { key, value: 'NULL', isCut: false };
  if (isPrivateColumn(column.toUpperCase())) return { key, value: HIDDEN, isCut: false };
  const read = cutUtf8(value, MAX_READ_BYTES);
  const isCut = read !== value;
  const redacted = redactor.redact(read.toWellFormed());
  const written = quoted(visible(isCut ? withoutTail(redacted) : redacted));
  // A second time, since `password` or `card_no` in front of a value says what it is.
  const line = redactor.redact(`${key}=${written}`);
  const inContext = line.startsWith(`${key}=`) ? line.slice(key.length + 1) : HIDDEN;
  return { key, value: inContext, isCut };
}

/** A column's name as a row line spells it: in backticks where it is not one plain word. */
export function columnKey(column: string): string {
  const name = visible(column);
  return /^[^\s='`]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}

/** Writes a row's cells, each value cut to `maxCellBytes`; the cut shows as `…`. */
export function writeRow(
  cells: readonly ShownCell[],
  maxCellBytes: number,
  redactor: Redactor,
): RowLine {
  const written = cells.map(({ key, value }) => `${key}=${cutValue(value, maxCellBytes)}`);
  const isCut = cells.some((cell) => cell.isCut || utf8Length(cell.value) > maxCellBytes);
  return { line: redactor.redact(written.join(' ')), isCut };
}

/** The longest run of whole cells at the beginning of a line that fits, word for word. */
export function beginningOf(line: string, maxBytes: number): string {
  if (utf8Length(line) <= maxBytes) return line;
  const beginning = cutUtf8(line, maxBytes);
  const end = lastCellEnd(beginning);
  return end > 0 ? beginning.slice(0, end) : beginning;
}

function lastCellEnd(text: string): number {
  let isInQuotes = false;
  let end = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "'") isInQuotes = !isInQuotes;
    else if (text[index] === ' ' && !isInQuotes) end = index;
  }
  return end;
}

function visible(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code); // control pictures
    return code === 0x7f ? '␡' : '␤';
  });
}

function quoted(text: string): string {
  return /^[^\s'=]+$/.test(text) && text !== 'NULL' ? text : `'${text.replaceAll("'", "''")}'`;
}

/** A secret that the reading limit cut in two is not recognized; it can only stand at the end. */
function withoutTail(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}

function cutValue(value: string, maxBytes: number): string {
  if (utf8Length(value) <= maxBytes) return value;
  const isQuoted = value.startsWith("'");
  const room = maxBytes - utf8Length(isQuoted ? "…'" : '…');
  const cut = withoutHalfMark(cutUtf8(value, room));
  return isQuoted ? `${cut.replace(/'{1,512}$/, '') || "'"}…'` : `${cut}…`;
}

function withoutHalfMark(text: string): string {
  const open = text.lastIndexOf('<');
  const isHalf = open > text.lastIndexOf('>') && text.length - open < 40;
  return isHalf ? text.slice(0, open) : text;
}
