import { describe, expect, it } from 'vitest';
import { askCapsule, shippedQueries } from '../../support/capsule-queries.ts';
import { shippedIncident, shippedNames } from '../../support/shipped-incident.ts';

/** What speaks for a cause, by topic, and what would speak for another and must not be there. */
const LOGS: readonly (readonly [
  name: string,
  shown: Readonly<Record<string, string>>,
  absent: RegExp,
])[] = [
  [
    'payment-timeout',
    { 'payment-service': 'Lock wait timeout exceeded', 'settlement-service': '尚未提交' },
    /Communications link failure|Deadlock found|Pause Full/,
  ],
  [
    'payment-timeout-channel',
    {
      cashier: '渠道调用失败 channel=WECHATPAY',
      clearing: '清分分片已提交',
      'trade-order': 'Read timed out',
    },
    /Lock wait timeout|Connection is not available|渠道调用失败 channel=(?!WECHATPAY)|Pause Full/,
  ],
  [
    'mysql-pool-exhausted',
    { 'stock-api': 'active 20, maxActive 20', 'order-api': 'Read timed out' },
    /Lock wait timeout|createErrorCount|Communications link failure|Too many connections|OutOfMemoryError/,
  ],
  [
    'mysql-pool-cannot-open',
    { 'member-api': 'total=0, active=0', deployments: '出口白名单' },
    /Too many connections|Lock wait timeout|OutOfMemoryError|leak detected/,
  ],
  [
    'redis-client-pool',
    {
      'coupon-api': 'numActive=64 numIdle=0',
      'redis-coupon': 'Background saving terminated with success',
      deployments: 'BLPOP',
    },
    /Connection refused|Command timed out|AOF fsync|MASTERDOWN|Pause Full/,
  ],
  [
    'redis-idle-disconnect',
    { 'quote-api': 'Command timed out after 3 second(s)', deployments: '负载均衡' },
    /Connection refused|Could not get a resource|AOF fsync|MASTERDOWN|Pause Full/,
  ],
  [
    'redis-timeout-unexplained',
    { 'seat-api': 'Redis server response timeout (3000 ms)' },
    /Command: \((?!EVAL)|Connection refused|READONLY|Could not get a resource|Pause Full|To-space/,
  ],
  [
    'slow-missing-index',
    { 'order-lookup': 'OrderMapper.searchByInvoice', gateway: '" 504 ', deployments: 'invoice_no' },
    /Lock wait timeout|RejectedExecution|EXHAUSTED|Pause Full/,
  ],
  [
    'slow-downstream',
    { 'product-api': 'recommendMs=', gateway: '" 499 ' },
    /Exception|RejectedExecution|EXHAUSTED|Pause Full|To-space/,
  ],
  [
    'jvm-leak',
    {
      'price-engine': 'java.lang.OutOfMemoryError: Java heap space',
      'price-engine-gc': 'Pause Full',
      deployments: '去掉过期时间',
    },
    /OOMKilled|exit code 137|Metaspace|unable to create native thread/,
  ],
  [
    'jvm-container-limit',
    {
      'cluster-events': 'exit code 137',
      'image-api': 'HeapDumpOnOutOfMemoryError',
      deployments: 'decode workers 8 -> 32',
    },
    /java\.lang\.OutOfMemoryError|Pause Full|To-space|unable to create native thread/,
  ],
  [
    'hostile-logs',
    { 'catalog-api': 'Thread pool is EXHAUSTED', deployments: 'dubbo.protocol.threads 200 -> 20' },
    /Lock wait timeout|Pause Full|To-space|MASTERDOWN/,
  ],
  [
    'healthy-noisy',
    {
      'order-center': 'Reconnecting, last destination',
      'pay-hub': '渠道响应偏慢',
      gateway: '" 499 ',
    },
    /" 50\d |timed out|Read timeout|Pause Full|To-space|EXHAUSTED|Rejected|Lock wait|OutOfMemory/,
  ],
];

describe('the logs', () => {
  it.each(LOGS)(
    'of %s show what decides and nothing that speaks for another cause',
    (name, shown, absent) => {
      const { files } = shippedIncident(name);
      const texts = [...files].filter(([path]) => path.startsWith('logs/'));

      const missing = Object.entries(shown).filter(
        ([topic, text]) => !files.get(`logs/${topic}.log`)?.includes(text),
      );
      const misleading = texts.flatMap(([path, text]) => {
        const found = absent.exec(text);
        return found === null ? [] : [`${path}: ${found[0]}`];
      });

      expect(missing).toEqual([]);
      expect(misleading).toEqual([]);
    },
  );

  it('are looked at in every shipped incident', () => {
    expect(LOGS.map(([name]) => name).sort()).toEqual(shippedNames);
  });
});

/** One row that a query returns, or null where it must return none. */
const ROWS: readonly (readonly [name: string, query: string, row: object | null])[] = [
  ['payment-timeout', 'lock_wait_blockers', { blocking_command: 'Sleep' }],
  ['payment-timeout-channel', 'lock_wait_blockers', null],
  [
    'payment-timeout-channel',
    'payments_stuck_by_channel',
    { channel: 'WECHATPAY', concentration: 'ONE_CHANNEL' },
  ],
  ['payment-timeout-channel', 'running_statements', null],
  ['mysql-pool-exhausted', 'running_statements', { user_name: 'stock_rw', state: 'executing' }],
  ['mysql-pool-exhausted', 'idle_transactions', null],
  ['mysql-pool-exhausted', 'lock_wait_blockers', null],
  [
    'mysql-pool-exhausted',
    'connection_usage',
    { server_limit: 'BELOW_LIMIT', refused_at_limit: '0' },
  ],
  ['mysql-pool-cannot-open', 'running_statements', { user_name: 'bi_ro' }],
  ['mysql-pool-cannot-open', 'connection_usage', { server_limit: 'BELOW_LIMIT' }],
  ['mysql-pool-cannot-open', 'idle_transactions', null],
  ['redis-client-pool', 'connection_usage', { server_limit: 'BELOW_LIMIT' }],
  ['redis-timeout-unexplained', 'running_statements', null],
  ['slow-missing-index', 'running_statements', { user_name: 'olookup_ro', state: 'executing' }],
  ['slow-missing-index', 'digests_without_index', { rows_examined_per_call: '39104220' }],
  ['slow-missing-index', 'lock_wait_blockers', null],
  ['slow-downstream', 'running_statements', null],
  ['slow-downstream', 'lock_wait_blockers', null],
  ['jvm-leak', 'running_statements', null],
  ['jvm-leak', 'large_results', { rows_sent_per_call: '5000' }],
  ['hostile-logs', 'running_statements', { user_name: 'report_ro', state: 'User sleep' }],
  ['healthy-noisy', 'running_statements', null],
  ['healthy-noisy', 'lock_wait_blockers', null],
  ['healthy-noisy', 'long_transactions', null],
];

describe('the database', () => {
  it.each(ROWS)('of %s answers %s as its cause has it', async (name, query, row) => {
    const { folder, incident } = shippedIncident(name);

    const [first] = await askCapsule(folder, incident, query);

    expect(first ?? null).toEqual(row === null ? null : expect.objectContaining(row));
  });

  it('of mysql-pool-cannot-open has no session of the service that can not connect', async () => {
    const { folder, incident } = shippedIncident('mysql-pool-cannot-open');

    const users = (await askCapsule(folder, incident, 'connections_by_user')).map(
      (row) => row['user_name'],
    );

    expect(users).not.toContain('member_rw');
    expect(users).toContain('points_rw');
  });

  it.each(shippedNames)('of %s answers every query on the state of the server', async (name) => {
    const { folder, incident } = shippedIncident(name);
    const queries = shippedQueries
      .list()
      .map(({ name: query }) => query)
      .filter((query) => !/^(?:orders|payments)_/.test(query) && query !== 'table_indexes');

    const answers = await Promise.all(queries.map((query) => askCapsule(folder, incident, query)));

    expect(answers.map((rows) => Array.isArray(rows))).toEqual(queries.map(() => true));
  });
});
