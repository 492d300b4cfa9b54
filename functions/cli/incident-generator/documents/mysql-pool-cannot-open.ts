import { EXPENSES } from './unrelated.ts';

/** Pages about the member service and its database, and one about expenses. */
export const documents: ReadonlyMap<string, string> = new Map([
  [
    'member-api-datasource.md',
    `# member-api data source

Owner: membership team

- HikariCP, maximumPoolSize 30 per pod until November, connectionTimeout 3000 ms, maxLifetime 30 minutes.
- Every connection is retired after maxLifetime (minus up to 2.5 percent, so that they do not go all at once) and
  replaced by a new one. If new ones can't be opened, the pool does not fail at once: it *shrinks* over half an hour.
- Read the four numbers of the pool: active equal to total means that callers hold everything;
  total=0 means that there is nothing to hold.
- Peak use in the last quarter: 9 active connections per pod.
`,
  ],
  [
    'network-policies.md',
    `# 网络策略说明

维护：平台网络组

- 出口白名单按命名空间维护，变更后对**新建**连接立即生效，已建立的连接不受影响。
- 数据库写实例 mysql-writer 的网段为 10.60.0.0/24，端口 3306；变更时必须逐项核对。
- 丢弃是静默的：被挡住的一方看到的是连接超时，而不是拒绝。
`,
  ],
  [
    'bi-extracts.md',
    `# BI 抽数任务

维护：数据平台

账号 bi_ro，每天 20:30 至 22:30 从写实例抽取会员积分流水，单条语句一到两分钟，最多同时一条。
这是约定内的负载，已在压测中验证。
`,
  ],
  ['travel-and-expenses.md', EXPENSES],
]);
