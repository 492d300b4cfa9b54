import type { Report } from './finding.ts';
import { keyStrength } from './secret-keys.ts';

/** Cells below a heading that promises a credential, in tables of Markdown and of database clients. */
export function findTables(text: string, report: Report): void {
  if (!text.includes('|')) return;
  let columns: readonly boolean[] = [];
  let before: readonly Cell[] = [];
  for (const { 0: line, index } of text.matchAll(LINE)) {
    const isRule = RULE.test(line);
    const cells = isRule ? [] : cellsOf(line, index);
    if (isRule && before.length > 0) columns = before.map(isSecretHeading);
    if (!isRule && cells.length < 2) columns = [];
    reportCells(cells, columns, report);
    before = cells;
  }
}

interface Cell {
  readonly start: number;
  readonly value: string;
}

const LINE = /[^\r\n]{1,4096}/g;
/** The line between heading and rows: `|---|:--:|`, `+------+------+`. */
const RULE =
  /^[ \t]{0,16}(?=[^\r\n]*-{2})[|+][-:|+ \t]{3,}$|^[ \t]{0,16}:?-{2,64}:?[ \t]{0,8}\|[-:| \t]{2,}$/;
const CHINESE_HEADING = /密码|口令|密钥|私钥|令牌|凭证|凭据/;
/** What may be a credential: no blank, nothing that stands for one, no mark. */
const CREDENTIAL = /^(?=[^\s]*[0-9A-Za-z])[\x21-\x7e]{4,512}$/;
const NONE_GIVEN =
  /^(?:`?<[^<>]*>`?|[*x•.#-]+|n\/a|none|null|nil|true|false|yes|no|unset|unknown|vault(?:[:/].*)?|kms(?:[:/].*)?|\$\{.*|\{\{.*|varchar.*|char\(.*|text|string|required|optional|hidden|masked|redacted)$/i;

function cellsOf(line: string, at: number): readonly Cell[] {
  if (!line.includes('|')) return [];
  const cells: Cell[] = [];
  for (const { 0: cell, index } of line.matchAll(/[^|]{1,4096}/g)) {
    const lead = cell.length - cell.trimStart().length;
    cells.push({ start: at + index + lead, value: cell.trim() });
  }
  // White space before the first bar is no cell.
  return cells[0]?.value === '' && /^\s+\|/.test(line) ? cells.slice(1) : cells;
}

function isSecretHeading({ value: heading }: Cell): boolean {
  const strength = keyStrength(heading.replace(/^[`*_]{1,3}|[`*_]{1,3}$/g, ''));
  return strength === 'password' || strength === 'token' || CHINESE_HEADING.test(heading);
}

function reportCells(cells: readonly Cell[], columns: readonly boolean[], report: Report): void {
  for (const [index, { start, value }] of cells.entries()) {
    if (columns[index] !== true || !CREDENTIAL.test(value) || NONE_GIVEN.test(value)) continue;
    report({ start, end: start + value.length, kind: 'secret' });
  }
}
