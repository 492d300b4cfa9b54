import { describe, expect, it } from 'vitest';
import { guardDraft } from '../../../functions/diagnosis/draft/draft-guard.ts';
import {
  aDraft,
  anItem,
  aRun,
  knowledgeCall,
  logsCall,
  mysqlCall,
  quoting,
} from './draft-builders.ts';

const noQuotes = anItem({ quotes: null });

describe('an accepted draft', () => {
  it('is published with its quotes, where they stand, and the terms they do not hold', () => {
    const draft = aDraft({
      analysis: [
        anItem({ statement: 'order_id 88213 超时，表 t_order 无索引' }),
        anItem({
          type: 'NEGATIVE_OBSERVATION',
          statement: '没有锁等待',
          tool_call_ids: ['call-2', 'call-4'],
          quotes: [{ tool_call_id: 'call-2', text: 'age_seconds=63' }],
        }),
      ],
    });
    const run = aRun({
      calls: [
        logsCall({}),
        mysqlCall({}),
        logsCall({ ordinal: 4, events: [], evidenceStatus: 'NO_EVIDENCE' }),
      ],
    });

    const verdict = guardDraft(draft, run);

    expect(verdict).toEqual({
      kind: 'accepted',
      grounding: {
        conclusion: 'QUOTED',
        items: [
          {
            index: 0,
            tool_call_ids: ['call-1'],
            quotes: [{ tool_call_id: 'call-1', path: 'events[0]', start: 27 }],
            unmatched_terms: ['t_order'],
          },
          {
            index: 1,
            tool_call_ids: ['call-2', 'call-4'],
            quotes: [{ tool_call_id: 'call-2', path: 'rows[0]', start: 24 }],
            unmatched_terms: [],
          },
        ],
      },
    });
  });

  it('stays as it was', () => {
    const draft = aDraft({});

    guardDraft(draft, aRun({}));

    expect(draft).toEqual(aDraft({}));
  });

  it('may cite a call twice in one item; the grounding names it once', () => {
    const draft = aDraft({ analysis: [anItem({ tool_call_ids: ['call-1', 'call-2', 'call-1'] })] });

    const verdict = guardDraft(draft, aRun({}));

    expect(verdict).toMatchObject({
      kind: 'accepted',
      grounding: { items: [{ tool_call_ids: ['call-1', 'call-2'] }] },
    });
  });

  it('may have no conclusion and no evidence when nothing was checked', () => {
    const draft = aDraft({
      conclusion: null,
      analysis: [],
      limitations: { checked_scope: [], missing_info: ['故障时间'] },
    });

    const verdict = guardDraft(draft, aRun({ calls: [] }));

    expect(verdict).toEqual({ kind: 'accepted', grounding: { conclusion: 'NONE', items: [] } });
  });

  it('is published as CITED where the deployment asks for no quotes, quoted or not', () => {
    const run = aRun({ requireQuotes: false });

    const verdicts = [noQuotes, anItem({})].map((item) =>
      guardDraft(aDraft({ analysis: [item] }), run),
    );

    expect(verdicts).toMatchObject([
      { kind: 'accepted', grounding: { conclusion: 'CITED' } },
      { kind: 'accepted', grounding: { conclusion: 'CITED' } },
    ]);
  });

  it('may rest its conclusion on a row', () => {
    const draft = aDraft({ analysis: [quoting('trx_id=421 state=ACTIVE', 'call-2')] });

    expect(guardDraft(draft, aRun({})).kind).toBe('accepted');
  });
});

describe('a citation', () => {
  it.each([
    ['UNKNOWN_EVIDENCE', 'of another run', 'call-7'],
    ['UNKNOWN_EVIDENCE', 'that is an id but for a blank', 'call-1 '],
    ['UNKNOWN_EVIDENCE', 'that is an id but for letter case', 'CALL-1'],
    ['UNKNOWN_EVIDENCE', 'of a provider', 'toolu_01AbC'],
    ['NOT_EVIDENCE', 'of an error, a control answer or a playbook', 'call-9'],
  ])('is refused as %s when it is one %s', (code, _what, toolCallId) => {
    const draft = aDraft({
      analysis: [anItem({}), anItem({ tool_call_ids: ['call-1', toolCallId] })],
    });

    const verdict = guardDraft(draft, aRun({ otherCallIds: ['call-9'] }));

    expect(verdict).toEqual({ kind: 'refused', code, item: 1, toolCallId });
  });

  it('of a call that found nothing bears out no observation', () => {
    const nothing = logsCall({ ordinal: 4, events: [], evidenceStatus: 'NO_EVIDENCE' });
    const draft = aDraft({ analysis: [anItem({ tool_call_ids: ['call-1', 'call-4'] })] });

    const verdict = guardDraft(draft, aRun({ calls: [logsCall({}), nothing] }));

    expect(verdict).toEqual({
      kind: 'refused',
      code: 'NO_EVIDENCE_AS_PROOF',
      item: 0,
      toolCallId: 'call-4',
    });
  });

  it('of a negative observation may be of either kind', () => {
    const nothing = logsCall({ ordinal: 4, events: [], evidenceStatus: 'NO_EVIDENCE' });
    const negative = anItem({
      type: 'NEGATIVE_OBSERVATION',
      tool_call_ids: ['call-4', 'call-1'],
      quotes: [],
    });

    const verdict = guardDraft(
      aDraft({ analysis: [anItem({}), negative] }),
      aRun({ calls: [logsCall({}), nothing] }),
    );

    expect(verdict.kind).toBe('accepted');
  });
});

describe('a conclusion', () => {
  const ungrounded = {
    kind: 'refused',
    code: 'CONCLUSION_UNGROUNDED',
    item: null,
    toolCallId: null,
  };

  it.each([
    ['nothing', []],
    ['citations without a quote', [noQuotes]],
    ['a quote of knowledge', [quoting('先看活跃连接数，再看慢 SQL', 'call-3')]],
    ['a title of knowledge', [quoting('连接池耗尽排查手册', 'call-3')]],
    [
      'citations of logs and a quote of knowledge',
      [noQuotes, quoting('连接池耗尽排查手册', 'call-3')],
    ],
  ])('cannot rest on %s', (_what, analysis) => {
    expect(guardDraft(aDraft({ analysis }), aRun({}))).toEqual(ungrounded);
  });

  it.each([
    ['nothing', []],
    ['knowledge', [quoting('连接池耗尽排查手册', 'call-3')]],
    [
      'calls that found nothing',
      [anItem({ type: 'NEGATIVE_OBSERVATION', tool_call_ids: ['call-4'], quotes: null })],
    ],
  ])('cannot rest on %s where no quotes are asked for', (_what, analysis) => {
    const calls = [
      knowledgeCall({}),
      logsCall({ ordinal: 4, events: [], evidenceStatus: 'NO_EVIDENCE' }),
    ];

    const verdict = guardDraft(aDraft({ analysis }), aRun({ calls, requireQuotes: false }));

    expect(verdict).toEqual(ungrounded);
  });

  it.each([
    ['MISSING_INFO_REQUIRED', { checked_scope: ['支付日志'], missing_info: [] }],
    ['CHECKED_SCOPE_REQUIRED', { checked_scope: [], missing_info: ['故障时间'] }],
  ])('that is null says what it lacks and what was checked: %s', (code, limitations) => {
    const draft = aDraft({ conclusion: null, limitations });

    const verdict = guardDraft(draft, aRun({}));

    expect(verdict).toEqual({ kind: 'refused', code, item: null, toolCallId: null });
  });
});

it('does not judge an observation that is not JSON', () => {
  const broken = { ...logsCall({}), observation: '{' };

  expect(() => guardDraft(aDraft({}), aRun({ calls: [broken] }))).toThrow(SyntaxError);
});
