import { MEETING_ROOMS } from './unrelated.ts';

/** Pages about payments of the company whose channel is slow, and one about meeting rooms. */
export const documents: ReadonlyMap<string, string> = new Map([
  [
    'cashier-overview.md',
    `# 收银台（cashier）概览

维护：支付中台

## 一笔支付怎么走

trade-order 创建订单后调用 cashier 的 /internal/pay；cashier 先落库（PROCESSING），提交事务，
再调用支付渠道，拿到结果后用第二个事务改为 PAID 或 FAILED。**调用渠道时不占用数据库连接。**

## 超时

| 调用 | 读超时 |
| --- | --- |
| trade-order → cashier | 8 s |
| cashier → 渠道 | 10 s |

渠道 10 s 不返回，cashier 记录 SocketTimeoutException，支付单停在 PROCESSING，由补单任务每十五分钟向渠道查询一次结果。
连接池上限 20，每五分钟打印一次统计。
`,
  ],
  [
    'channel-baseline.md',
    `# 渠道响应基线（每季度更新）

| 渠道 | 下单 P50 | 下单 P99 | 合同承诺 |
| --- | --- | --- | --- |
| ALIPAY | 150 ms | 700 ms | 3 s |
| WECHATPAY | 170 ms | 800 ms | 3 s |
| UNIONPAY | 900 ms | 3.4 s | 10 s |

- UNIONPAY 全天偏慢，cashier 超过 2 s 就打“渠道响应偏慢”告警，每一两分钟一条属于正常。
- 任何渠道出现 10 s 读超时，每分钟超过三次就按《渠道降级手册》处理。
`,
  ],
  [
    'channel-degradation.md',
    `# 渠道降级手册

维护：支付中台　值班电话见排班表

1. 先确认是否集中在一个渠道：看未完成支付的分布，不看总量。
2. 集中在一个渠道：在收银台配置中把该渠道置灰，用户改用其他渠道；同时通过商户后台提工单。
3. 各渠道都有：不是渠道问题，不要降级，检查本方的数据库、锁与实例停顿。
4. 恢复后由补单任务核对，不要手工改状态。
`,
  ],
  [
    'clearing-batch.md',
    `# 清分批次（clearing）说明

维护：清结算组

- 每二十分钟一次，每个分片四百笔，一片一个事务，通常不到两秒提交。
- 批次日志打印“清分分片已提交”；长时间没有提交才需要关注锁等待。
- 2026 年 10 月曾因单事务过大造成行锁等待，已改为分片提交。
`,
  ],
  ['meeting-rooms.md', MEETING_ROOMS],
]);
