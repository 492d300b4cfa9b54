import { describe, expect, it } from 'vitest';
import {
  listedEntries,
  listedPlaybooks,
  listedTopics,
  recentMinutes,
  statedMinutes,
} from '../../../../functions/cli/stand-in/offline/listing.ts';
import { fillParameters } from '../../../../functions/cli/stand-in/offline/query-parameters.ts';
import { rankByWords } from '../../../../functions/cli/stand-in/offline/words.ts';

describe('lists', () => {
  it('have one entry a line, with the indented lines below it', () => {
    const text =
      '查询：\n- a_b (live): 说明。\n  - x: integer\n* `c-d`：别的\n- **e**: f\n- 不是名字: g';

    expect(listedEntries(text)).toEqual([
      { name: 'a_b', text: 'live): 说明。\n  - x: integer' },
      { name: 'c-d', text: '别的' },
      { name: 'e', text: 'f' },
    ]);
  });

  it('of topics may stand in one sentence', () => {
    const text = '可用主题: pay(支付(含回调),最多回看 60 分钟); gw(网关,最多回看 30 分钟)。';

    expect(listedTopics(text)).toEqual([
      { name: 'pay', text: '支付(含回调),最多回看 60 分钟' },
      { name: 'gw', text: '网关,最多回看 30 分钟' },
    ]);
  });

  it('of playbooks stand under their heading', () => {
    const text = '# 规则\n\n- conclusion: 结论\n\n# 排查手册目录\n\n- diagnose-x: 说明';

    expect(listedPlaybooks(text)).toEqual([{ name: 'diagnose-x', text: '说明' }]);
  });
});

describe('spans of time', () => {
  it.each([
    ['最近 60 分钟', 60],
    ['过去2个小时', 120],
    ['近 3 天', 4_320],
    ['the last 45 minutes', 45],
    ['past 2 hours', 120],
    ['订单超过 30 分钟未支付', null],
    ['从 12:38 开始', null],
  ])('of the recent past in %s', (text, minutes) => {
    expect(recentMinutes(text)).toBe(minutes);
  });

  it('of a topic are the last ones in its line', () => {
    expect(statedMinutes('每 5 分钟一条,最多回看 1440 分钟')).toBe(1_440);
  });
});

describe('parameters', () => {
  const asked = { minutes: 30, query: 'ALIPAY 渠道支付超时' };

  it.each([
    ['none', 'live): 说明', asked, {}],
    [
      'a look-back',
      'x: y\n  - lookback_minutes: integer 1..1440, default 60. Minutes',
      asked,
      { lookback_minutes: 30 },
    ],
    [
      'a look-back above its bound',
      '- lookback_minutes: integer 1..20, default 5',
      asked,
      { lookback_minutes: 20 },
    ],
    [
      'a look-back that is not asked for',
      '- lookback_minutes: integer 1..20, default 5',
      { ...asked, minutes: null },
      {},
    ],
    [
      'a required look-back that is not asked for',
      '- lookback_minutes: integer 1..20, required',
      { ...asked, minutes: null },
      { lookback_minutes: 20 },
    ],
    ['a default', '- min_seconds: integer 1..9, default 3. Least', asked, {}],
    [
      'an enum value of the question',
      '- channel: one of ALIPAY | CARD, required. Channel',
      asked,
      { channel: 'ALIPAY' },
    ],
    [
      'an enum value that is not in the question',
      '- channel: one of WECHAT | CARD, required',
      asked,
      null,
    ],
    ['an enum with a default', '- channel: enum WECHAT | CARD, default CARD', asked, {}],
    [
      'a text that nobody knows',
      '- table_name: string, at most 64 bytes, required. Name',
      asked,
      null,
    ],
    [
      'a required one that speaks of defaults',
      '- mode: string, required. Not the default mode',
      asked,
      null,
    ],
  ])('%s', (_case, listing, request, filled) => {
    expect(fillParameters(listing, request)).toEqual(filled);
  });
});

describe('ranking by words', () => {
  const redis = { name: 'redis', text: 'Redis 命令超时' };
  const payment = { name: 'payment', text: '支付超时' };
  const slow = { name: 'slow', text: '接口变慢' };
  const names = (text: string) =>
    rankByWords(text, [redis, payment, slow]).map(({ candidate }) => candidate.name);

  it.each([
    ['支付一直超时', ['payment', 'redis']],
    ['REDIS is slow', ['redis', 'slow']],
    ['服务有问题', []],
    ['', []],
  ])('%j', (text, ranked) => {
    expect(names(text)).toEqual(ranked);
  });

  it('counts nothing that all candidates have', () => {
    expect(rankByWords('超时', [redis, payment])).toEqual([]);
  });

  it('counts what the only candidate has', () => {
    expect(rankByWords('超时', [payment])).toEqual([{ candidate: payment, score: 0.5 }]);
  });
});
