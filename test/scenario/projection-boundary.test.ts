import { describe, expect, it } from 'vitest';
import type { EvidenceTool } from '../../functions/diagnosis/evidence/evidence-tool.ts';
import { createLookupKnowledgeTool } from '../../functions/diagnosis/tools/lookup-knowledge/lookup-knowledge-tool.ts';
import { createQueryLogsTool } from '../../functions/diagnosis/tools/query-logs/query-logs-tool.ts';
import { createSqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import { AS_OF, capsuleTools, logLine } from '../support/capsule-tools.ts';
import { conclude } from '../support/drafts.ts';
import { play, rawCall, round } from '../support/played.ts';

const LOG_INPUT = { topic: 'orders', query: 'timeout', lookback_minutes: 60 };
const ASK_LOGS = rawCall('query_logs', { input: LOG_INPUT });
const ASK_KNOWLEDGE = rawCall('lookup_knowledge', { input: { query: 'lock wait timeout' } });
const FILES = {
  'logs/orders.log': `${logLine(0, 'read timeout at upstream')}\n`,
  'knowledge/lock.md': '# Lock wait\n\nLock wait timeout exceeded: a row stayed locked.\n',
};
const REQUEST = { as_of: AS_OF };

describe('Both projectors produce NO_EVIDENCE', () => {
  it('for successful empty results', async () => {
    const evidence = await capsuleTools({ files: { 'logs/orders.log': '', 'knowledge/x.md': '' } });
    const answers = [round(ASK_LOGS, ASK_KNOWLEDGE), conclude()];

    const { shownAfter, invocations } = await play(answers, { evidence, request: REQUEST });

    expect(shownAfter(1)).toEqual([
      {
        tool_call_id: 'call-1',
        evidence_status: 'NO_EVIDENCE',
        source_kind: 'MOCK',
        scope: {
          request: LOG_INPUT,
          window: { from: '2026-11-03T04:00:00.000Z', to: '2026-11-03T05:00:00.000Z' },
          notes: [],
        },
        truncated: false,
        matched_count: 0,
        returned_count: 0,
        patterns: [],
        events: [],
        timeline: [],
      },
      {
        tool_call_id: 'call-2',
        evidence_status: 'NO_EVIDENCE',
        source_kind: 'MOCK',
        scope: { request: { query: 'lock wait timeout' }, window: null, notes: [] },
        truncated: false,
        evidence: [],
        skipped_count: 0,
      },
    ]);
    expect(invocations.map(({ status }) => status)).toEqual(['READY', 'READY']);
  });

  it.each([
    ['no JSON', 'upstream says <html>'],
    ['JSON of another shape', '{"hits":[{"_source":{"message":"secret-tail"}}]}'],
    ['a result that breaks off', '{"schema_version":1,"matched_count":3,"bytes_replaced":0'],
  ])('and ERROR for malformed input: %s', async (_what, raw) => {
    const answers = [round(ASK_LOGS, ASK_KNOWLEDGE), conclude()];

    const { shownAfter, invocations, requests } = await play(answers, {
      evidence: toolsThatReturn(raw),
    });

    expect(shownAfter(1)).toEqual([
      { tool_call_id: 'call-1', evidence_status: 'ERROR', error_code: 'RAW_MALFORMED' },
      { tool_call_id: 'call-2', evidence_status: 'ERROR', error_code: 'RAW_MALFORMED' },
    ]);
    expect(invocations).toMatchObject([
      { status: 'ERROR', error_code: 'RAW_MALFORMED', raw: { bytes: raw.length } },
      { status: 'ERROR', error_code: 'RAW_MALFORMED', raw: { bytes: raw.length } },
    ]);
    expect(JSON.stringify(requests.map(({ body }) => body))).not.toContain(raw.slice(0, 20));
  });

  it.each([
    ['a topic over its limit', { ...LOG_INPUT, lookback_minutes: 1_441 }, 'input.lookback_minutes'],
    ['a filter that cannot be read', { ...LOG_INPUT, query: '("a' }, 'input.query:1'],
    ['a mark that was never given out', { ...LOG_INPUT, query: '"<pod:7>"' }, 'input.query'],
  ])('and ERROR for unsafe input: %s', async (_what, input, field) => {
    const evidence = await capsuleTools({ files: FILES });
    const answers = [round(rawCall('query_logs', { input })), conclude()];

    const { shownAfter, invocations } = await play(answers, { evidence, request: REQUEST });

    expect(shownAfter(1)).toEqual([
      {
        tool_call_id: 'call-1',
        evidence_status: 'ERROR',
        error_code: 'INVALID_INPUT',
        fields: [field],
      },
    ]);
    expect(invocations).toEqual([]);
  });
});

describe('Boundary tests', () => {
  it('prove framework ID preservation and canonical lifecycle reuse', async () => {
    const evidence = await capsuleTools({ files: FILES });
    const store = createSqliteRunStore({ file: ':memory:' });
    const moves: string[] = [];
    const watched: typeof store = new Proxy(store, {
      get(target, property, receiver) {
        moves.push(String(property));
        return Reflect.get(target, property, receiver);
      },
    });
    const answers = [round(ASK_KNOWLEDGE, ASK_LOGS), conclude()];

    const { shownAfter, invocations } = await play(answers, {
      evidence,
      store: watched,
      request: { ...REQUEST, run_id: 'run-1' },
    });

    const transitions = ['openInvocation', 'startProjection', 'settleReady'];
    expect(moves.filter((move) => transitions.includes(move))).toEqual([
      ...transitions,
      ...transitions,
    ]);
    expect(
      invocations.map(({ run_id, tool_call_id, tool_name, status }) => [
        run_id,
        tool_call_id,
        tool_name,
        status,
      ]),
    ).toEqual([
      ['run-1', 'call-1', 'lookup_knowledge', 'READY'],
      ['run-1', 'call-2', 'query_logs', 'READY'],
    ]);
    expect(
      invocations.flatMap((call) =>
        call.status === 'READY' ? [JSON.parse(call.observation)] : [],
      ),
    ).toEqual(shownAfter(1));
  });

  it('prove safe errors where a source is missing', async () => {
    const evidence = await capsuleTools({ files: {} });
    const answers = [round(ASK_LOGS), conclude()];

    const { shownAfter } = await play(answers, { evidence, request: REQUEST });

    expect(shownAfter(1)).toEqual([
      { tool_call_id: 'call-1', evidence_status: 'ERROR', error_code: 'SOURCE_UNAVAILABLE' },
    ]);
  });
});

/** The real projectors behind a source that answers with these bytes. */
function toolsThatReturn(raw: string): readonly EvidenceTool[] {
  const adapter = {
    call: async () => ({
      kind: 'result' as const,
      raw: new TextEncoder().encode(raw),
      sourceKind: 'FILE' as const,
      window: null,
      executed: { statement: null, window: null, sources: [] },
    }),
  };
  const topics = [{ name: 'orders', description: '订单服务', max_lookback_minutes: 1_440 }];
  return [createQueryLogsTool({ topics, adapter }), createLookupKnowledgeTool({ adapter })];
}
