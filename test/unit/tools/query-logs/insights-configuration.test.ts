import { expect, it } from 'vitest';
import { ConfigurationSchema } from '../../../../shared/contracts/configuration.ts';

const ARN = 'arn:aws:logs:eu-central-1:210987654321:log-group:/aws/ecs/ledger';

function aConfiguration(logGroups: unknown, source: object = {}) {
  return ConfigurationSchema.safeParse({
    schema_version: 1,
    model: { model_id: 'scripted' },
    playbooks_folder: 'skills',
    topics: [{ name: 'pay', description: '支付服务', max_lookback_minutes: 1_440 }],
    logs: { kind: 'CLOUDWATCH_LOGS', log_groups: logGroups, ...source },
    knowledge: { kind: 'NONE' },
    mysql: { kind: 'NONE' },
    store: { kind: 'SQLITE', file: ':memory:' },
  });
}

it('takes log groups by name and, of other accounts, by ARN, with 20 GiB to scan in a run', () => {
  const read = aConfiguration({ pay: ['/aws/ecs/pay', ARN] });

  expect(read.data?.logs).toEqual({
    kind: 'CLOUDWATCH_LOGS',
    log_groups: { pay: ['/aws/ecs/pay', ARN] },
    max_scanned_bytes: 21_474_836_480,
  });
});

it.each([
  ['no log group', { pay: [] }],
  ['more than fifty', { pay: Array.from({ length: 51 }, (_none, at) => `group-${at}`) }],
  ['a wildcard', { pay: ['/aws/ecs/*'] }],
  ['a wildcard behind an ARN', { pay: [`${ARN}:*`] }],
  ['an ARN of something else', { pay: ['arn:aws:s3:::logs'] }],
  ['a command', { pay: ["a' | SOURCE 'b"] }],
  ['a topic left out', { ledger: ['/aws/ecs/ledger'] }],
  ['a topic that only every object has', {}],
])('refuses %s', (_fault, logGroups) => {
  expect(aConfiguration(logGroups).success).toBe(false);
});

it.each([0, 1_000, 1.5, 2 ** 41])('refuses %d bytes to scan', (max_scanned_bytes) => {
  expect(aConfiguration({ pay: ['pay'] }, { max_scanned_bytes }).success).toBe(false);
});
