import { MEETING_ROOMS } from './unrelated.ts';

/** Pages about order queries and their tables, and one about meeting rooms. */
export const documents: ReadonlyMap<string, string> = new Map([
  [
    'order-lookup-baseline.md',
    `# 订单查询接口基线

维护：交易查询组　取自 2026 年 10 月

| 接口 | P50 | P99 |
| --- | --- | --- |
| /api/orders/list | 45 ms | 310 ms |
| /api/orders/detail | 20 ms | 120 ms |
| /api/orders/search | 70 ms | 600 ms |

网关超时 10 秒；客户端多数在 6 秒左右放弃，表现为 499。
`,
  ],
  [
    'order-tables.md',
    `# 订单库表说明

维护：交易查询组、DBA

- sales_order 约 3,900 万行，每天新增约 11 万行。已有索引：主键、订单号唯一索引、(buyer_id, created_at)、(shop_id, created_at)。
- 新增查询条件前先确认有可用的索引；大表加索引须走变更评审，安排在凌晨低峰。
- dict_region 等字典表只有几百行，不走索引也无害。
`,
  ],
  [
    'finance-reconciliation.md',
    `# 财务对票说明

维护：财务共享

每月 20 日起，财务在订单查询里按发票号逐张核对，上午九点半开始，约四十人同时操作。
`,
  ],
  [
    'gateway-changes.md',
    `# 网关变更记录摘要

维护：接入组

worker_connections 由 4096 调到 8192，是大促前的例行调整，逐台热加载，不影响在途请求。
`,
  ],
  ['meeting-rooms.md', MEETING_ROOMS],
]);
