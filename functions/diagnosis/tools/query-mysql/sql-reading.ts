import type { SqlCursor } from './sql-cursor.ts';

/** What has been seen of the query block that is being read; subqueries keep their own count. */
export interface SqlFacts {
  columns: number;
  /** Aggregates over the whole group; one with an OVER clause makes no row fewer. */
  aggregates: number;
}

/** The state of reading one statement, handed from rule to rule. */
export interface SqlReading {
  readonly cursor: SqlCursor;
  readonly facts: SqlFacts;
  /** False where nothing of the statement is executed, so that its size does not matter. */
  readonly mustBeBounded: boolean;
  /** Upper-case schema names: the server's own and the application's configured ones. */
  isAllowedSchema(upperName: string): boolean;
  readExpression(): void;
  readSubquery(): void;
}
