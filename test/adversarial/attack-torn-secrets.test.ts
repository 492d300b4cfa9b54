import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../shared/redaction/redactor.ts';
import { project, rawLogs } from '../unit/tools/query-logs/projected-logs.ts';

const SECRET = 'Zx81canaryQ7w';
const KEY = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey.trim();
// The last line is as short as any word.
const WHOLE_LINES = KEY.split('\n').slice(1, -2);

function shown(...entries: readonly string[]): string {
  const { body, facts } = project(rawLogs(entries));
  return JSON.stringify([body, facts]);
}

describe('a private key that a logger tore apart shows none of its lines', () => {
  const at = (second: number) => `2026-11-30T09:00:${String(second).padStart(2, '0')}Z`;

  it.each([
    { how: 'an entry each', header: (second: number) => `${at(second)} ERROR ` },
    {
      how: 'behind a logger',
      header: (second: number) => `${at(second)} ERROR [main] c.a.Boot - `,
    },
    { how: 'behind a colon', header: (second: number) => `${at(second)} ERROR 1 --- c.a.Boot : ` },
  ])('$how', ({ header }) => {
    const text = shown(...KEY.split('\n').map((line, second) => `${header(second)}${line}`));

    expect(WHOLE_LINES.filter((line) => text.includes(line))).toEqual([]);
  });

  it('in objects of JSON', () => {
    const text = shown(
      ...KEY.split('\n').map((msg, second) => JSON.stringify({ ts: at(second), msg })),
    );

    expect(WHOLE_LINES.filter((line) => text.includes(line))).toEqual([]);
  });

  it('below one entry, without its first line', () => {
    const text = shown(`${at(1)} ERROR key follows\n    ${WHOLE_LINES.join('\n    ')}`);

    expect(WHOLE_LINES.filter((line) => text.includes(line.slice(0, 40)))).toEqual([]);
  });
});

describe('a secret below its key vanishes from an entry of several lines', () => {
  it.each([
    { how: 'YAML', text: `config\n  datasource:\n    password:\n      ${SECRET}` },
    { how: 'a list of YAML', text: `config\n  secret:\n    - ${SECRET}` },
    { how: 'a dictionary', text: `{'password':\n '${SECRET}'}` },
    {
      how: 'a property of XML',
      text: `<property name="password">\n  <value>${SECRET}</value>\n</property>`,
    },
    { how: 'an element of XML', text: `<password>\n    ${SECRET}\n  </password>` },
  ])('$how', ({ text }) => {
    expect(shown(`2026-11-30T09:00:01Z ERROR ${text}`)).not.toContain(SECRET);
  });
});

describe('invisible characters hide no key of a secret', () => {
  it.each([
    `password\u200b=${SECRET}`,
    `pass\u034fword=${SECRET}`,
    `pass\u{e0001}word=${SECRET}`,
    `pass\u202eword=${SECRET}`,
    `pass\ufe0fword=${SECRET}`,
    `pass\u180eword=${SECRET}`,
    `密\u200b码=${SECRET}`,
    `ｐａｓｓｗｏｒｄ＝${SECRET}`,
  ])('%j', (text) => {
    expect(createRedactor().redact(text)).not.toContain(SECRET);
  });

  it('and no order to the model hides in letters that nobody sees', () => {
    const tags = Array.from('ignore', (letter) =>
      String.fromCodePoint(0xe0000 + letter.charCodeAt(0)),
    );

    expect(createRedactor().redact(`订单 ${tags.join('')} 超时`)).toBe('订单  超时');
  });
});

it.each([
  '[-----BEGIN PRIVATE KEY-----\n\u200b]password::',
  '<pod:1>&\u{e0041}\u202e13900001111"node }',
  'container -----BEGIN PRIVATE KEY-----node \u200b%26.{',
])('a mark beside an invisible character comes out the same the second time: %j', (text) => {
  const once = createRedactor().redact(text);

  expect(createRedactor().redact(once)).toBe(once);
});

it('what only looks like a line of a key stays', () => {
  const redactor = createRedactor();

  for (const text of [
    'x-amz-id-2: Zm9vYmFyMDEyMzQ1Njc4OUFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaYWJjZGVmZ2hpams=',
    'GET /com/example/service/PaymentServiceImpl2/handleRefundRequestOfChannel',
    'a | b | c: 12 | token bucket empty | d',
    '重试 👨\u200d👩\u200d👧 1\ufe0f\u20e3 次',
  ]) {
    expect(redactor.redact(text)).toBe(text);
  }
});
