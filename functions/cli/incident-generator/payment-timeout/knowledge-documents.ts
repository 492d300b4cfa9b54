import type { Scenario } from './scenario.ts';
import { RUN_EVERY_MINUTES } from './scenario.ts';

/** Six documents as a team's wiki holds them; the last two have nothing to do with payments. */
export function knowledgeDocuments(scenario: Scenario): ReadonlyMap<string, string> {
  return new Map([
    ['payment-architecture.md', architecture(scenario)],
    ['settlement-batch-runbook.md', settlementRunbook(scenario)],
    ['mysql-lock-wait.md', lockWaitGuide(scenario)],
    ['channel-latency-baseline.md', channelBaseline(scenario)],
    ['office-vpn.md', OFFICE_VPN],
    ['frontend-tracking.md', FRONTEND_TRACKING],
  ]);
}

function architecture({ names, readTimeoutMs, poolSize, poolWaitMs }: Scenario): string {
  return `# 支付链路与超时约定

维护：支付组　适用环境：生产

## 调用关系

客户端 → 网关 → ${names.order} → ${names.payment} → 支付渠道（${names.channels.join('、')}）。
${names.settlement} 不在这条链路上，但与 ${names.payment} 共用数据库 \`${names.schema}\` 的 payments 表。

线下门店的收单不经过 ${names.payment}：POS 导入任务每半小时把约一万笔已支付记录写入 payments 表，同样等待结算。

## 超时

| 调用 | 连接超时 | 读超时 |
| --- | --- | --- |
| ${names.order} → ${names.payment} | 500 ms | ${readTimeoutMs} ms |
| ${names.payment} → 支付渠道 | 2 s | 10 s |
| ${names.payment} 取数据库连接 | – | ${poolWaitMs} ms |

${names.payment} 每个 Pod 的连接池上限为 ${poolSize}。池很小：只要少数几条语句不返回，后续请求就会排队，
日志里出现 "Connection is not available"。这时先看连接被谁占住，不要直接加大连接池。

## 状态

支付确认成功后，payments.status 由 PROCESSING 变为 PAID，同时 settle_status 由 NONE 变为 PENDING，等待结算。
确认失败的支付停留在 PROCESSING，由补偿任务每十分钟重新确认一次，不会重复扣款。
`;
}

function settlementRunbook({ names, chunkBefore, settlementVersion }: Scenario): string {
  return `# ${names.settlement} 结算批次运维手册

维护：清结算组　上一次修订时的版本：${settlementVersion[0]}

## 批次怎么运行

- 每 ${RUN_EVERY_MINUTES} 分钟运行一次，按分片处理 settle_status = 'PENDING' 的支付。
- 一个分片一个事务：先用 SELECT … FOR UPDATE 选出分片内的支付，再逐笔写清算文件，最后提交。
- 分片大小由 settlement.chunk-size 决定，线上为 ${chunkBefore}，一个分片通常不到一秒。

## 调整分片大小

提交之前，分片内的行锁不会释放。分片越大，锁持有越久。修改该参数需要与 DBA 一起评审，并在低峰期观察一个完整批次。

## 中断批次

1. 先在任务平台暂停任务，再停止实例；直接结束数据库会话会使整个分片回滚，已处理的行数越多，回滚越久。
2. 回滚完成后，未提交的支付仍为 PENDING，下一批次会重新处理，不会重复结算。
3. 恢复前确认参数已经改回。
`;
}

function lockWaitGuide({ lockWaitSeconds }: Scenario): string {
  return `# MySQL 锁等待排查手册

维护：DBA

## 现象

应用报错 1205 "Lock wait timeout exceeded; try restarting transaction"，耗时恰好等于 innodb_lock_wait_timeout
（线上为 ${lockWaitSeconds} 秒）。报错的一方是等待者，不是持有者：它的 SQL 通常很快，也走了索引。

## 排查

1. 查当前的锁等待，找到持有锁的会话和它的事务已经打开多久。
2. 持有者的状态常常是 Sleep：事务没有提交，应用在两条语句之间做别的事。因此慢查询日志里什么都没有。
3. 用数据库用户和来源地址找到所属服务，再看它最近的变更和日志。

## 处理

由持有者所属的服务停止任务并回滚。只有在服务无法停止时，由 DBA 结束会话。

## 容易混淆

- 死锁：报错 1213，立即返回，不等待。
- 慢 SQL 或缺索引：语句本身在执行，扫描行数远大于返回行数。
- 连接池耗尽：是结果。等待锁的语句占住了连接。
`;
}

function channelBaseline({ names }: Scenario): string {
  const [first, second, slow] = names.channels;
  return `# 支付渠道响应时间基线

维护：渠道组　每季度更新

| 渠道 | 查询接口 P50 | 查询接口 P99 | 承诺 |
| --- | --- | --- | --- |
| ${first} | 90 ms | 420 ms | 3 s |
| ${second} | 110 ms | 510 ms | 3 s |
| ${slow} | 480 ms | 2.9 s | 10 s |

${slow} 的查询接口一直偏慢，全天都会出现“渠道响应偏慢”的告警（阈值 2000 ms），大约每分钟一条，属于正常水平。
只有当频率明显高于平时，或出现超过 10 s 的超时，才需要联系渠道。
`;
}

const OFFICE_VPN = `# 办公网 VPN 使用说明

维护：IT 支持

## 申请

在内部门户提交申请，直属主管审批后自动开通，有效期一年。

## 连接超时怎么办

1. 确认本机时间与网络时间一致。
2. 更换接入点，办公区优先选择华东节点。
3. 仍然超时，请联系 IT 支持并附上客户端日志。
`;

const FRONTEND_TRACKING = `# 前端埋点规范

维护：数据组

## 命名

事件名使用小写字母和下划线，格式为 页面_元素_动作，例如 cart_submit_click。

## 上报

- 批量上报，每批不超过 50 条，页面关闭时立即发送。
- 不得上报手机号、地址等个人信息。
- 新增事件需先在埋点平台登记，再发布。
`;
