import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiagnosisOutcomeSchema } from '../../shared/contracts/diagnosis-outcome.ts';
import { callTerminal } from '../support/terminal-run.ts';

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'interruption-'));
});
afterAll(async () => {
  await rm(data, { recursive: true, force: true });
});

describe('a run in the terminal that waits for its model', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'is settled as cancelled on %s and exits with 3',
    async (signal) => {
      const child = spawn(
        process.execPath,
        ['functions/cli/start.mjs', '--json', '--model', 'by-hand', '--data', data],
        { env: { PATH: process.env['PATH'] ?? '' } },
      );
      const stdout = text(child.stdout);
      await once(child.stderr, 'data');
      setTimeout(() => child.kill(signal), 1_500);

      const [exitCode] = await once(child, 'exit');

      const outcome = DiagnosisOutcomeSchema.parse(JSON.parse(await stdout));
      const listed = await callTerminal(['runs', '--data', data]);
      expect(outcome).toMatchObject({ status: 'STOPPED', stop_reason: 'CANCELLED', draft: null });
      expect(listed.stdout).toMatch(new RegExp(`STOPPED +${outcome.run_id}`));
      expect(exitCode).toBe(3);
    },
  );

  it('is settled though nobody reads its progress any more', async () => {
    const child = spawn(process.execPath, ['functions/cli/start.mjs', '--json', '--data', data], {
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const stdout = text(child.stdout);
    child.stderr.destroy();

    const [exitCode] = await once(child, 'exit');

    expect(DiagnosisOutcomeSchema.parse(JSON.parse(await stdout)).status).toBe('COMPLETED');
    expect(exitCode).toBe(0);
  });
});

describe('a follow-up in the terminal', () => {
  it('brings the turn before, made from a kept run', async () => {
    const first = await callTerminal(['--json', '--data', data]);
    const { run_id: runId } = DiagnosisOutcomeSchema.parse(JSON.parse(first.stdout));

    const second = await callTerminal([
      '--json',
      '--data',
      data,
      '--follow',
      runId,
      '--query',
      '支付超时恢复之后还要做什么？',
    ]);

    const outcome = DiagnosisOutcomeSchema.parse(JSON.parse(second.stdout));
    expect(outcome.run_id).not.toBe(runId);
    expect(outcome.status).toBe('COMPLETED');
  });
});
