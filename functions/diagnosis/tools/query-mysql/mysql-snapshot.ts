import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { BoundValue } from './query-parameters.ts';
import { quoteName } from './snapshot-dialect.ts';
import { defineMysqlFunctions } from './snapshot-functions.ts';
import { declarationOf, readSnapshotTable, type SnapshotTable } from './snapshot-table.ts';
import { SYSTEM_SCHEMAS } from './sql-allow-list.ts';

/** Tables of one snapshot; more is no incident capsule but a dump. */
const MAX_TABLES = 300;

/** UTF-8 bytes of one table's file, as much as a raw result may have. */
const MAX_TABLE_BYTES = 32 * 1_024 * 1_024;

/** A statement in SQLite's words. */
export interface SnapshotStatement {
  readonly sql: string;
  /** The `SCHEMA.TABLE` names it spells. */
  readonly qualified: ReadonlySet<string>;
}

/** Rows of one query, and whether there were more. */
export interface SnapshotRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SQLOutputValue[])[];
  readonly isCut: boolean;
}

/** A read-only image of a MySQL server at one instant, held in memory. */
export class MysqlSnapshot {
  readonly #database: DatabaseSync;
  #qualified: ReadonlySet<string> = new Set();

  private constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec('PRAGMA query_only = ON');
    database.setAuthorizer((action, table, _column, schema) =>
      READING.includes(action) && this.#isReachable(schema, table)
        ? constants.SQLITE_OK
        : constants.SQLITE_DENY,
    );
  }

  /**
   * Loads `<folder>/<schema>/<table>.json`. The one schema that is not the server's own is the default.
   *
   * @param asOf The snapshot's instant, which NOW() answers; milliseconds since the epoch.
   * @throws Error when the folder can't be read, a file is no table, or two schemas could be the default.
   */
  static async open(folder: string, asOf: number, signal: AbortSignal): Promise<MysqlSnapshot> {
    const schemas = await readSchemas(folder, signal);
    const names = schemas.map(({ schema }) => schema);
    const applications = names.filter((name) => !SYSTEM_SCHEMAS.has(name.toUpperCase()));
    if (applications.length > 1) throw new Error('the snapshot has two application schemas');
    const database = new DatabaseSync(':memory:');
    // SQLite looks an unqualified table up in order of attachment, so the default schema goes first.
    for (const { schema, tables } of schemas.toSorted(applicationFirst)) {
      database.exec(`ATTACH ':memory:' AS ${quoteName(schema)}`);
      for (const [name, table] of tables) loadTable(database, schema, name, table);
    }
    defineMysqlFunctions(database, { asOf, schema: applications[0] ?? null });
    return new MysqlSnapshot(database);
  }

  /**
   * Fetches at most `limit` rows. SQLite runs to its next row without interruption; the signal is
   * looked at between rows.
   *
   * @throws Error of SQLite for a table, column or construct that the snapshot lacks.
   */
  query(
    { sql, qualified }: SnapshotStatement,
    values: Readonly<Record<string, BoundValue>>,
    { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
  ): SnapshotRows {
    this.#qualified = qualified;
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    statement.setAllowUnknownNamedParameters(true); // the lookback need not stand in the statement
    const rows: (readonly SQLOutputValue[])[] = [];
    for (const row of statement.iterate({ ...values })) {
      signal.throwIfAborted();
      if (rows.length === limit) return { columns: namesOf(statement), rows, isCut: true };
      rows.push(Object.values(row));
    }
    return { columns: namesOf(statement), rows, isCut: false };
  }

  /** SQLite finds an unqualified table in any schema; MySQL looks into the default one only. */
  #isReachable(schema: string | null, table: string | null): boolean {
    const upper = `${schema}.${table}`.toUpperCase();
    return !SYSTEM_SCHEMAS.has((schema ?? '').toUpperCase()) || this.#qualified.has(upper);
  }
}

function namesOf(statement: { columns(): readonly { readonly name: string }[] }): string[] {
  return statement.columns().map(({ name }) => name);
}

const READING: readonly number[] = [
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
];

interface SchemaFiles {
  readonly schema: string;
  readonly tables: readonly (readonly [name: string, table: SnapshotTable])[];
}

function applicationFirst(a: SchemaFiles, b: SchemaFiles): number {
  const isSystem = ({ schema }: SchemaFiles) => Number(SYSTEM_SCHEMAS.has(schema.toUpperCase()));
  return isSystem(a) - isSystem(b);
}

const NAME = /^[A-Za-z0-9_$]{1,64}$/;

async function readSchemas(folder: string, signal: AbortSignal): Promise<SchemaFiles[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && NAME.test(entry.name));
  const schemas: SchemaFiles[] = [];
  for (const { name } of names) schemas.push(await readSchema(folder, name, signal));
  return schemas;
}

async function readSchema(
  folder: string,
  schema: string,
  signal: AbortSignal,
): Promise<SchemaFiles> {
  const files = (await readdir(join(folder, schema))).filter((file) => file.endsWith('.json'));
  if (files.length > MAX_TABLES) throw new Error(`${schema} has more than ${MAX_TABLES} tables`);
  const tables: [string, SnapshotTable][] = [];
  for (const file of files.sort()) {
    signal.throwIfAborted();
    const json = await readFile(join(folder, schema, file), { encoding: 'utf8', signal });
    const table = json.length <= MAX_TABLE_BYTES ? readSnapshotTable(json) : undefined;
    if (table === undefined) throw new Error(`${schema}/${file} is no snapshot table`);
    tables.push([file.slice(0, -'.json'.length), table]);
  }
  return { schema, tables };
}

function loadTable(
  database: DatabaseSync,
  schema: string,
  name: string,
  { columns, rows }: SnapshotTable,
): void {
  const target = `${quoteName(schema)}.${quoteName(name)}`;
  const declarations = columns.map((column, index) => {
    const values = rows.map((row) => row[index] ?? null);
    return `${quoteName(column.name)} ${declarationOf(column.type, values)}`;
  });
  database.exec(`CREATE TABLE ${target} (${declarations.join(', ')})`);
  const places = columns.map(() => '?').join(', ');
  const insert = database.prepare(`INSERT INTO ${target} VALUES (${places})`);
  database.exec('BEGIN');
  for (const row of rows) insert.run(...row);
  database.exec('COMMIT');
}
