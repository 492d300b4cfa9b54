import { OBSERVATION_CAPS, type ScopeNote } from '../../../../shared/contracts/observation.ts';
import type { QueryMysqlInput } from '../../../../shared/contracts/tool-inputs.ts';
import { cutUtf8, utf8Length } from '../../../../shared/kernel/utf8.ts';
import type { RedactedText, Redactor } from '../../../../shared/redaction/redactor.ts';
import type { MysqlBody } from '../../evidence/evidence-body.ts';
import type { ResultProjector } from '../../evidence/result-projector.ts';
import { decodeMysqlResult, type MysqlResult } from './mysql-result.ts';
import {
  beginningOf,
  columnKey,
  type RowLine,
  type ShownCell,
  showCell,
  writeRow,
} from './row-line.ts';

const MAX_COLUMN_BYTES = 64; // `columns` of the observation
const MAX_FACTS = 3;
const MAX_FACT_BYTES = 300;

// More rows with shorter cells say more than a few rows with long statement texts.
const SHORTEST_CELL_BYTES = 128;
const CELL_BYTES = [OBSERVATION_CAPS.cellBytes, 256, SHORTEST_CELL_BYTES];

/** Shows the first rows in the query's own order, one line each. */
export const mysqlProjector: ResultProjector<QueryMysqlInput, MysqlBody> = {
  project(raw, { redactor, maxBodyBytes }) {
    const result = decodeMysqlResult(raw);
    if (result === undefined) return { kind: 'malformed' };
    const table = readTable(result, maxBodyBytes, redactor);
    const { body, isCut } = fitted(table, maxBodyBytes, redactor);
    return {
      kind: 'projected',
      evidenceStatus: result.rows.length === 0 ? 'NO_EVIDENCE' : 'EVIDENCE_FOUND',
      notes: notesOf(result, body),
      truncated: isCut || result.rows_cut,
      body,
      facts: factsOf(body.rows, redactor),
    };
  },
};

interface Table {
  readonly columns: readonly RedactedText[];
  readonly rows: readonly (readonly ShownCell[])[];
  readonly liveState: boolean;
  readonly isCut: boolean;
}

function readTable(result: MysqlResult, maxBodyBytes: number, redactor: Redactor): Table {
  const names = result.columns
    .slice(0, OBSERVATION_CAPS.columns)
    .map((column) => column.toWellFormed());
  const keys = names.map((name) => columnKey(redactor.redact(name)));
  const columns = names.map((column, index) => ({
    column,
    key: cutUtf8(keys[index] ?? '', MAX_COLUMN_BYTES),
  }));
  const rows = readRows(result, columns, { maxBodyBytes, redactor });
  return {
    columns: columns.map(({ key }) => redactor.redact(key)),
    rows,
    liveState: result.live_state,
    isCut:
      rows.length < result.rows.length ||
      names.length < result.columns.length ||
      columns.some(({ key }, index) => key !== keys[index]),
  };
}

/** Reads rows until there are enough, or no further one can fit however short its cells. */
function readRows(
  result: MysqlResult,
  columns: readonly { readonly column: string; readonly key: string }[],
  { maxBodyBytes, redactor }: { readonly maxBodyBytes: number; readonly redactor: Redactor },
): readonly (readonly ShownCell[])[] {
  const rows: ShownCell[][] = [];
  let leastBytes = 0;
  for (const row of result.rows.slice(0, OBSERVATION_CAPS.rows)) {
    if (leastBytes > maxBodyBytes) break;
    const cells = columns.map((column, index) => showCell(column, row[index] ?? null, redactor));
    leastBytes += utf8Length(writeRow(cells, SHORTEST_CELL_BYTES, redactor).line);
    rows.push(cells);
  }
  return rows;
}

interface Fitted {
  readonly body: MysqlBody;
  readonly isCut: boolean;
}

/** All rows with the longest cells that fit, else as many rows as fit with the shortest. */
function fitted(table: Table, maxBodyBytes: number, redactor: Redactor): Fitted {
  let lines: readonly RowLine[] = [];
  for (const cellBytes of CELL_BYTES) {
    lines = table.rows.map((cells) => writeRow(cells, cellBytes, redactor));
    if (fits(bodyOf(table, lines), maxBodyBytes)) break;
  }
  let count = lines.length;
  while (count > 0 && !fits(bodyOf(table, lines.slice(0, count)), maxBodyBytes)) count -= 1;
  const shown = lines.slice(0, count);
  return {
    body: bodyOf(table, shown),
    isCut: table.isCut || count < table.rows.length || shown.some(({ isCut }) => isCut),
  };
}

function fits(body: MysqlBody, maxBodyBytes: number): boolean {
  return utf8Length(JSON.stringify(body)) <= maxBodyBytes;
}

function bodyOf({ columns, liveState }: Table, lines: readonly RowLine[]): MysqlBody {
  return {
    columns,
    rows: lines.map(({ line }) => line),
    returned_count: lines.length,
    live_state: liveState,
  };
}

function notesOf(result: MysqlResult, { rows }: MysqlBody): ScopeNote[] {
  return [
    ...(rows.some((line) => line.includes('\uFFFD')) ? (['BYTES_REPLACED'] as const) : []),
    ...(result.rows_cut ? (['ROWS_CUT_BY_SOURCE'] as const) : []),
  ];
}

function factsOf(rows: readonly RedactedText[], redactor: Redactor): RedactedText[] {
  return rows
    .slice(0, MAX_FACTS)
    .map((line) => ({ line, fact: redactor.redact(beginningOf(line, MAX_FACT_BYTES)) }))
    .filter(({ line, fact }) => fact !== '' && line.includes(fact))
    .map(({ fact }) => fact);
}
