import { describe, expect, it } from 'vitest';
import { guardDraft } from '../../../functions/diagnosis/draft/draft-guard.ts';
import {
  aDraft,
  anItem,
  aRun,
  knowledgeCall,
  logsCall,
  mysqlCall,
  QUOTED,
  quoting,
} from './draft-builders.ts';

describe('a quote', () => {
  it.each([
    ['is a key', 'matched_count', 'call-1'],
    ['is an enum value', 'EVIDENCE_FOUND', 'call-1'],
    ['is the level of a pattern', 'CRITICAL_FAILURE', 'call-1'],
    ['is a note on the scope', 'NEWEST_MINUTES_MAY_BE_MISSING', 'call-1'],
    ['is the search of the model', 'gateway timeout search', 'call-1'],
    ['is the topic of the model', 'payment-service', 'call-1'],
    ['is the instant of a window', '2026-11-30T16:32:00.000Z', 'call-1'],
    ['is a column', 'transaction_identifier', 'call-2'],
    ['is the name of a catalogued query', 'innodb-transactions', 'call-2'],
    ['is the id of a document', 'runbooks/pool-exhaustion.md', 'call-3'],
    ['is the JSON around a line', '"events":["2026-11-30T17:02:13Z', 'call-1'],
    ['stands in another call', 'trx_id=421 state=ACTIVE', 'call-1'],
    ['adds a word', `${QUOTED} 失败`, 'call-1'],
    ['leaves a word out', '2026-11-30T17:02:13Z 支付网关 超时', 'call-1'],
    ['has a zero-width space in it', QUOTED.replace('超', '超\u200b'), 'call-1'],
  ])('is refused when it %s', (_what, text, toolCallId) => {
    const draft = aDraft({ analysis: [quoting(text, toolCallId)] });
    const calls = [logsCall({ patterns: ['412× ERROR pool'] }), mysqlCall({}), knowledgeCall({})];

    const verdict = guardDraft(draft, aRun({ calls }));

    expect(verdict).toEqual({ kind: 'refused', code: 'QUOTE_NOT_FOUND', item: 0, toolCallId });
  });

  it('is refused when it joins two lines', () => {
    const run = aRun({ calls: [logsCall({ events: ['pool exhausted', 'after 30000 ms'] })] });

    const verdict = guardDraft(
      aDraft({ analysis: [quoting('pool exhausted after 30000 ms')] }),
      run,
    );

    expect(verdict).toMatchObject({ kind: 'refused', code: 'QUOTE_NOT_FOUND' });
  });

  it.each([
    ['under twelve bytes', '超时 3000', 'call-1', 'QUOTE_TOO_SHORT'],
    ['of blanks for the most part', `超时 ${' '.repeat(40)}`, 'call-1', 'QUOTE_TOO_SHORT'],
    ['of a call that its item does not cite', QUOTED, 'call-2', 'QUOTE_NOT_CITED'],
  ])('is refused when it is %s', (_what, text, cited, code) => {
    const item = anItem({
      tool_call_ids: [cited],
      quotes: [{ tool_call_id: 'call-1', text }],
    });

    const verdict = guardDraft(aDraft({ analysis: [item] }), aRun({}));

    expect(verdict).toEqual({ kind: 'refused', code, item: 0, toolCallId: 'call-1' });
  });

  it('is refused when its call found nothing, whatever that call shows', () => {
    const call = logsCall({ ordinal: 4, evidenceStatus: 'NO_EVIDENCE' });
    const item = { ...quoting(QUOTED, 'call-4'), type: 'NEGATIVE_OBSERVATION' as const };

    const verdict = guardDraft(aDraft({ analysis: [item] }), aRun({ calls: [call] }));

    expect(verdict).toEqual({
      kind: 'refused',
      code: 'NO_EVIDENCE_AS_PROOF',
      item: 0,
      toolCallId: 'call-4',
    });
  });

  it('is refused behind one that holds', () => {
    const item = anItem({
      quotes: [
        { tool_call_id: 'call-1', text: QUOTED },
        { tool_call_id: 'call-1', text: 'words that nobody logged' },
      ],
    });

    expect(guardDraft(aDraft({ analysis: [item] }), aRun({}))).toMatchObject({
      code: 'QUOTE_NOT_FOUND',
    });
  });

  it.each([
    ['with full-width blanks', '支付网关\u3000超时，等待\u300030000\u3000ms'],
    ['without blanks', '支付网关超时，等待30000ms'],
    ['over two lines', '支付网关\n超时，等待 30000 ms'],
  ])('holds %s', (_how, text) => {
    expect(guardDraft(aDraft({ analysis: [quoting(text)] }), aRun({})).kind).toBe('accepted');
  });
});
