import { describe, expect, it } from 'vitest';
import { defineEvidenceTool } from '../../functions/diagnosis/evidence/evidence-tool.ts';
import type { ProjectionRequest } from '../../functions/diagnosis/evidence/result-projector.ts';
import { ScopeNoteSchema } from '../../shared/contracts/observation.ts';
import type { QueryLogsInput } from '../../shared/contracts/tool-inputs.ts';
import { conclude } from '../support/drafts.ts';
import { askLogs, play, rawCall, round } from '../support/played.ts';

const LIMIT = 12_288;

describe('an observation', () => {
  it.each([
    ['without a notice', 10, LIMIT - ',"control":"STOP_REQUIRED"'.length],
    ['with the notice', 2, LIMIT],
  ])('has room for a body of every byte it was given, %s', async (_how, model_calls, length) => {
    const { outcome, shownAfter } = await play([round(askLogs('one')), conclude()], {
      evidence: [filling(({ maxBodyBytes }) => maxBodyBytes)],
      request: { budget: { model_calls } },
    });

    const [shown] = shownAfter(1);
    expect(shown).toMatchObject({ evidence_status: 'EVIDENCE_FOUND' });
    expect(Buffer.byteLength(JSON.stringify(shown))).toBe(length);
    expect(outcome.status).toBe('COMPLETED');
  });

  it('over its limit is shown to nobody', async () => {
    const { shownAfter, invocations } = await play([round(askLogs('one')), conclude()], {
      evidence: [filling(({ maxBodyBytes }) => maxBodyBytes + 200)],
    });

    expect(shownAfter(1)).toEqual([
      { tool_call_id: 'call-1', evidence_status: 'ERROR', error_code: 'RAW_MALFORMED' },
    ]);
    expect(invocations).toMatchObject([{ status: 'ERROR', error_code: 'RAW_MALFORMED' }]);
  });

  it('of an error carries the notice in the last round of calls', async () => {
    const { shownAfter } = await play([round(askLogs('one')), conclude()], {
      source: () => ({ kind: 'failed', code: 'SOURCE_DENIED', executed: null }),
      request: { budget: { model_calls: 2 } },
    });

    expect(shownAfter(1)).toEqual([
      {
        tool_call_id: 'call-1',
        evidence_status: 'ERROR',
        error_code: 'SOURCE_DENIED',
        control: 'STOP_REQUIRED',
      },
    ]);
  });

  it('names an input too long to be repeated in it as bad', async () => {
    const parameters = Object.fromEntries(
      Array.from({ length: 9 }, (_none, at) => [`p${at}`, 'x'.repeat(500)]),
    );
    const input = { query_name: 'lock_waits', parameters };

    const { shownAfter, adapterCalls } = await play([
      round(rawCall('query_mysql', { input })),
      conclude(),
    ]);

    expect(shownAfter(1)).toEqual([
      {
        tool_call_id: 'call-1',
        evidence_status: 'ERROR',
        error_code: 'INVALID_INPUT',
        fields: ['input'],
      },
    ]);
    expect(adapterCalls).toEqual([]);
  });
});

/** A log tool whose one event makes the body as long as asked. */
function filling(bytesOf: (request: ProjectionRequest<QueryLogsInput>) => number) {
  return defineEvidenceTool<QueryLogsInput, never>({
    name: 'query_logs',
    description: '查日志',
    check: (input) => ({ kind: 'valid', input: input as QueryLogsInput }), // the script's own input
    equivalence: ({ query }) => ({ key: query, lookbackMinutes: null }),
    timeoutMs: () => null,
    adapter: {
      call: async () => ({
        kind: 'result',
        raw: new Uint8Array([1]),
        sourceKind: 'MOCK',
        window: null,
        executed: { statement: null, window: null, sources: [] },
      }),
    },
    projector: {
      project: (_raw, request) => {
        const body = {
          matched_count: 1,
          returned_count: 1,
          patterns: [],
          events: [''],
          timeline: [],
        };
        const events = ['x'.repeat(bytesOf(request) - JSON.stringify(body).length)];
        return {
          kind: 'projected',
          evidenceStatus: 'EVIDENCE_FOUND',
          notes: [...ScopeNoteSchema.options],
          truncated: false,
          body: { ...body, events } as never, // a body of the right shape whose strings hold nothing
          facts: [],
        };
      },
    },
  });
}
