import { describe, expect, it } from 'vitest';
import {
  instantPrompt,
  stablePrompt,
  userMessage,
} from '../../../functions/diagnosis/agent/prompt.ts';
import { SYSTEM_PROMPT } from '../../../functions/diagnosis/agent/system-prompt.ts';

const CATALOG = {
  sha256: '',
  playbooks: [{ name: 'diagnose-a', description: '甲的描述', body: '甲的正文' }],
};

describe('the stable system block', () => {
  it('holds the rules, the schema and the compact catalogue, and no body of a playbook', () => {
    const prompt = stablePrompt('{"type":"object"}', CATALOG);

    expect(prompt).toContain(SYSTEM_PROMPT);
    expect(prompt).toContain('{"type":"object"}');
    expect(prompt).toContain('- diagnose-a: 甲的描述');
    expect(prompt).not.toContain('甲的正文');
  });

  it('says nothing of playbooks where there are none', () => {
    expect(stablePrompt('{}', { sha256: '', playbooks: [] })).not.toContain('排查手册目录\n');
  });

  it('names no counter, threshold or budget of a run', () => {
    expect(SYSTEM_PROMPT).not.toMatch(/预算|轮次|剩余|token|最多.{0,4}次|\d+ ?(?:轮|次|毫秒|ms)/i);
  });
});

describe('the block of one run', () => {
  it('gives the instant in UTC and in the configured zone', () => {
    const block = instantPrompt(Date.parse('2026-11-03T05:00:00Z'), 'Asia/Shanghai');

    expect(block).toContain('2026-11-03T05:00:00.000Z');
    expect(block).toContain('2026-11-03 13:00:00（Asia/Shanghai）');
  });
});

describe('the user message', () => {
  it('is a JSON object with exactly the query and the previous turn', () => {
    expect(userMessage('为什么 "超时"？', null)).toBe(
      '{"query":"为什么 \\"超时\\"？","previous_turn":null}',
    );
  });
});
