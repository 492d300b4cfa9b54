import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiagnosisOutcomeSchema } from '../../shared/contracts/diagnosis-outcome.ts';

/** What a call of the terminal left behind. */
export interface TerminalRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Calls the terminal in a process of its own, its runs kept in `dataFolder` or thrown away. */
export async function callTerminal(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<TerminalRun> {
  const data = await mkdtemp(join(tmpdir(), 'diagnosis-'));
  const all = args.includes('--data') ? args : [...args, '--data', data];
  const run = await execute(['functions/cli/start.mjs', ...all], environment);
  await rm(data, { recursive: true, force: true });
  return run;
}

/** The outcome of a diagnosis in the terminal, valid against its schema. */
export async function diagnoseInTerminal(...args: readonly string[]) {
  const { stdout, stderr } = await callTerminal(['--json', ...args]);
  if (stdout === '') throw new Error(stderr);
  return DiagnosisOutcomeSchema.parse(JSON.parse(stdout));
}

function execute(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<TerminalRun> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { env, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      const exitCode = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
      resolve({ exitCode, stdout, stderr });
    });
  });
}
