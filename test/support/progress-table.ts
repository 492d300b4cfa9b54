import { readFileSync } from 'node:fs';

/** One cell of a table: what its row and its column are called, and what it says. */
export interface Cell {
  readonly row: string;
  readonly column: string;
  readonly says: string;
}

/** Every cell of the one table under a heading of `docs/progress.md`, row by row. */
export function cellsUnder(heading: string): readonly Cell[] {
  const document = readFileSync('docs/progress.md', 'utf8');
  const section = document.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const [head = [], , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
  return rows.flatMap(([row = '', ...cells]) =>
    cells.map((says, at) => ({ row, column: head[at + 1] ?? '', says })),
  );
}

/** Cells that two lists of names span, as "row × column": what a complete table holds. */
export function everyPair(rows: readonly string[], columns: readonly string[]): readonly string[] {
  return rows.flatMap((row) => columns.map((column) => pairOf({ row, column })));
}

export function pairOf({ row, column }: Pick<Cell, 'row' | 'column'>): string {
  return `${row} × ${column}`;
}
