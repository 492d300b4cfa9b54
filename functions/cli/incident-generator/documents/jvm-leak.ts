import { CODE_REVIEW } from './unrelated.ts';

/** Pages about the pricing engine and its memory, and one about code review. */
export const documents: ReadonlyMap<string, string> = new Map([
  [
    'price-engine-jvm.md',
    `# price-engine 的 JVM 参数

维护：定价组

- 堆 -Xmx4g，容器上限 6Gi，G1，JDK 21；打开了 -XX:+HeapDumpOnOutOfMemoryError，转储写到 /dump（保留最近一份）。
- 平时老年代占用约 1.1 GB，一周内基本不变；没有 Full GC。
- 启动日志会打印生效的参数，里面含有 OutOfMemoryError 字样，那不是内存不足。
`,
  ],
  [
    'snapshot-cache.md',
    `# 报价快照缓存

维护：定价组

报价快照按“商品 × 会员等级 × 活动”缓存，键的数量随活动增长，没有上限。
一直放在 Redis 里，过期时间三十分钟；如要改为本地缓存，必须设置条数上限和过期时间。
`,
  ],
  [
    'settlement-export.md',
    `# 结算导出任务

维护：财务系统组

每天 15:00 从 price-engine 取价并导出，每页 5,000 行，分页读取，约十分钟完成。
2026 年 8 月起为分页方式，此后没有引起过内存问题。
`,
  ],
  ['code-review.md', CODE_REVIEW],
]);
