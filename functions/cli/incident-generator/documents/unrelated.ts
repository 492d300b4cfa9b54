/** Pages of any company's wiki that have nothing to do with an incident. */
export const MEETING_ROOMS = `# 会议室预订说明

维护：行政

## 预订

- 每人每天最多预订两小时，超过二十人的会议请提前一天联系前台。
- 预订后十五分钟未签到，会议室自动释放。

## 设备故障

投屏失败时先更换线缆，再切换信号源；仍然失败请在群里联系行政。
`;

export const CODE_REVIEW = `# 代码评审约定

维护：研发效能

- 一次评审不超过四百行，超过的拆开。
- 评审意见分“必须改”和“建议”，只有前者阻塞合并。
- 发布前一天十八点之后不再合并非紧急改动。
`;

export const EXPENSES = `# Travel and expenses

Owner: finance operations

- File receipts within thirty days; anything later needs the approval of your lead.
- Taxi rides count when public transport would take twice as long.
- Conference tickets are booked through the portal, never with a private card.
`;
