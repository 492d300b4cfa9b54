/** Why the guard refused a statement; each code names one cause. */
export type SqlRefusalCode =
  | 'EMPTY'
  | 'TOO_LONG'
  | 'CHARACTER'
  | 'COMMENT'
  | 'SYNTAX'
  | 'NESTING'
  | 'STATEMENT_KIND'
  | 'MULTIPLE_STATEMENTS'
  | 'FUNCTION'
  | 'SCHEMA'
  | 'TABLE'
  | 'COLUMN'
  | 'VARIABLE'
  | 'HINT'
  | 'LOCK'
  | 'INTO'
  | 'REGULAR_EXPRESSION'
  | 'RECURSION'
  | 'UNBOUNDED';

/** Ends the reading of a statement; never leaves `guardSql`, which turns it into a value. */
export class SqlRefusal extends Error {
  readonly code: SqlRefusalCode;

  constructor(code: SqlRefusalCode) {
    super(`statement refused: ${code}`);
    this.code = code;
  }
}

/** @throws SqlRefusal always. */
export function refuseSql(code: SqlRefusalCode): never {
  throw new SqlRefusal(code);
}
