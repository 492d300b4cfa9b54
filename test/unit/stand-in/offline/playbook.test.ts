import { describe, expect, it } from 'vitest';
import { readPlaybook } from '../../../../functions/cli/stand-in/offline/playbook.ts';

const TOOLS = ['query_logs', 'query_mysql', 'lookup_knowledge', 'read_skill'];

const read = (text: string, queries: readonly string[] = []) =>
  readPlaybook('diagnose-x', text, TOOLS, queries);

/** The one cause that a bullet of 区分相似原因 describes. */
const causeOf = (bullet: string) =>
  read(`## 区分相似原因\n\n- **原因**：${bullet}`, ['lock_waits']).causes[0];

const signal = (
  alternatives: string[],
  toolName: string | null,
  queryName: string | null = null,
) => ({
  alternatives,
  toolName,
  queryName,
});

describe('evidence order', () => {
  it('is a numbered list of steps with a tool and what it is asked', () => {
    const { steps } = read(`# 手册

## 证据顺序

先看日志。

1. 用 \`query_logs\` 查 \`a OR b\`，看支付
   服务。
2. 用 \`query_logs\` 看网关，不加过滤。
3) 用 \`query_mysql\` 执行 \`lock_waits\`。
   - 没有时再看 \`other\`。
4. 请值班人员看监控。
- 用 \`query_logs\` 查 \`无序\`。

## 停止条件

1. 用 \`query_logs\` 查 \`不是步骤\`。`);

    expect(steps).toEqual([
      { toolName: 'query_logs', argument: 'a OR b', text: '用 query_logs 查 a OR b，看支付服务。' },
      { toolName: 'query_logs', argument: null, text: '用 query_logs 看网关，不加过滤。' },
      {
        toolName: 'query_mysql',
        argument: 'lock_waits',
        text: '用 query_mysql 执行 lock_waits。 - 没有时再看 other。',
      },
    ]);
  });

  it.each([
    ['no section', '# 手册\n\n正文'],
    ['an empty section', '## 证据顺序\n\n## 停止条件'],
    ['a tool without backticks', '## 证据顺序\n\n1. 用 query_logs 查日志'],
  ])('is empty with %s', (_case, text) => {
    expect(read(text)).toEqual({ name: 'diagnose-x', steps: [], causes: [], advice: [] });
  });
});

describe('signals of a cause', () => {
  it.each([
    ['日志里有 `timeout`', [signal(['timeout'], 'query_logs')]],
    ['`lock_waits` 返回 `pid=`', [signal(['pid='], 'query_mysql', 'lock_waits')]],
    ['出现 `timeout`', [signal(['timeout'], null)]],
    ['知识库里写着 `timeout`', [signal(['timeout'], 'lookup_knowledge')]],
    ['日志里有 `aaaa` 或 `bbbb` 或者 `cccc`', [signal(['aaaa', 'bbbb', 'cccc'], 'query_logs')]],
    ['日志里有 `aaaa`、`bbbb`', [signal(['aaaa'], 'query_logs'), signal(['bbbb'], 'query_logs')]],
    [
      '日志里有 `aaaa`，`lock_waits` 返回 `bbbb`',
      [signal(['aaaa'], 'query_logs'), signal(['bbbb'], 'query_mysql', 'lock_waits')],
    ],
    [
      '`lock_waits` 返回 `bbbb`，日志里有 `aaaa`。另有 `cccc`',
      [
        signal(['bbbb'], 'query_mysql', 'lock_waits'),
        signal(['aaaa'], 'query_logs'),
        signal(['cccc'], null),
      ],
    ],
    ['the logs show `aaaa` or `bbbb`', [signal(['aaaa', 'bbbb'], 'query_logs')]],
    ['日志里有 `ab`', []],
    ['只有人能判断', []],
  ])('%s', (bullet, signals) => {
    expect(causeOf(bullet)).toEqual({ name: '原因', signals, counterSignals: [] });
  });

  it.each([
    ['日志里没有 `aaaa`', [signal(['aaaa'], 'query_logs')]],
    ['日志里没有 `aaaa` 或 `bbbb`', [signal(['aaaa', 'bbbb'], 'query_logs')]],
    [
      '日志里没有 `aaaa` 和 `bbbb`',
      [signal(['aaaa'], 'query_logs'), signal(['bbbb'], 'query_logs')],
    ],
    ['the logs show no `aaaa`', [signal(['aaaa'], 'query_logs')]],
  ])('against it: %s', (bullet, counterSignals) => {
    expect(causeOf(bullet)).toEqual({ name: '原因', signals: [], counterSignals });
  });

  it('are wanted again behind the end of a negated clause', () => {
    expect(causeOf('日志里没有 `aaaa`，有 `bbbb`')).toEqual({
      name: '原因',
      signals: [signal(['bbbb'], 'query_logs')],
      counterSignals: [signal(['aaaa'], 'query_logs')],
    });
  });

  it('do not include the queries that the steps run', () => {
    const { causes } = read(`## 证据顺序

1. 用 \`query_mysql\` 执行 \`own_query\`。

## 区分相似原因

- **原因**：\`own_query\` 返回 \`a=1 b\`。
- 没有名字的条目有 \`aaaa\`。`);

    expect(causes).toEqual([
      {
        name: '原因',
        signals: [signal(['a=1 b'], 'query_mysql', 'own_query')],
        counterSignals: [],
      },
    ]);
  });
});

it('gives advice for one cause, or for all', () => {
  const { advice } = read('## 处置建议\n\n- **锁等待**：结束 `pid` 会话。\n- 观察**十五**分钟。');

  expect(advice).toEqual([
    { cause: '锁等待', text: '结束 pid 会话。' },
    { cause: null, text: '观察十五分钟。' },
  ]);
});
