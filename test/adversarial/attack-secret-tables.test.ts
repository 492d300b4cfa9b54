import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../shared/redaction/redactor.ts';

const SECRET = 'Zx81canaryQ7w';
const redact = (text: string) => createRedactor().redact(text);

describe('a cell below a heading that promises a credential vanishes', () => {
  it.each([
    { where: 'Markdown', text: `| user | password |\n|---|---|\n| root | ${SECRET} |\nend` },
    { where: 'Markdown without outer bars', text: `user | password\n--- | ---\nroot | ${SECRET}` },
    { where: 'Chinese', text: `| 账号 | 密码 |\n| :-- | --: |\n| root | \`${SECRET}\` |` },
    {
      where: 'a database client',
      text: `+------+---------------+\n| user | api_token     |\n+------+---------------+\n| root | ${SECRET} |\n+------+---------------+`,
    },
    { where: 'an indented table', text: `  | host | pwd |\n  |---|---|\n  | db | ${SECRET} |` },
    { where: 'a second row', text: `|a|password|\n|--|--|\n|x|-|\n|y|${SECRET}|` },
  ])('$where', ({ text }) => {
    const redacted = redact(text);

    expect(redacted).not.toContain(SECRET);
    expect(redacted).toContain('<secret:1>');
    expect(redact(redacted)).toBe(redacted);
  });
});

it.each([
  '| 服务 | 密码策略 |\n|---|---|\n| pay | 90 天轮换 |',
  '| user | password |\n|---|---|\n| root | 见 Vault |\n| app | vault:kv/app |\n| x | <secret:1> |',
  '| topic | lag | token_count |\n|---|---|---|\n| orders | 1200 | 4096 |',
  '| a | password |\n\n| b | pool-size-30 |',
])('other tables stay: %j', (text) => {
  expect(redact(text)).toBe(text);
});
