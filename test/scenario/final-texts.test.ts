import type { ContentBlock } from '@aws-sdk/client-bedrock-runtime';
import { describe, expect, it } from 'vitest';
import {
  answerWith,
  reasoningBlock,
  sayText,
} from '../../functions/cli/stand-in/scripted-brain.ts';
import type { AnalysisItem, DiagnosisDraft } from '../../shared/contracts/diagnosis-draft.ts';
import { aDraft, aGroundedDraft, conclude, FAKE_FACT } from '../support/drafts.ts';
import type { FakeSource } from '../support/fake-tools.ts';
import { askKnowledge, askLogs, askMysql, play, readSkill, round } from '../support/played.ts';

const DRAFT = JSON.stringify(aGroundedDraft('call-1'));

describe('last words', () => {
  it.each([
    ['that are empty', '', 'EMPTY'],
    ['of white space', ' \n\t', 'EMPTY'],
    ['in a fence', `\`\`\`json\n${DRAFT}\n\`\`\``, 'FENCED'],
    ['behind prose', `结论：${DRAFT}`, 'PREFIXED'],
    ['before prose', `${DRAFT}谢谢`, 'TRAILING'],
    ['of two objects', `${DRAFT}${DRAFT}`, 'TRAILING'],
    ['over 16,384 bytes', DRAFT.padEnd(16_385, ' '), 'OVERSIZED'],
    ['of broken JSON', DRAFT.slice(0, -1), 'MALFORMED'],
    ['of a JSON string', JSON.stringify(DRAFT), 'SCHEMA'],
    ['of a list', '[]', 'SCHEMA'],
    ['with a key twice', DRAFT.replace('{', '{"conclusion":null,'), 'DUPLICATE_KEY'],
    ['with __proto__', DRAFT.replace('{', '{"__proto__":{},'), 'FORBIDDEN_KEY'],
    ['behind a byte order mark', `\u{feff}${DRAFT}`, 'BYTE_ORDER_MARK'],
    ['with half a character', DRAFT.replace('锁等待', '\\ud83d'), 'LONE_SURROGATE'],
    ['nested too deep', DRAFT.replace('{', '{"more":[[[[[[1]]]]]],'), 'TOO_DEEP'],
    ['with a key too many', DRAFT.replace('{', '{"confidence":0.9,'), 'SCHEMA'],
    ['with a blank sentence', DRAFT.replace('锁等待导致支付超时', ' '), 'SCHEMA'],
  ])('%s are refused and not asked for again', async (_what, words, code) => {
    const { outcome, requests } = await play([
      round(askLogs('timeout')),
      sayText(words),
      conclude(),
    ]);

    expect(outcome).toMatchObject({
      status: 'FAILED',
      stop_reason: null,
      failure: { code: 'OUTPUT_REFUSED', detail_code: code, rerunnable: false },
      draft: null,
      grounding: null,
      progress: { checks: [{ tool_call_id: 'call-1' }] },
    });
    expect(requests).toHaveLength(2);
  });

  it.each<[string, readonly ContentBlock[]]>([
    ['with white space around', [{ text: `\n ${DRAFT} \n` }]],
    [
      'in two blocks, joined with nothing',
      [{ text: DRAFT.slice(0, 40) }, { text: DRAFT.slice(40) }],
    ],
    ['behind reasoning', [reasoningBlock('先看日志', 'sig'), { text: DRAFT }]],
    ['beside a blank block', [{ text: ' ' }, { text: DRAFT }]],
    [
      'with a fence inside a string',
      [{ text: JSON.stringify(withPlan('运行 ```kill 7``` {now}')) }],
    ],
  ])('%s are published', async (_what, blocks) => {
    const { outcome } = await play([round(askLogs('timeout')), answerWith(blocks)]);

    expect(outcome).toMatchObject({ status: 'COMPLETED', grounding: { conclusion: 'QUOTED' } });
  });

  it('of exactly 16,384 bytes are published', async () => {
    const words = DRAFT.padEnd(DRAFT.length + 16_384 - Buffer.byteLength(DRAFT), ' ');

    const { outcome } = await play([round(askLogs('timeout')), sayText(words)]);

    expect(outcome.status).toBe('COMPLETED');
  });
});

describe('a draft that parses', () => {
  const negative: Partial<AnalysisItem> = { type: 'NEGATIVE_OBSERVATION' };

  it.each<[string, DiagnosisDraft, string]>([
    ['cites a call that never was', citing('call-9'), 'UNKNOWN_EVIDENCE'],
    ['cites a provider id', citing('tooluse_1'), 'UNKNOWN_EVIDENCE'],
    ['cites an error', citing('call-3'), 'NOT_EVIDENCE'],
    ['cites a playbook', citing('call-5'), 'NOT_EVIDENCE'],
    ['takes NO_EVIDENCE for proof', citing('call-2'), 'NO_EVIDENCE_AS_PROOF'],
    ['quotes a call it does not cite', quoting(FAKE_FACT, 'call-4', ['call-1']), 'QUOTE_NOT_CITED'],
    ['quotes too little', quoting('Lock wait'), 'QUOTE_TOO_SHORT'],
    [
      'quotes what was never shown',
      quoting('Deadlock found when trying to get lock'),
      'QUOTE_NOT_FOUND',
    ],
    ['quotes a key', quoting('matched_count'), 'QUOTE_NOT_FOUND'],
    ['quotes an enum value', quoting('EVIDENCE_FOUND'), 'QUOTE_NOT_FOUND'],
    ['quotes its own search text', quoting('search words of mine'), 'QUOTE_NOT_FOUND'],
    ['quotes across two lines', quoting('restarting transaction first line'), 'QUOTE_NOT_FOUND'],
    [
      'quotes nothing',
      aDraft({ conclusion: '锁', analysis: [item('call-1')] }),
      'CONCLUSION_UNGROUNDED',
    ],
    ['rests on knowledge alone', quoting(FAKE_FACT, 'call-4'), 'CONCLUSION_UNGROUNDED'],
    ['concludes from nothing', aDraft({ conclusion: '网络' }), 'CONCLUSION_UNGROUNDED'],
    ['misses nothing and concludes nothing', limited(['日志'], []), 'MISSING_INFO_REQUIRED'],
    ['checked something and says nothing of it', limited([], ['日志']), 'CHECKED_SCOPE_REQUIRED'],
    [
      'links to where no evidence pointed',
      withPlan('见 https://fix.example/now'),
      'UNTRUSTED_LINK',
    ],
    [
      'concludes from a negative observation',
      aDraft({ conclusion: '数据库健康', analysis: [item('call-2', negative)] }),
      'CONCLUSION_UNGROUNDED',
    ],
  ])('and %s is refused by its rule', async (_what, draft, code) => {
    const { outcome, requests } = await play([round(...CALLS), conclude(draft), conclude()], {
      source,
    });

    expect(outcome).toMatchObject({
      status: 'FAILED',
      failure: { code: 'EVIDENCE_REJECTED', detail_code: code, rerunnable: false },
      draft: null,
      grounding: null,
      progress: {
        checks: [
          { tool_call_id: 'call-1' },
          { tool_call_id: 'call-2' },
          { tool_call_id: 'call-4' },
        ],
      },
    });
    expect(requests).toHaveLength(2);
  });

  it('and holds is published as it is', async () => {
    const draft = aDraft({
      conclusion: '锁等待',
      analysis: [
        item('call-1', {
          quotes: [{ tool_call_id: 'call-1', text: 'Lock  wait\ntimeout exceeded' }],
        }),
        item('call-2', negative),
      ],
    });

    const { outcome } = await play([round(...CALLS), conclude(draft)], { source });

    expect(outcome).toMatchObject({
      status: 'COMPLETED',
      draft,
      grounding: { conclusion: 'QUOTED' },
    });
  });
});

const CALLS = [
  askLogs('search words of mine'),
  askLogs('nothing'),
  askMysql('denied'),
  askKnowledge('锁等待'),
  readSkill('diagnose-payment-timeout'),
];

/** call-1 finds two lines, call-2 nothing, call-3 is denied, call-4 finds a document. */
const source: FakeSource = ({ toolName, input }) => {
  if (toolName === 'query_mysql') return { kind: 'failed', code: 'SOURCE_DENIED', executed: null };
  if ('topic' in input && input.query === 'nothing') return [];
  return [`${FAKE_FACT}; try restarting transaction`, 'first line of another event'];
};

function item(toolCallId: string, changes: Partial<AnalysisItem> = {}): AnalysisItem {
  return { type: 'OBSERVATION', statement: '看到的事实', tool_call_ids: [toolCallId], ...changes };
}

function citing(toolCallId: string): DiagnosisDraft {
  return aDraft({ analysis: [item(toolCallId)] });
}

function quoting(text: string, from = 'call-1', cited: string[] = [from]): DiagnosisDraft {
  const quotes = [{ tool_call_id: from, text }];
  return aDraft({ conclusion: '锁等待', analysis: [item(from, { tool_call_ids: cited, quotes })] });
}

function limited(checked_scope: string[], missing_info: string[]): DiagnosisDraft {
  return aDraft({ limitations: { checked_scope, missing_info } });
}

function withPlan(step: string): DiagnosisDraft {
  return { ...aGroundedDraft('call-1'), action_plan: [step] };
}
