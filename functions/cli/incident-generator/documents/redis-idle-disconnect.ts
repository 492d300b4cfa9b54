import { EXPENSES } from './unrelated.ts';

/** Pages about quotes and how Redis is reached, and one about expenses. */
export const documents: ReadonlyMap<string, string> = new Map([
  [
    'quote-api-redis.md',
    `# quote-api and Redis

Owner: pricing team

- Lettuce, one shared connection per pod, command timeout 3 s, no keep-alive configured.
- Traffic falls to almost nothing between 01:00 and 07:00; only the rate refresh runs, every ten minutes.
- One or two reconnects per pod and day are normal: the operators restart the proxy for updates.
`,
  ],
  [
    'tcp-load-balancer.md',
    `# 内部四层负载均衡使用说明

维护：平台网络组

- 空闲超时固定为 350 秒，不可调整。超过 350 秒没有数据的连接会被静默移除：两端都收不到 FIN 或 RST。
- 客户端下一次发送才会发现连接已失效，表现为**第一条命令超时**，随后重连成功。
- 使用长连接的客户端必须打开 TCP keep-alive，或让应用心跳间隔小于 350 秒。
`,
  ],
  [
    'redis-quote-instance.md',
    `# Redis instance redis-quote

Owner: middleware

- Primary with one replica, 8 GB, about 900 MB used, 40 clients, peak 2,300 commands per second.
- RDB every thirty minutes in a child process; no AOF.
- Slowest command of the last month: 4 ms.
`,
  ],
  ['travel-and-expenses.md', EXPENSES],
]);
