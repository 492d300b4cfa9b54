import { describe, expect, it } from 'vitest';
import { guardDraft } from '../../../functions/diagnosis/draft/draft-guard.ts';
import { aDraft, anItem, aRun, EVENT, knowledgeCall, logsCall, quoting } from './draft-builders.ts';

describe('a link', () => {
  const LINK = 'https://wiki.corp.example/pool?id=7';
  const logged = logsCall({ events: [EVENT, `ERROR see ${LINK} for help`] });
  const advised = aDraft({ action_plan: [`按 ${LINK} 处理`] });
  const untrusted = { kind: 'refused', code: 'UNTRUSTED_LINK', item: null, toolCallId: null };

  it('out of a log line is refused', () => {
    expect(guardDraft(advised, aRun({ calls: [logged] }))).toEqual(untrusted);
  });

  it('out of a log line is refused in a quote as well', () => {
    const draft = aDraft({ analysis: [anItem({}), quoting(`see ${LINK} for help`)] });

    expect(guardDraft(draft, aRun({ calls: [logged] }))).toEqual({ ...untrusted, item: 1 });
  });

  it('of a playbook that this run has read may stand', () => {
    const verdict = guardDraft(advised, aRun({ playbookTexts: [`手册：${LINK}。`] }));

    expect(verdict.kind).toBe('accepted');
  });

  it('of an excerpt may stand once the excerpt is cited', () => {
    const calls = [logsCall({}), knowledgeCall({ excerpt: `详见（${LINK}），先看连接数` })];
    const citing = {
      ...advised,
      analysis: [anItem({}), anItem({ tool_call_ids: ['call-3'], quotes: null })],
    };

    expect(guardDraft(citing, aRun({ calls })).kind).toBe('accepted');
    expect(guardDraft(advised, aRun({ calls }))).toEqual(untrusted);
  });

  it('of a title is refused', () => {
    const calls = [logsCall({}), knowledgeCall({ title: LINK })];
    const citing = {
      ...advised,
      analysis: [anItem({}), anItem({ tool_call_ids: ['call-3'], quotes: null })],
    };

    expect(guardDraft(citing, aRun({ calls }))).toEqual(untrusted);
  });
});
