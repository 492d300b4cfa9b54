import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRecordedRun, type RecordedRun } from '../support/recorded-run.ts';
import { callTerminal } from '../support/terminal-run.ts';

let run: RecordedRun;
let folder: string;
beforeAll(async () => {
  run = await aRecordedRun();
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
});
afterAll(() => {
  run[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('the terminal, asked to verify', () => {
  it('exits with 0 for a kept run that holds, its observations made again', async () => {
    const { exitCode, stdout } = await callTerminal(['verify', 'run-1', '--data', run.dataFolder]);

    expect(stdout).toContain('2 observations made again');
    expect(stdout).not.toContain('DOUBT');
    expect(exitCode).toBe(0);
  });

  it('exits with 0 for its export, and says what it did not check', async () => {
    const exported = await callTerminal(['record', 'run-1', '--data', run.dataFolder]);
    const file = join(folder, 'record.json');
    writeFileSync(file, exported.stdout);

    const { exitCode, stdout } = await callTerminal(['verify', file]);

    expect(stdout).toContain('projection: not checked');
    expect(exitCode).toBe(0);
  });

  it('exits with 1 for a file in which a doubt was found', async () => {
    const file = join(folder, 'something.json');
    writeFileSync(file, '{"kind":"RUN_RECORD"}');

    const { exitCode, stdout } = await callTerminal(['verify', file]);

    expect(stdout).toContain('DOUBT');
    expect(exitCode).toBe(1);
  });

  it('exits with 2 for what is neither a file nor a run', async () => {
    const { exitCode, stdout } = await callTerminal(['verify', 'no-such-run']);

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});
