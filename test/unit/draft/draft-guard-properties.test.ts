import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type GuardedRun, guardDraft } from '../../../functions/diagnosis/draft/draft-guard.ts';
import type { DiagnosisDraft } from '../../../shared/contracts/diagnosis-draft.ts';
import { aRun, knowledgeCall, logsCall, mysqlCall } from './draft-builders.ts';
import { bare, brokenRules } from './naive-guard.ts';

const LINES = [
  'ERROR 支付网关 超时，等待 30000 ms',
  'WARN caf\u00e9 pool exhausted after 30000 ms',
  'WARN cafe\u0301 pool\u3000exhausted after 30000 ms',
  'ERROR see http://evil.example/x for the fix',
];
const LINK_TEXTS = ['http://evil.example/x', 'http://wiki.example/x', '处理', '排查', '重启'];

const line = fc.constantFrom(...LINES);
const found = fc.constantFrom(
  'EVIDENCE_FOUND' as const,
  'EVIDENCE_FOUND' as const,
  'NO_EVIDENCE' as const,
);

const run = fc
  .record({
    logs: fc.record({
      events: fc.array(line, { maxLength: 3 }),
      patterns: fc.array(line, { maxLength: 2 }),
      evidenceStatus: found,
    }),
    rows: fc.array(line, { maxLength: 2 }),
    excerpt: fc.constantFrom(
      'http://wiki.example/x 连接池排查手册',
      '连接池排查手册 pool exhausted',
    ),
    playbookTexts: fc.subarray(['按 http://wiki.example/x 处理']),
    requireQuotes: fc.boolean(),
    count: fc.constantFrom(0, 1, 3, 3, 3),
  })
  .map(({ logs, rows, excerpt, playbookTexts, requireQuotes, count }) =>
    aRun({
      calls: [logsCall(logs), mysqlCall({ rows }), knowledgeCall({ excerpt })].slice(0, count),
      otherCallIds: ['call-9'],
      playbookTexts,
      requireQuotes,
    }),
  );

const id = fc.constantFrom(
  ...['call-1', 'call-1', 'call-1', 'call-2', 'call-2', 'call-3', 'call-9'],
);

/** A passage of a line, now and then in other white space or another composition. */
const passage = fc
  .tuple(
    fc.constantFrom(
      ...LINES,
      '连接池排查手册 pool exhausted',
      'matched_count gateway timeout search',
    ),
    fc.nat({ max: 12 }),
    fc.nat({ max: 12 }),
    fc.constantFrom(
      (text: string) => text,
      (text: string) => text.replaceAll(' ', '\u3000\n'),
      (text: string) => text.normalize('NFD'),
      (text: string) => text.replace('ex', 'e\u200bx'),
    ),
  )
  .map(([text, from, cut, change]) => change(text.slice(from, text.length - cut)))
  .filter((text) => text.trim() !== '');

const item = fc.record({
  type: fc.constantFrom('OBSERVATION' as const, 'NEGATIVE_OBSERVATION' as const),
  statement: fc.constantFrom(...LINK_TEXTS),
  tool_call_ids: fc.array(id, { minLength: 1, maxLength: 3 }),
  quotes: fc.option(fc.array(fc.record({ tool_call_id: id, text: passage }), { maxLength: 2 })),
});

const draft: fc.Arbitrary<DiagnosisDraft> = fc.record({
  conclusion: fc.option(fc.constant('支付网关超时')),
  analysis: fc.array(item, { maxLength: 2 }),
  action_plan: fc.array(fc.constantFrom(...LINK_TEXTS), { maxLength: 1 }),
  recommendations: fc.constant([]),
  limitations: fc.record({
    checked_scope: fc.subarray(['支付日志']),
    missing_info: fc.subarray(['故障时间']),
  }),
});

const runs = { seed: 20261130, numRuns: 2_000 };

it('accepts a draft if and only if a slow second check finds every rule kept', () => {
  fc.assert(
    fc.property(draft, run, (candidate, against) => {
      const verdict = guardDraft(candidate, against);

      expect(verdict.kind === 'accepted').toBe(brokenRules(candidate, against).length === 0);
    }),
    runs,
  );
});

it('says of each quote where it begins', () => {
  fc.assert(
    fc.property(draft, run, (candidate, against) => {
      const verdict = guardDraft(candidate, against);
      const items = verdict.kind === 'accepted' ? verdict.grounding.items : [];

      const spelled = items.flatMap(({ quotes }) =>
        quotes.map((quote) => textFrom(quote, against)),
      );
      const asked = candidate.analysis.slice(0, items.length).flatMap(({ quotes }) => quotes ?? []);
      expect(asked.every(({ text }, index) => spelled[index]?.startsWith(bare(text)))).toBe(true);
    }),
    runs,
  );
});

it('leaves every draft as it was', () => {
  fc.assert(
    fc.property(draft, run, (candidate, against) => {
      const before = structuredClone(candidate);

      guardDraft(candidate, against);

      expect(candidate).toEqual(before);
    }),
    runs,
  );
});

function textFrom(
  { tool_call_id, path, start }: { tool_call_id: string; path: string; start: number },
  { calls }: GuardedRun,
): string {
  const call = calls.find(({ toolCallId }) => toolCallId === tool_call_id);
  const stored = path
    .split(/[.[\]]+/)
    .filter((name) => name !== '')
    .reduce((value, name) => Reflect.get(Object(value), name), JSON.parse(call?.observation ?? ''));
  return bare(Buffer.from(String(stored)).subarray(start).toString());
}
