import { expect, it } from 'vitest';
import { quotableStrings } from '../../../functions/diagnosis/draft/quotable-strings.ts';
import { EVENT, knowledgeCall, logsCall, mysqlCall } from './draft-builders.ts';

it('offers event lines and pattern lines of logs, and nothing else', () => {
  const { observation } = logsCall({ events: [EVENT, 'second'], patterns: ['412× ERROR pool'] });

  const strings = quotableStrings(JSON.parse(observation));

  expect(strings).toEqual([
    { path: 'patterns[0].line', text: '412× ERROR pool' },
    { path: 'events[0]', text: EVENT },
    { path: 'events[1]', text: 'second' },
  ]);
});

it('offers row lines of a table, and not its columns', () => {
  const { observation } = mysqlCall({ rows: ['a=1', 'a=2'] });

  const strings = quotableStrings(JSON.parse(observation));

  expect(strings).toEqual([
    { path: 'rows[0]', text: 'a=1' },
    { path: 'rows[1]', text: 'a=2' },
  ]);
});

it('offers titles and excerpts of documents, and not their ids', () => {
  const { observation } = knowledgeCall({ title: 'Pool', excerpt: 'Look at the pool.' });

  const strings = quotableStrings(JSON.parse(observation));

  expect(strings).toEqual([
    { path: 'evidence[0].title', text: 'Pool' },
    { path: 'evidence[0].excerpt', text: 'Look at the pool.' },
  ]);
});

it.each([
  ['null', null],
  ['a text', 'events'],
  ['an error', { tool_call_id: 'call-1', evidence_status: 'ERROR', error_code: 'SCAN_LIMIT' }],
  ['a playbook', { tool_call_id: 'call-1', skill: 'diagnose-jvm-memory', instructions: 'look' }],
  ['lists of other things', { events: [1, null], patterns: ['line'], rows: 'row', evidence: {} }],
])('offers nothing of %s', (_what, observation) => {
  expect(quotableStrings(observation)).toEqual([]);
});
