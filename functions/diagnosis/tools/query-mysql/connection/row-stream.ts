import type { Connection, FieldPacket } from 'mysql2';
import type { BoundValue } from '../query-parameters.ts';
import { MysqlFailure } from './mysql-failure.ts';
import { mysqlText } from './mysql-value.ts';

/** Rows of one statement as text, and whether there were more. */
export interface FetchedRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly isCut: boolean;
}

/** A statement ready to be prepared, and what of its result is kept. */
export interface RowRequest {
  readonly sql: string;
  readonly values: readonly BoundValue[];
  readonly rowLimit: number;
  /** Characters of all values together. */
  readonly maxCharacters: number;
}

/**
 * Prepares and executes a statement and reads its rows as they come, no more of them than the limit.
 * Where it resolves with `isCut` or rejects, the server may still be sending: the caller drops the connection.
 *
 * @throws MysqlFailure `RAW_TOO_LARGE`, or the driver's own error
 */
export async function streamRows(
  connection: Connection,
  { sql, values, rowLimit, maxCharacters }: RowRequest,
): Promise<FetchedRows> {
  const { default: mysql } = await import('mysql2');
  const reading = Promise.withResolvers<boolean>();
  let columns: readonly FieldPacket[] = [];
  const rows: (string | null)[][] = [];
  let characters = 0;
  let isOver = false;

  const finish = (settle: () => void) => {
    isOver = true;
    settle();
  };
  const onRow = (row: unknown) => {
    if (isOver || !Array.isArray(row)) return; // rows of a chunk still come after the last one wanted
    if (rows.length === rowLimit) return finish(() => reading.resolve(true));
    const cells = columns.map((column, index) => mysqlText(row[index], column));
    characters += cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
    if (characters <= maxCharacters) rows.push(cells);
    else finish(() => reading.reject(new MysqlFailure('RAW_TOO_LARGE', 'RAW_TOO_LARGE')));
  };
  const onError = (error: unknown) => finish(() => reading.reject(error));

  connection.on('error', onError); // a lost connection tells nobody else
  connection
    // A whole number as such: MySQL refuses a double where a count is wanted.
    .execute({
      sql,
      values: values.map((value) =>
        Number.isSafeInteger(value) ? mysql.TypedParameter.BIGINT(value) : value,
      ),
    })
    .on('fields', (fields: readonly FieldPacket[] | undefined) => {
      columns = fields ?? [];
    })
    .on('result', onRow)
    .on('error', onError)
    .on('end', () => finish(() => reading.resolve(false)));
  try {
    const isCut = await reading.promise;
    return { columns: columns.map(({ name }) => name), rows, isCut };
  } finally {
    connection.off('error', onError);
  }
}
