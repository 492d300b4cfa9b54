import { utf8Length } from '../../../../shared/kernel/utf8.ts';
import { SYSTEM_SCHEMAS } from './sql-allow-list.ts';
import { SqlRefusal, type SqlRefusalCode } from './sql-refusal.ts';
import { readStatement } from './sql-statement.ts';

/** UTF-8 bytes of one statement; what a step keeps of an executed statement (`Executed`). */
const MAX_STATEMENT_BYTES = 8_192;

/** Verdict on a statement; `code` is the first cause that was met. */
export type SqlVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly code: SqlRefusalCode };

/**
 * Says whether a text is one read-only diagnostic statement for MySQL 8. It reads the whole text
 * with its own grammar of allow-lists: a statement that is not understood to its last token is
 * refused, so that a reading that differs from the server's cannot let anything through.
 *
 * It counts on a connection with MySQL's default lexical modes (no `ANSI_QUOTES`, no
 * `NO_BACKSLASH_ESCAPES`), `utf8mb4`, and the application's schema as the default one.
 *
 * @param applicationSchemas Schemas beside the server's own that tables may be qualified with; an
 *   unqualified table is always the application's.
 */
export function guardSql(sql: string, applicationSchemas: readonly string[] = []): SqlVerdict {
  if (utf8Length(sql) > MAX_STATEMENT_BYTES) return { kind: 'refused', code: 'TOO_LONG' };
  const schemas = new Set([
    ...SYSTEM_SCHEMAS,
    ...applicationSchemas.map((name) => name.toUpperCase()),
  ]);
  try {
    readStatement(sql, schemas);
    return { kind: 'allowed' };
  } catch (error) {
    if (error instanceof SqlRefusal) return { kind: 'refused', code: error.code };
    throw error;
  }
}
