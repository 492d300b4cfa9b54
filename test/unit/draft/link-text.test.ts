import { describe, expect, it } from 'vitest';
import { linksIn } from '../../../functions/diagnosis/draft/link-text.ts';

const report = { hostNames: false };
const advice = { hostNames: true };

describe('a link', () => {
  it.each([
    ['a web address', '见 https://evil.com', 'https://evil.com'],
    ['in capitals', 'HTTPS://EVIL.COM/A', 'https://evil.com/a'],
    ['a disarmed scheme', 'hxxp://evil.com/a', 'hxxp://evil.com/a'],
    ['any scheme', 'gopher+x://evil', 'gopher+x://evil'],
    ['within Chinese text', '请看https://evil.com/x，然后', 'https://evil.com/x'],
    ['with Chinese text behind its path', 'https://evil.com/x查看', 'https://evil.com/x'],
    ['a Chinese host', 'https://支付.中国/x', 'https://支付.中国/x'],
    [
      'with an account that looks like a host',
      'https://good.com@evil.com',
      'https://good.com@evil.com',
    ],
    ['with a host in brackets', 'http://[::1]/x', 'http://[::1]/x'],
    ['with backslashes', 'http:\\\\evil.com', 'http:\\\\evil.com'],
    ['with one slash', 'https:/evil.com', 'https:/evil.com'],
    ['without slashes', 'https:evil.com', 'https:evil.com'],
    ['without a scheme', '//evil.com', 'evil.com'],
    ['a www name', 'www.evil.zone', 'www.evil.zone'],
    ['a host with a path', '访问evil.com/pay', 'evil.com/pay'],
    ['a host with a root dot and a path', 'evil.com./pay', 'evil.com/pay'],
    ['a host behind dots', '如下...evil.com/pay', 'evil.com/pay'],
    [
      'a host of many labels',
      'a.b.c.d.e.f.g.h.i.j.k.l.evil.com/x',
      'a.b.c.d.e.f.g.h.i.j.k.l.evil.com/x',
    ],
    ['a host behind an at sign', '@evil.com/pay', 'evil.com/pay'],
    ['a host with a port and a path', 'evil.zone:8080/x', 'evil.zone:8080/x'],
    ['a host with a query', 'evil.zone/p?d=1', 'evil.zone/p?d=1'],
    ['a host of a two-letter registry', 'bit.ly/3xYz', 'bit.ly/3xyz'],
    ['a host of an encoded registry', 'xn--p1b.xn--p1ai/x', 'xn--p1b.xn--p1ai/x'],
    ['a host of another script', 'еvil.рф/x', 'еvil.рф/x'],
    ['an IP address with a path', '203.0.113.9/x', '203.0.113.9/x'],
    ['an IP address with a port and a path', '203.0.113.9:8080/x', '203.0.113.9:8080/x'],
    ['an IPv6 address with a path', '[2001:db8::1]:80/x', '[2001:db8::1]:80/x'],
    ['an e-mail address', '联系ops@evil.com处理', 'ops@evil.com'],
    ['a mail scheme', 'mailto:root', 'mailto:root'],
    ['a script', 'javascript:alert(1', 'javascript:alert(1'],
    ['data', 'data:text/html,x', 'data:text/html,x'],
    ['a telephone number', 'tel:+8613800138000', 'tel:+8613800138000'],
    ['a network share', '打开 \\\\10.0.0.9\\c$', '\\\\10.0.0.9\\c$'],
    ['a Markdown target', '[点这里](evil.com)', 'evil.com'],
    ['an image', '![x](evil.com/p.png)', 'evil.com/p.png'],
    ['an HTML target', '<a class=x href="evil.com">', 'evil.com'],
  ])('is %s', (_what, text, link) => {
    expect(linksIn(text, report)).toContain(link);
  });

  it.each([
    ['dots in brackets', 'evil[.]com', 'evil.com'],
    ['dots in words', 'evil(dot)com', 'evil.com'],
    ['a dot in Chinese words', 'evil[点]com', 'evil.com'],
    ['an at sign in brackets', 'ops [at] evil [.] com', 'ops@evil.com'],
    ['a colon in brackets', 'http[:]//evil.com', 'http://evil.com'],
    ['a scheme in brackets', 'hxxps[://]evil[.]com', 'hxxps://evil.com'],
    ['a Chinese full stop', 'evil。com/x', 'evil.com/x'],
    ['full-width letters', 'ｈｔｔｐ：／／ｅｖｉｌ．ｃｏｍ', 'http://evil.com'],
    ['mathematical letters', '𝐞𝐯𝐢𝐥.com/x', 'evil.com/x'],
    ['other slashes', 'http:⁄⁄evil.com', 'http://evil.com'],
    ['zero-width characters', 'ht\u200btp://ev\u2060il.com', 'http://evil.com'],
    ['a soft hyphen', 'evil.\u00adcom/x', 'evil.com/x'],
  ])('is found behind %s', (_what, text, link) => {
    expect(linksIn(text, report)).toContain(link);
  });

  it('ends before the marks of a sentence', () => {
    expect(linksIn('(see https://a.cn/b), **https://a.cn/c**.', report)).toEqual(
      expect.arrayContaining(['https://a.cn/b', 'https://a.cn/c']),
    );
  });
});

it.each([
  ['a class', 'java.net.SocketTimeoutException: Read timed out'],
  ['a stack frame', 'at com.acme.pay.C.d(C.java:1)'],
  ['a class behind a Chinese full stop', '超时。com.acme.Pay 失败'],
  ['a column', 't_order.id 与 t_user.name'],
  ['columns in a pair', 'order.status/pay.status'],
  ['a setting', 'spring.profiles.active=prod'],
  ['a service and a path', 'payment-service/api/pay'],
  ['a service and a port', 'db-1:3306'],
  ['a request', 'POST /api/v1/pay HTTP/1.1'],
  ['a file', '/var/log/mysql.cn/x.log'],
  ['a drive', 'C:\\log\\a.txt 与 D:\\\\app\\\\b.txt'],
  ['a host name', 'pay.corp.com 无响应'],
  ['a host name before a Chinese question mark', '是否 pay.corp.com？'],
  ['a network', '10.0.0.0/8'],
  ['a pair of addresses', '10.0.0.1/10.0.0.2:80'],
  ['an account of a database', "'app'@'10.0.0.5' root@10.0.0.5"],
  ['a package version', 'pkg@1.2.3'],
  ['a version with a path', '1.2.3/x'],
  ['names with holes', 'a..b/c .../x'],
  ['fields of a firewall', 'src=10.0.0.1 dst=10.0.0.2'],
  ['ratios and dates', '20/20 p99/p95 2026-11-30 17:02:13'],
  ['a call in code', 'handlers[0](request)'],
  ['a status behind a scheme', 'http:500 错误，data: 5'],
  ['a mention', '@所有人 @Transactional'],
  ['a log level in brackets', '[ERROR]: com.acme.Pay'],
])('takes %s for no link', (_what, text) => {
  expect(linksIn(text, report)).toEqual([]);
});

it('takes a mere host name for a link where asked to', () => {
  expect(linksIn('到 evil.com 下载', advice)).toEqual(['evil.com']);
  expect(linksIn('升级 java.io 与 user.name 与 a..com', advice)).toEqual([]);
});
