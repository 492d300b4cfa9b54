import { EXPENSES } from './unrelated.ts';

/** Pages about the product page and whom it calls, and one about expenses. */
export const documents: ReadonlyMap<string, string> = new Map([
  [
    'product-page.md',
    `# 商品详情页（product-api）

维护：商品组

详情页依次取：商品主数据（MySQL）、价格（Redis）、推荐（调用 recommend-api，读超时 9 秒）。
推荐失败时应降级为默认列表，但目前超时设得太长，降级来得很晚。

基线：整页 P50 90 ms、P99 450 ms，其中推荐 P50 35 ms、P99 180 ms。
每次请求打印一行分段耗时：totalMs、dbMs、redisMs、recommendMs。
`,
  ],
  [
    'recommend-api.md',
    `# recommend-api

维护：算法平台组（值班电话见排班表）

在算法平台的独立集群，日志与监控在算法平台自己的系统里，业务侧看不到。
依赖特征库与模型服务；模型每天例行更新一次。
`,
  ],
  [
    'mysql-goods.md',
    `# goods 库说明

维护：DBA

- item 约 880 万行；brand、category 等字典表几百行，全表读取无害。
- 每天有一条统计语句扫描 item，执行约两秒，属于日常。
`,
  ],
  ['travel-and-expenses.md', EXPENSES],
]);
