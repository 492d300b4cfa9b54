import { MEETING_ROOMS } from './unrelated.ts';

/** Pages about locks in Redis and who owns the server, and one about meeting rooms. */
export const documents: ReadonlyMap<string, string> = new Map([
  [
    'seat-lock.md',
    `# 选座锁（seat-api）

维护：票务组

- 选座用 Redisson 分布式锁，加锁和续期都是 EVAL 脚本；命令超时 3000 ms，重试 3 次。
- 连接池 64，日常占用不到 20。
- 超时之后锁会自然过期，用户重选即可，不会重复出票。
`,
  ],
  [
    'redis-ownership.md',
    `# Redis 集群的归属

维护：中间件组

redis-seat 由云厂商托管，三主三从。服务器日志、慢日志、CPU、带宽与网络质量只能在云控制台查看，
没有接入日志平台；需要时请联系中间件值班。
`,
  ],
  [
    'past-incidents.md',
    `# Redis 超时历史事件

| 时间 | 现象 | 原因 |
| --- | --- | --- |
| 2026-03 | EVAL 超时，一分钟 | 云厂商宿主机网络抖动 |
| 2026-06 | 全部命令超时，八分钟 | 运营脚本在主节点执行 KEYS |
| 2026-08 | EVAL 超时，零星 | 应用实例 Full GC |

同样的报错，三次原因各不相同；没有服务器侧的数据时不要下结论。
`,
  ],
  ['meeting-rooms.md', MEETING_ROOMS],
]);
