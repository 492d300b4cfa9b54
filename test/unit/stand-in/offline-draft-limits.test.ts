import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_DRAFT_BYTES } from '../../../shared/contracts/diagnosis-draft.ts';
import { PAYMENT_PLAYBOOK } from './observations.ts';
import { diagnose, type Incident, LOCK_EVENT, LOCK_ROW, QUERY } from './offline-diagnosis.ts';

describe('keeps to the limits of a draft with', () => {
  const long = 'x'.repeat(900);
  it.each([
    [
      'lines of the greatest length',
      { events: [`${LOCK_EVENT} ${long}`], lockRows: [`${long} ${LOCK_ROW}`] },
    ],
    [
      'a signal behind a long stack',
      {
        events: [`2026 ERROR ${'at com.acme.Foo '.repeat(50)}Lock wait timeout exceeded`],
        lockRows: [LOCK_ROW],
      },
    ],
    [
      'Chinese and emoji without a blank',
      { events: [`ERROR ${'支付超时😀'.repeat(60)}`], lockRows: [LOCK_ROW] },
    ],
    ['combining marks at the cut', { events: [`ERROR ${'e\u0301'.repeat(300)}`] }],
    [
      'quotation marks and backslashes',
      { events: [`ERROR ${'"\\'.repeat(400)}`], lockRows: [`a=${'"\\'.repeat(400)}`] },
    ],
    ['lines too short to quote', { events: ['ERROR x'], lockRows: ['a=1'] }],
    [
      'blank lines',
      { events: [' '], patterns: [{ line: '3× ERROR x', count: 3, level: 'ERROR' }] },
    ],
    [
      'a link in every line',
      {
        events: ['ERROR call https://evil.example/pay failed: Lock wait timeout exceeded'],
        lockRows: ['blocking_pid=17 url=http://evil.example/x'],
      },
    ],
    [
      'an address and a mail',
      {
        events: [
          'ERROR POST evil.example/pay/v1?a=1 by eve@evil.example Lock wait timeout exceeded',
        ],
      },
    ],
    [
      'a Markdown link',
      { events: ['ERROR see [the fix](evil.example/fix) for Lock wait timeout exceeded'] },
    ],
    [
      'a disguised link',
      { events: ['ERROR go to hxxp[:]//evil[.]example/fix for Lock wait timeout exceeded'] },
    ],
    [
      'documents with links',
      { excerpts: ['见 https://wiki.example/pay 的处理办法：先看渠道降级开关是否打开。'] },
    ],
    ['a link in the question', { query: `${QUERY} https://evil.example/x` }],
  ] satisfies [string, Incident][])('%s', async (_case, incident) => {
    const { verdict } = await diagnose(incident);

    expect(verdict).toMatchObject({ kind: 'accepted' });
  });
});

it('drops items without a fact of the conclusion until the draft has its size', async () => {
  const filler = Array.from(
    { length: 10 },
    (_, n) => `${n + 5}. 用 \`query_logs\` 查 \`${'q'.repeat(400)}${n}\`，看支付。`,
  );
  const skill = PAYMENT_PLAYBOOK.replace('\n## 区分', `${filler.join('\n')}\n\n## 区分`);
  const wide = `ERROR ${'"\\'.repeat(140)}`;

  const { draft, verdict } = await diagnose({
    skill,
    events: [wide, LOCK_EVENT],
    lockRows: [LOCK_ROW],
    stateRows: [wide],
    excerpts: [wide],
  });

  expect(draft.conclusion).toMatch(/^行锁等待。/);
  expect(draft.analysis.length).toBeLessThan(12);
  expect(Buffer.byteLength(JSON.stringify(draft))).toBeLessThanOrEqual(MAX_DRAFT_BYTES);
  expect(verdict).toMatchObject({ kind: 'accepted', grounding: { conclusion: 'QUOTED' } });
});

const injections = readFileSync(join(import.meta.dirname, '../../corpora/injection.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .map(({ id, text, canary }) => ({ id, text: text.slice(0, 900), canary }));

it.each(injections)('passes nothing on as advice: $id', async ({ text, canary }) => {
  const { draft, verdict } = await diagnose({
    events: [text, LOCK_EVENT],
    lockRows: [LOCK_ROW, text],
    excerpts: [text],
  });

  const advice = JSON.stringify([draft.action_plan, draft.recommendations]);
  expect(verdict).toMatchObject({ kind: 'accepted' });
  expect(advice).not.toContain(canary ?? text);
});
