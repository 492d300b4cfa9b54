import { CODE_REVIEW } from './unrelated.ts';

/** Pages about coupons and their cache, and one about code review. */
export const documents: ReadonlyMap<string, string> = new Map([
  [
    'coupon-redis.md',
    `# 优惠券服务的 Redis 用法

维护：营销组

- 客户端 Jedis，连接池 maxTotal=64，取连接最多等 2 秒（maxWait=2000），每个实例一个池。
- 池里的连接是独占的：一条命令没有返回，连接就还不回来。
- **阻塞命令（BLPOP、BRPOP、SUBSCRIBE）必须用单独的池**，不能与普通读写共用。
- 服务器 maxclients=10000，日常连接数约 700。
`,
  ],
  [
    'flash-sale.md',
    `# 抢券活动安排

维护：营销运营

每天 10:00、20:00 各一场，开始后十分钟内请求量约为平时的六倍。
2026 年 11 月起，抢券由“轮询结果”改为“排队等待结果”，用户最多等 30 秒。
`,
  ],
  [
    'redis-persistence.md',
    `# Redis 持久化说明

维护：中间件组

- 缓存实例每十五分钟做一次 RDB，后台子进程执行，写时复制通常不到 10 MB，不阻塞命令。
- 未开启 AOF。
- 曾经怀疑 RDB 引起超时，经慢日志核对，耗时最长的命令不到 2 ms，与 RDB 无关。
`,
  ],
  ['code-review.md', CODE_REVIEW],
]);
