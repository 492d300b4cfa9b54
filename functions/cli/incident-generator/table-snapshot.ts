export type Cell = string | number | null;

/** One table of `mysql/<schema>/<table>.json`. */
export interface TableSnapshot {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * A table out of `'name type, name type'` and its rows.
 * @throws RangeError when a row has not exactly one cell per column.
 */
export function aTable(declaration: string, rows: readonly (readonly Cell[])[]): TableSnapshot {
  const columns = declaration.split(',').map((column) => {
    const [name = '', type = ''] = column.trim().split(' ');
    return { name, type };
  });
  const odd = rows.find((row) => row.length !== columns.length);
  if (odd) throw new RangeError(`a row has ${odd.length} cells, not ${columns.length}: ${odd}`);
  return { columns, rows };
}

/** The file: one line per row, so that a difference shows where it is. */
export function tableFile({ columns, rows }: TableSnapshot): string {
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
  const heads = columns.map((column) => `    ${JSON.stringify(column)}`).join(',\n');
  const body = rows.length === 0 ? '[]' : `[\n${lines}\n  ]`;
  return `{\n  "columns": [\n${heads}\n  ],\n  "rows": ${body}\n}\n`;
}
