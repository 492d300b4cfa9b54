import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { createSqliteRunStore } from '../../../shared/store/sqlite-run-store.ts';
import { HandClock } from '../../contract/contract-store.ts';
import { MOVE, runWith } from '../../contract/invocation-moves.ts';
import { aRun, CREATED, DURING, keyOf, SIGNAL } from '../../contract/run-builders.ts';

describe('the file of the SQLite run store', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sqlite-run-store-'));
    file = join(folder, 'runs.sqlite');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is made with the folders above it', () => {
    const deep = join(folder, 'a', 'b', 'runs.sqlite');

    createSqliteRunStore({ file: deep }).close();

    expect(readFileSync(deep).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  it('keeps its runs when it is opened again', async () => {
    const run = aRun();
    const first = createSqliteRunStore({ file });
    await first.createRun(run, SIGNAL);
    first.close();

    const second = createSqliteRunStore({ file });
    const read = await second.readRun(run.record.run_id, DURING, SIGNAL);
    second.close();

    expect(read).toEqual(run.record);
  });

  it('lists the runs of all sessions', async () => {
    const store = createSqliteRunStore({ file });
    const runs = ['01', '02'].map((second) =>
      aRun({ created_at: `2026-11-02T08:00:${second}.000Z` }),
    );
    for (const run of runs) await store.createRun(run, SIGNAL);

    const page = await store.listRuns({ sessionId: null, limit: 5, from: null }, DURING, SIGNAL);
    store.close();

    const newestFirst = runs.map(({ record }) => record.run_id).reverse();
    expect(page.items.map(({ runId }) => runId)).toEqual(newestFirst);
  });

  it.each([
    [
      'a text file',
      'RECORD_UNAVAILABLE',
      () => writeFileSync(file, 'no database, but long enough '.repeat(99)),
    ],
    ['a foreign database', 'RECORD_UNAVAILABLE', () => change(file, 'CREATE TABLE customer (id)')],
    ['a newer version', 'RECORD_UNAVAILABLE', () => newer(file)],
    ['a damaged database', 'RECORD_UNAVAILABLE', () => damage(file)],
    ['a folder', 'STORE_FAILED', () => mkdirSync(file)],
  ])('is refused clearly when it is %s: %s', (_what, code, prepare) => {
    prepare();

    expect(() => createSqliteRunStore({ file })).toThrow(expect.objectContaining({ code }));
  });

  it('leaves a foreign database as it was', () => {
    change(file, 'CREATE TABLE customer (id)');
    const before = readFileSync(file);

    expect(() => createSqliteRunStore({ file })).toThrow();

    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('refuses a run that a newer version wrote, and one that breaks its contract', async () => {
    const [newer, broken] = [aRun(), aRun()];
    const store = createSqliteRunStore({ file });
    await store.createRun(newer, SIGNAL);
    await store.createRun(broken, SIGNAL);
    change(file, `UPDATE run SET schema_version = 2 WHERE run_id = '${newer.record.run_id}'`);
    change(file, `UPDATE run SET identity = '{' WHERE run_id = '${broken.record.run_id}'`);

    const reads = await Promise.allSettled([
      store.readRun(newer.record.run_id, DURING, SIGNAL),
      store.createRun(newer, SIGNAL),
      store.readRun(broken.record.run_id, DURING, SIGNAL),
    ]);
    store.close();

    const refused = { status: 'rejected', reason: { code: 'RECORD_UNAVAILABLE' } };
    expect(reads).toMatchObject([refused, refused, refused]);
  });

  it('loses raw results and legends once their days are over, and nothing else', async () => {
    const clock = new HandClock(CREATED);
    const store = createSqliteRunStore({ file, clock, rawDays: 7 });
    const key = await runWith(store, 'PROJECTING');
    await store.keepLegend(key, '{}', SIGNAL);
    store.close();

    const kept = rawRows(file, clock, '2026-11-09T07:59:59.999Z');
    const purged = rawRows(file, clock, '2026-11-09T08:00:00.000Z');

    expect([kept, purged]).toEqual([
      { raw_chunks: 1, legends: 1, invocations: 1 },
      { raw_chunks: 0, legends: 0, invocations: 1 },
    ]);
  });

  it('serves several processes that open and write it at once', async () => {
    const runId = aRun().record.run_id;
    const writers = Array.from({ length: 4 }, () => startWriter(file, runId));

    const created = (await Promise.all(writers)).join('').split('\n').filter(Boolean);

    const count = (kind: string) => created.filter((line) => line === kind).length;
    expect({ created: count('created'), exists: count('exists'), lines: created.length }).toEqual({
      created: 4 * 20 + 1, // twenty runs of each writer, and one that only one of them gets
      exists: 3,
      lines: 84,
    });
  });
});

describe('a store in memory', () => {
  it('works like one in a file', async () => {
    const store = createSqliteRunStore({ file: ':memory:', clock: systemClock });
    const run = aRun();
    await store.createRun(run, SIGNAL);

    const opened = await MOVE.openInvocation(store, keyOf(run));

    expect(opened).toEqual({ kind: 'written' });
  });
});

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

function newer(file: string): void {
  createSqliteRunStore({ file }).close();
  change(file, 'PRAGMA user_version = 2');
}

function damage(file: string): void {
  createSqliteRunStore({ file }).close();
  const bytes = readFileSync(file);
  bytes.fill(0xee, 100, 4_096); // the first page behind its header: the schema
  writeFileSync(file, bytes);
}

function rawRows(file: string, clock: HandClock, instant: string) {
  clock.moveTo(instant);
  createSqliteRunStore({ file, clock }).close();
  const database = new DatabaseSync(file, { readOnly: true });
  const counts = database
    .prepare(
      `SELECT (SELECT count(*) FROM raw_chunk) AS raw_chunks, (SELECT count(*) FROM legend) AS legends,
         (SELECT count(*) FROM invocation) AS invocations`,
    )
    .get();
  database.close();
  return { ...counts };
}

/** Another process that creates twenty runs of its own and the one that all want; prints each result. */
async function startWriter(file: string, runId: string): Promise<string> {
  const program = `
    import { createSqliteRunStore } from './shared/store/sqlite-run-store.ts';
    import { aRun } from './test/contract/run-builders.ts';
    const store = createSqliteRunStore({ file: ${JSON.stringify(file)} });
    const signal = new AbortController().signal;
    for (let turn = 0; turn < 20; turn += 1) console.log((await store.createRun(aRun(), signal)).kind);
    console.log((await store.createRun(aRun({ run_id: ${JSON.stringify(runId)} }), signal)).kind);
  `;
  const child = spawn(
    process.execPath,
    ['--no-warnings', '--input-type=module-typescript', '--eval', program],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const chunks: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  await once(child, 'close');
  return chunks.join('');
}
