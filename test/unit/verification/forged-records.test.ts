import { beforeAll, describe, expect, it } from 'vitest';
import { type AtHand, verifyRecord } from '../../../functions/cli/verification/verify-record.ts';
import type { WholeRecord } from '../../../functions/run-record/record-pages.ts';
import { atHand } from '../../support/at-hand.ts';
import { leavesOf, replaced } from '../../support/json-leaves.ts';
import { aRecordedRun } from '../../support/recorded-run.ts';
import { doubtedIn, forged } from '../../support/verified-export.ts';

let whole: WholeRecord;
let things: AtHand;
beforeAll(async () => {
  using run = await aRecordedRun();
  whole = run.whole;
  things = await atHand();
});

describe('a record that was changed', () => {
  it('no longer matches its seal, whatever of it was changed', () => {
    const record = JSON.parse(JSON.stringify(whole));
    const unsealed = ['run.cancel_requested_at', 'request'];
    const leaves = leavesOf(record).filter(
      (path) => !unsealed.some((name) => path.join('.').startsWith(name)),
    );

    const unnoticed = leaves.filter((path) => {
      const changed = replaced(record, path, 'something else') as WholeRecord; // of its shape but for a leaf
      return verifyRecord(changed, things)[0]?.kind !== 'doubtful';
    });

    expect(unnoticed).toEqual([]);
  });

  it('is in doubt without a seal', () => {
    const unsealed = { ...whole, run: { ...whole.run, seal_sha256: null } };

    expect(verifyRecord(unsealed, things)[0]?.kind).toBe('doubtful');
  });
});

describe('a record that was changed, sealed and digested again', () => {
  it.each<[string, string, readonly (string | number)[], unknown]>([
    ['ids', 'a step of another run', ['steps', 0, 'run_id'], 'run-2'],
    ['ids', 'a step of another session', ['steps', 0, 'session_id'], 'session-2'],
    ['ids', 'an invocation of another run', ['invocations', 0, 'run_id'], 'run-2'],
    ['ids', 'an invocation of another writer', ['invocations', 0, 'fence'], 'fence-2'],
    ['ids', 'an invocation of another tool', ['invocations', 0, 'tool_name'], 'query_mysql'],
    ['ids', 'an invocation nobody asked for', ['invocations', 0, 'tool_call_id'], 'call-9'],
    [
      'ids',
      'a call id out of order',
      ['steps', 0, 'detail', 'tool_calls', 0, 'tool_call_id'],
      'call-7',
    ],
    ['ids', 'an outcome of another run', ['outcome', 'run_id'], 'run-2'],
    ['request', 'another question', ['request', 'query'], '支付正常吗'],
    ['request', 'another hash', ['run', 'request_sha256'], '0'.repeat(64)],
    ['request', 'another tenant', ['request', 'bindings', 'tenant_id'], 'T2'],
    ['request', 'an outcome of another question', ['outcome', 'query'], '支付正常吗'],
    ['request', 'an outcome of another instant', ['outcome', 'as_of'], '2026-11-03T05:00:01.000Z'],
    ['steps', 'a step out of order', ['steps', 1, 'sequence'], 3],
    ['steps', 'a step before its run', ['steps', 1, 'at'], '2026-01-01T00:00:00.000Z'],
    ['steps', 'a step of another round', ['steps', 1, 'detail', 'round'], 2],
    ['steps', 'more rounds than steps tell of', ['run', 'rounds'], 4],
    [
      'steps',
      'a playbook that was read after evidence',
      ['steps', 1, 'detail', 'before_evidence'],
      false,
    ],
    ['steps', 'another playbook', ['steps', 2, 'detail', 'playbook'], 'diagnose-slow-response'],
    ['steps', 'another evaluation', ['steps', 4, 'detail', 'evaluation'], 'NO_GAIN'],
    ['steps', 'an evaluation of another call', ['steps', 4, 'detail', 'tool_call_id'], 'call-3'],
    ['invocations', 'another observation', ['invocations', 0, 'observation'], '{}'],
    [
      'invocations',
      'another observation hash',
      ['invocations', 0, 'observation_sha256'],
      '0'.repeat(64),
    ],
    ['invocations', 'evidence that was none', ['invocations', 0, 'evidence_status'], 'NO_EVIDENCE'],
    ['invocations', 'a cut that was none', ['invocations', 0, 'truncated'], false],
    ['invocations', 'another input', ['invocations', 0, 'input'], '{"topic":"x"}'],
    ['invocations', 'another statement', ['invocations', 1, 'executed', 'statement'], 'SELECT 1'],
    ['invocations', 'another error', ['invocations', 2, 'error_code'], 'SOURCE_DENIED'],
    [
      'invocations',
      'an opening after its end',
      ['invocations', 0, 'opened_at'],
      '2027-01-01T00:00:00.000Z',
    ],
    ['budget', 'fewer rounds', ['outcome', 'usage', 'model_calls'], 2],
    ['budget', 'fewer tool calls', ['outcome', 'usage', 'tool_calls'], 2],
    ['budget', 'fewer tokens', ['outcome', 'usage', 'input_tokens'], 1],
    ['budget', 'fewer bytes', ['outcome', 'usage', 'bytes'], 100],
    ['budget', 'a limit below what was used', ['outcome', 'usage', 'limits', 'tool_calls'], 2],
    ['budget', 'less time', ['outcome', 'usage', 'time_ms'], 0],
    ['outcome', 'another status', ['run', 'status'], 'STOPPED'],
    ['outcome', 'another beginning', ['outcome', 'started_at'], '2026-01-01T00:00:00.000Z'],
    ['outcome', 'a stop reason that no step gives', ['outcome', 'stop_reason'], 'DEADLINE'],
    [
      'outcome',
      'a fact that nobody found',
      ['outcome', 'progress', 'checks', 0, 'facts', 0],
      'all is well',
    ],
    [
      'outcome',
      'a scope that nobody looked at',
      ['outcome', 'progress', 'checks', 0, 'scope', 'window'],
      null,
    ],
    ['outcome', 'an end after the lease', ['run', 'lease_expires_at'], '2026-01-01T00:00:00.000Z'],
    [
      'draft',
      'a quote that nobody said',
      ['outcome', 'draft', 'analysis', 0, 'quotes', 0, 'text'],
      'the gateway was fine',
    ],
    ['draft', 'a quote elsewhere', ['outcome', 'grounding', 'items', 0, 'quotes', 0, 'start'], 1],
    ['draft', 'an error cited', ['outcome', 'draft', 'analysis', 1, 'tool_call_ids', 0], 'call-4'],
    ['draft', 'a link', ['outcome', 'draft', 'action_plan', 0], '打开 https://evil.example/fix'],
    ['draft', 'a grounding that was none', ['outcome', 'grounding', 'conclusion'], 'NONE'],
  ])('fails its %s check: %s', (check, _what, path, value) => {
    const changed = replaced(JSON.parse(JSON.stringify(whole)), path, value);

    const doubted = doubtedIn(forged(changed as WholeRecord), things); // of the same shape but for one leaf

    expect(doubted).toContain(check);
  });

  it.each<[string, string, (record: WholeRecord) => WholeRecord]>([
    ['steps', 'a step left out', (record) => ({ ...record, steps: record.steps.toSpliced(3, 1) })],
    [
      'steps',
      'its last step left out',
      (record) => ({ ...record, steps: record.steps.slice(0, -1) }),
    ],
    ['steps', 'steps swapped', ({ steps, ...rest }) => ({ ...rest, steps: steps.toReversed() })],
    [
      'invocations',
      'an invocation left out',
      (record) => ({ ...record, invocations: record.invocations.slice(1) }),
    ],
    [
      'ids',
      'invocations swapped',
      (record) => ({ ...record, invocations: record.invocations.toReversed() }),
    ],
    ['outcome', 'its outcome left out', (record) => ({ ...record, outcome: null })],
  ])('fails its %s check: %s', (check, _what, change) => {
    expect(doubtedIn(forged(change(whole)), things)).toContain(check);
  });
});
