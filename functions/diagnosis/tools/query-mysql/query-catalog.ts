import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { QueryHeader } from '../../../../shared/contracts/query-header.ts';
import { canonicalJson, sha256Hex } from '../../../../shared/kernel/canonical-json.ts';
import { HarnessError } from '../../../../shared/kernel/errors.ts';
import { readQueryFile } from './query-file.ts';
import { guardSql } from './sql-guard.ts';
import { checkStatementUse } from './statement-parameters.ts';

/** One reviewed statement that the model may ask for by name. */
export interface CataloguedQuery {
  readonly name: string;
  readonly header: QueryHeader;
  /** With named parameters, as it stands in its file. */
  readonly statement: string;
}

/** Where queries come from: `<playbook>/queries/*.sql` and one more folder of `*.sql`. */
export interface QueryFolders {
  readonly playbooksFolder: string;
  readonly queriesFolder?: string | undefined;
  /** Schemas beside the server's own that a statement may name. */
  readonly applicationSchemas?: readonly string[];
}

/** All queries of a deployment, each of them read, guarded and consistent. */
export class QueryCatalog {
  readonly #queries: ReadonlyMap<string, CataloguedQuery>;

  constructor(queries: readonly CataloguedQuery[]) {
    this.#queries = new Map(queries.map((query) => [query.name, query]));
  }

  get(name: string): CataloguedQuery | undefined {
    return this.#queries.get(name);
  }

  /** By name. */
  list(): readonly CataloguedQuery[] {
    return [...this.#queries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** SHA-256 over every header and statement: what a run was able to ask. */
  hash(): string {
    return sha256Hex(canonicalJson(this.list()));
  }
}

/**
 * Reads and checks every query file.
 *
 * @throws HarnessError `CONFIGURATION_INVALID` naming file and line: a broken header, a parameter that
 *   is undeclared or unused, a name that is taken, a statement that the guard refuses.
 */
export async function loadQueryCatalog(folders: QueryFolders): Promise<QueryCatalog> {
  const { playbooksFolder, queriesFolder, applicationSchemas = [] } = folders;
  const files = [
    ...(await playbookQueryFiles(playbooksFolder)),
    ...(queriesFolder === undefined ? [] : await sqlFiles(queriesFolder)),
  ];
  const fileByName = new Map<string, string>();
  const queries: CataloguedQuery[] = [];
  for (const file of files) {
    const query = await loadQuery(file, applicationSchemas);
    const other = fileByName.get(query.name);
    if (other !== undefined) refuse(file, 1, `the name ${query.name} is taken by ${other}`);
    fileByName.set(query.name, file);
    queries.push(query);
  }
  return new QueryCatalog(queries);
}

async function playbookQueryFiles(playbooksFolder: string): Promise<string[]> {
  const playbooks = (await entriesOf(playbooksFolder)).filter((entry) => entry.isDirectory());
  const files: string[] = [];
  for (const { name } of playbooks) {
    const entries = await entriesOf(join(playbooksFolder, name));
    const hasQueries = entries.some((entry) => entry.isDirectory() && entry.name === 'queries');
    if (hasQueries) files.push(...(await sqlFiles(join(playbooksFolder, name, 'queries'))));
  }
  return files;
}

async function sqlFiles(folder: string): Promise<string[]> {
  const entries = await entriesOf(folder);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sql'))
    .map(({ name }) => join(folder, name));
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw new HarnessError('CONFIGURATION_INVALID', `${folder}: can't be read`, { cause: error });
  }
}

async function loadQuery(file: string, schemas: readonly string[]): Promise<CataloguedQuery> {
  const name = basename(file, '.sql');
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) {
    refuse(file, 1, 'the file name must be 1 to 64 of a-z 0-9 _, beginning with a-z');
  }
  const read = readQueryFile(await readFile(file, 'utf8'));
  if (read.kind === 'broken') return refuse(file, read.line, read.reason);
  const { header, statement, statementLine } = read;
  const verdict = guardSql(statement, schemas);
  if (verdict.kind === 'refused') {
    refuse(file, statementLine, `the guard refuses the statement: ${verdict.code}`);
  }
  const flaw = checkStatementUse(header, statement);
  if (flaw !== undefined) refuse(file, statementLine + flaw.line - 1, flaw.reason);
  return { name, header, statement };
}

function refuse(file: string, line: number, reason: string): never {
  throw new HarnessError('CONFIGURATION_INVALID', `${file}:${line}: ${reason}`);
}
