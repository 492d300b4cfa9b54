import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CapsuleOptions,
  writeCapsule,
} from '../../functions/cli/incident-generator/payment-timeout/payment-timeout.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { callTerminal, diagnoseInTerminal } from '../support/terminal-run.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capsules-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the shipped incident', () => {
  it('is diagnosed with a quoted conclusion, every cited call among the checks', async () => {
    const outcome = await diagnoseInTerminal();

    const checked = outcome.progress?.checks.map(({ tool_call_id }) => tool_call_id) ?? [];
    expect(outcome.status).toBe('COMPLETED');
    expect(outcome.grounding?.conclusion).toBe('QUOTED');
    expect(outcome.draft?.conclusion).toContain('长事务持有行锁');
    expect(checked).toEqual(expect.arrayContaining(citedIn(outcome)));
  });

  it('rests its conclusion on logs and on MySQL', async () => {
    const outcome = await diagnoseInTerminal();

    const quoted = outcome.grounding?.items.flatMap(({ quotes }) =>
      quotes.map((quote) => quote.tool_call_id),
    );
    const tools = outcome.progress?.checks
      .filter(({ tool_call_id }) => quoted?.includes(tool_call_id))
      .map(({ tool_name }) => tool_name);
    expect(tools).toEqual(expect.arrayContaining(['query_logs', 'query_mysql']));
  });

  it('gives the same draft byte for byte in two runs, and equal outcomes, ids and times apart', async () => {
    const first = await diagnoseInTerminal();
    const second = await diagnoseInTerminal();

    expect(JSON.stringify(second.draft)).toBe(JSON.stringify(first.draft));
    expect(withoutIdsAndTimes(second)).toEqual(withoutIdsAndTimes(first));
  });

  it.each<[string, CapsuleOptions]>([
    ['log lines', { omitDecisive: ['LOGS'] }],
    ['rows', { omitDecisive: ['MYSQL'] }],
    ['log lines and rows', { omitDecisive: ['LOGS', 'MYSQL'] }],
  ])(
    'gives no conclusion without its decisive %s, and names what is missing',
    async (what, options) => {
      const capsule = join(folder, `without ${what}`);
      writeCapsule(capsule, options);

      const outcome = await diagnoseInTerminal('--incident', capsule);

      expect(outcome.status).toBe('COMPLETED');
      expect(outcome.draft?.conclusion).toBeNull();
      expect(outcome.draft?.limitations.missing_info.join()).toContain('长事务持有行锁');
    },
  );

  it('is still diagnosed with other service names and other numbers throughout', async () => {
    const capsule = join(folder, 'renamed');
    writeCapsule(capsule, {
      seed: 99,
      names: {
        order: 'trade-center',
        payment: 'cashier',
        settlement: 'clearing-job',
        schema: 'mall',
      },
    });

    const outcome = await diagnoseInTerminal('--incident', capsule);

    expect(outcome.draft?.conclusion).toContain('长事务持有行锁');
    expect(JSON.stringify(outcome)).not.toMatch(/payment-service|settlement-service/);
  });
});

describe('runs kept on this machine', () => {
  it('are listed and shown again as they were', async () => {
    const data = join(folder, 'data');
    const diagnosed = await callTerminal(['--json', '--data', data]);
    const runId = (JSON.parse(diagnosed.stdout) as DiagnosisOutcome).run_id;

    const listed = await callTerminal(['runs', '--data', data]);
    const shown = await callTerminal(['show', runId, '--json', '--data', data]);

    expect(listed.stdout).toMatch(new RegExp(`COMPLETED +${runId}\\n$`));
    expect(shown.stdout).toBe(diagnosed.stdout);
    expect(shown.exitCode).toBe(0);
  });

  it('are none before the first', async () => {
    const { stdout, exitCode } = await callTerminal([
      'runs',
      '--data',
      join(folder, 'nothing here'),
    ]);

    expect(stdout).toContain('no runs are kept');
    expect(exitCode).toBe(0);
  });
});

function citedIn({ draft }: DiagnosisOutcome): string[] {
  return draft?.analysis.flatMap(({ tool_call_ids }) => tool_call_ids) ?? [];
}

function withoutIdsAndTimes({
  run_id,
  session_id,
  started_at,
  finished_at,
  usage,
  ...rest
}: DiagnosisOutcome) {
  return { ...rest, usage: { ...usage, time_ms: 0 } };
}
