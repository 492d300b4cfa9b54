import { dirname } from 'node:path';
import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite';
import { HarnessError } from '../kernel/errors.ts';
import { makeFolder } from '../kernel/folder.ts';
import { recordUnavailable, storeFailed } from './store-failure.ts';

/** Values for the `:name` places of a statement. */
export type Values = Record<string, SQLInputValue>;
export type Row = Record<string, SQLOutputValue>;

/** How long a write waits for other processes; each of ours takes milliseconds, and seconds on a laden machine. */
const BUSY_TIMEOUT_MS = 15_000;

/** One SQLite file in WAL mode, every commit synced to the disk before it is confirmed. */
export class SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * Opens the file, made with its folder when missing; `:memory:` keeps nothing.
   *
   * @throws HarnessError `STORE_FAILED` if it can't be opened.
   */
  constructor(file: string) {
    this.#database = translated('opening the file', () => {
      if (file !== ':memory:') makeFolder(dirname(file));
      return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    });
  }

  /** Runs statements without values, such as a schema. */
  execute(sql: string): void {
    translated('writing to the file', () => this.#database.exec(sql));
  }

  /** Runs one writing statement; says how many rows it changed. */
  change(sql: string, values: Values): number {
    return translated('writing to the file', () => Number(this.#prepared(sql).run(values).changes));
  }

  first(sql: string, values: Values = {}): Row | null {
    return translated('reading the file', () => this.#prepared(sql).get(values) ?? null);
  }

  all(sql: string, values: Values): Row[] {
    return translated('reading the file', () => this.#prepared(sql).all(values));
  }

  /** Runs the work as one transaction that no other process's write can come between. */
  atomically<Result>(work: () => Result): Result {
    this.execute('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.execute('COMMIT');
      return result;
    } catch (error) {
      // A failure such as a full disk may have rolled back already.
      if (this.#database.isTransaction) this.execute('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** SQLite's primary result codes for a damaged file and for one that is no database. */
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function translated<Result>(doing: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    const code = primaryCodeOf(error);
    if (code === SQLITE_CORRUPT) throw recordUnavailable('its file is damaged', error);
    if (code === SQLITE_NOTADB) throw recordUnavailable('its file is no SQLite database', error);
    throw storeFailed(doing, error);
  }
}

function primaryCodeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null; // low byte: primary code
}
