import { CODE_REVIEW } from './unrelated.ts';

/** Pages about stock, its database and its reports, and one about code review. */
export const documents: ReadonlyMap<string, string> = new Map([
  [
    'stock-api-pool.md',
    `# stock-api 数据库连接池约定

维护：库存组

- Druid，每个实例 maxActive=20，取连接最多等 5 秒（maxWait=5000），两个实例共 40 条连接。
- 服务器 max_connections=500，所有服务的池加起来约 260，留有余量。
- 报错“wait millis … active 20, maxActive 20”表示池里每条连接都被占着，要看占着它们的语句在做什么。
- 线上不要为了消除报错直接加大 maxActive：语句慢的时候，加大只会让数据库更忙。
`,
  ],
  [
    'reporting-rules.md',
    `# 报表查询约定

维护：数据平台

- 报表一律走只读实例和离线宽表，不查交易库写实例。
- 流水类大表（stock_flow 约 6,100 万行）按时间范围查询时必须直接比较时间列，不要在列上套函数，否则用不上时间索引。
- 新报表上线前要在预发用生产量级的数据跑一遍执行计划。
`,
  ],
  [
    'backup-schedule.md',
    `# MySQL 备份安排

维护：DBA

每天 14:00 开始对写实例做一次快照备份，约二十分钟，占用一条连接，期间磁盘读略高。
近三个月没有因备份产生过告警；备份账号为 backup_ro。
`,
  ],
  [
    'stocktaking.md',
    `# 仓库盘点流程

维护：仓储运营

每月第二周的周四 14:00 起，各仓开始盘点，主管在库存后台查看当天的出入库流水并导出。
盘点期间不冻结下单，库存预占照常进行。
`,
  ],
  ['code-review.md', CODE_REVIEW],
]);
