import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseCommandLine } from '../../../functions/cli/command-line.ts';
import { exportRecord, verify } from '../../../functions/cli/verify-command.ts';
import { aRecordedRun, type RecordedRun } from '../../support/recorded-run.ts';

let run: RecordedRun;
beforeAll(async () => {
  run = await aRecordedRun();
});
afterAll(() => run[Symbol.dispose]());

/** A copy of the data folder in which somebody has changed the record. */
function changedBy(sql: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'changed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(run.dataFolder, folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'record.sqlite'));
  database.exec(sql);
  database.close();
  return folder;
}

describe('verifying a kept run', () => {
  it('finds that it holds as it was left', async () => {
    const { holds, text } = await verify('run-1', changedBy('SELECT 1'));

    expect(text).not.toContain('DOUBT');
    expect(holds).toBe(true);
  });

  it.each([
    ['an observation', "UPDATE invocation SET observation = replace(observation, '批', '比')"],
    ['a step', 'DELETE FROM step WHERE sequence = 2'],
    ['the time of a step', "UPDATE step SET at = replace(at, 'T', 't') WHERE sequence = 2"],
    ['who served a round', "UPDATE step SET detail = replace(detail, 'tooluse_', 'tooluse-')"],
    ['the conclusion', "UPDATE run SET outcome = replace(outcome, '长事务', '短事务')"],
    ['the white space of the outcome', "UPDATE run SET outcome = outcome || ' '"],
    ['the outcome, which is none any more', "UPDATE run SET outcome = 'none'"],
    ['the request', "UPDATE run SET request = replace(request, 'T1079', 'T1080')"],
    ['the model', "UPDATE run SET identity = replace(identity, 'scripted', 'another')"],
    ['a raw result', "UPDATE raw_chunk SET bytes = x'00' WHERE tool_call_id = 'call-3'"],
    ['the seal', "UPDATE run SET seal_sha256 = replace(seal_sha256, '0', '1')"],
    ['the seal, which is gone', 'UPDATE run SET seal_sha256 = NULL'],
    ['the version', 'UPDATE run SET schema_version = 2'],
  ])('finds that somebody changed %s', async (_what, sql) => {
    const { holds, text } = await verify('run-1', changedBy(sql));

    expect(text).toContain('DOUBT');
    expect(holds).toBe(false);
  });

  it('finds a run in doubt that is not settled', async () => {
    const data = changedBy("UPDATE run SET status = 'RUNNING', outcome = NULL, finished_at = NULL");

    const { holds } = await verify('run-1', data);

    expect(holds).toBe(false);
  });

  it('says that it could not check the projection once the raw results are gone', async () => {
    const { holds, text } = await verify('run-1', changedBy('DELETE FROM raw_chunk'));

    expect(text).toContain('projection: not checked');
    expect(holds).toBe(true);
  });
});

describe('the terminal', () => {
  it.each([
    ['a folder', () => verify(tmpdir(), run.dataFolder)],
    ['a run that is not kept', () => verify('run-2', run.dataFolder)],
    ['a folder without a record', () => verify('run-1', '/nowhere')],
    ['what can be no run id', () => verify('run 1', run.dataFolder)],
    ['the record of a run that is not kept', () => exportRecord('run-2', run.dataFolder)],
  ])('refuses to verify %s', async (_what, asked) => {
    await expect(asked()).rejects.toMatchObject({ code: 'USAGE' });
  });

  it.each([[['verify']], [['verify', 'a', 'b']], [['record']], [['record', 'a', 'b']]])(
    'refuses %j',
    (args) => {
      expect(() => parseCommandLine(args)).toThrow(expect.objectContaining({ code: 'USAGE' }));
    },
  );
});
