import { describe, expect, it } from 'vitest';
import { scriptedBrain } from '../../functions/cli/stand-in/scripted-brain.ts';
import { DiagnosisOutcomeSchema } from '../../shared/contracts/diagnosis-outcome.ts';
import { startBench } from '../support/diagnosis-bench.ts';
import { aGroundedDraft, conclude } from '../support/drafts.ts';
import { askLogs, askMysql, play, QUERY, round } from '../support/played.ts';

const ANSWERS = [
  round(askLogs('timeout')),
  round(askMysql('lock_waits', ['call-1', 'GAINED'])),
  conclude(aGroundedDraft('call-1')),
];
const IDS = { run_id: 'run-1', session_id: 'session-1' };

describe('Stage-four execution SHALL remain internal and auditable', () => {
  it('Internal audited execution completes', async () => {
    await using bench = await startBench({ brain: scriptedBrain(...ANSWERS) });

    const outcome = await bench.run({ query: QUERY, ...IDS });

    const signal = AbortSignal.timeout(5_000);
    const invocations = await bench.store.readInvocations(outcome.run_id, signal);
    expect(outcome).toMatchObject({ ...IDS, status: 'COMPLETED' });
    expect(bench.steps.map(({ run_id, session_id }) => ({ run_id, session_id }))).toEqual(
      bench.steps.map(() => IDS),
    );
    expect(bench.steps.map(({ sequence, detail }) => [sequence, detail.kind])).toEqual([
      [1, 'ROUND'],
      [2, 'TOOL_CALL'],
      [3, 'ROUND'],
      [4, 'EVALUATION'],
      [5, 'TOOL_CALL'],
      [6, 'ROUND'],
    ]);
    expect(invocations.map(({ run_id, tool_call_id }) => [run_id, tool_call_id])).toEqual([
      ['run-1', 'call-1'],
      ['run-1', 'call-2'],
    ]);
    expect(await bench.store.readSteps(outcome.run_id, signal)).toEqual(bench.steps);
  });

  it('Stage four is archived', async () => {
    await using bench = await startBench({ brain: scriptedBrain(...ANSWERS) });
    const first = await bench.run({ query: QUERY, ...IDS });

    const again = await bench.run({ query: QUERY, ...IDS });

    expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    expect(DiagnosisOutcomeSchema.parse(again)).toEqual(first);
    expect(bench.server.requests).toHaveLength(3);
  });

  it('says of each step what was asked, decided, really run and used', async () => {
    const { steps } = await play(ANSWERS, { request: { as_of: '2026-11-03T05:00:00Z' } });

    const window = { from: '2026-11-03T04:00:00.000Z', to: '2026-11-03T05:00:00.000Z' };
    expect(steps[0]).toMatchObject({
      kind: 'ROUND',
      model_stop_reason: 'tool_use',
      usage: { input_tokens: 100, output_tokens: 20, cache_read_tokens: 0, cache_write_tokens: 0 },
      tool_calls: [{ tool_call_id: 'call-1', tool_name: 'query_logs' }],
      failure: null,
    });
    expect(steps[1]).toMatchObject({
      kind: 'TOOL_CALL',
      asked: {
        json: '{"input":{"topic":"orders","query":"timeout","lookback_minutes":60}}',
        truncated: false,
      },
      evidence_status: 'EVIDENCE_FOUND',
      error_code: null,
      executed: {
        statement: '{"lookback_minutes":60,"query":"timeout","topic":"orders"}',
        window,
        sources: ['fake'],
      },
      stop_notice: false,
    });
  });

  it('finishes as ever when the hook throws', async () => {
    const hook = () => {
      throw new Error('the watcher fell');
    };

    const { outcome, faults } = await play(ANSWERS, { hook });

    expect(outcome).toMatchObject({ status: 'COMPLETED', draft: aGroundedDraft('call-1') });
    expect(faults).toEqual(Array(6).fill({ name: 'Error' }));
  });
});
