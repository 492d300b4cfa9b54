import { MEETING_ROOMS } from './unrelated.ts';

/** Pages about what is normal, and one about meeting rooms. */
export const documents: ReadonlyMap<string, string> = new Map([
  [
    'alert-baseline.md',
    `# 告警群日常水平

维护：稳定性小组　取自 2026 年 10 月的工作日

| 告警 | 每小时 | 说明 |
| --- | --- | --- |
| 渠道响应偏慢（UNIONPAY） | 20 至 40 | 阈值 2 秒，该渠道一直如此 |
| 优惠券校验不通过 | 8 至 14 | 用户输错或过期 |
| Redis 客户端重连 | 2 至 6 | 空闲连接回收后重建，不影响请求 |
| Kafka 节点连接失败 | 0 至 2 | 随即自动恢复 |
| 网关 499 | 不超过请求数的 0.5% | 用户关闭页面 |

只有明显高于上表，或出现表中没有的报错，才需要开事件。
`,
  ],
  [
    'gc-reading.md',
    `# 怎样看 GC 日志

维护：中间件组

- Pause Young 几毫秒到二十毫秒是健康的，数量多只说明在干活。
- 启动后第一分钟出现 Metadata GC Threshold 属于正常。
- 需要关注：Pause Full、To-space exhausted、回收后剩余量持续升高。
`,
  ],
  [
    'order-center-baseline.md',
    `# order-center 接口基线

| 接口 | P50 | P99 |
| --- | --- | --- |
| /api/orders/create | 120 ms | 640 ms |
| /api/orders/list | 40 ms | 300 ms |

发布时实例逐个重启，期间个别请求会重试一次，属于预期。
`,
  ],
  ['meeting-rooms.md', MEETING_ROOMS],
]);
