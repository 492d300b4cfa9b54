import { describe, expect, it } from 'vitest';
import { findUntrustedLink } from '../../../functions/diagnosis/draft/untrusted-link.ts';
import { aDraft, anItem } from './draft-builders.ts';

const LINK = 'http://evil.example/x';

describe('a link that nobody vouches for', () => {
  it.each([
    ['the conclusion', aDraft({ conclusion: LINK }), null],
    ['a statement', aDraft({ analysis: [anItem({}), anItem({ statement: LINK })] }), 1],
    [
      'a quote',
      aDraft({ analysis: [anItem({ quotes: [{ tool_call_id: 'call-1', text: LINK }] })] }),
      0,
    ],
    ['the action plan', aDraft({ action_plan: ['a', LINK] }), null],
    ['a recommendation', aDraft({ recommendations: [LINK] }), null],
    [
      'the checked scope',
      aDraft({ limitations: { checked_scope: [LINK], missing_info: [] } }),
      null,
    ],
    [
      'the missing info',
      aDraft({ limitations: { checked_scope: [], missing_info: [LINK] } }),
      null,
    ],
  ])('is found in %s', (_where, draft, item) => {
    expect(findUntrustedLink(draft, [])).toEqual({ item, link: LINK });
  });
});

it('finds none in a draft without links', () => {
  const draft = aDraft({ conclusion: null, analysis: [anItem({ quotes: null })] });

  expect(findUntrustedLink(draft, [])).toBeNull();
});

it.each([
  ['the same', 'https://a.example/b?c=1', '见 https://a.example/b?c=1。'],
  ['another spelling of the same', 'ｈｔｔｐｓ：／／a.example/b', 'https://A.example/b'],
  ['the host of a link', 'a.example', 'https://a.example/b'],
  ['the address', 'ops@a.example', '值班：ops@a.example'],
])('trusts %s', (_what, link, trusted) => {
  expect(findUntrustedLink(aDraft({ action_plan: [`用 ${link}`] }), [trusted])).toBeNull();
});

it.each([
  ['the start of a link', 'https://a.example/b', 'https://a.example/b?c=1'],
  ['more than a link', 'https://a.example/b/c', 'https://a.example/b'],
  ['a longer host', 'https://a.example.evil.example/', 'https://a.example'],
  ['another scheme', 'ftp://a.example/b', 'https://a.example/b'],
  ['a look-alike of another script', 'https://а.example/b', 'https://a.example/b'],
  ['another mailbox', 'evil@a.example', 'ops@a.example'],
  ['a host in a word', 'corp.example', 'https://mycorp.example'],
])('does not trust %s', (_what, link, trusted) => {
  expect(findUntrustedLink(aDraft({ action_plan: [`用 ${link}`] }), [trusted])).toMatchObject({
    item: null,
  });
});

it('takes a mere host name for a link in advice alone', () => {
  const draft = aDraft({ conclusion: 'pay.corp.example 无响应' });

  expect(findUntrustedLink(draft, [])).toBeNull();
  expect(findUntrustedLink({ ...draft, recommendations: ['到 evil.example 下载'] }, [])).toEqual({
    item: null,
    link: 'evil.example',
  });
});
