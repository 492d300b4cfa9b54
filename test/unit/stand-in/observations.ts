import type { Asked, Json } from './offline-play.ts';

const WINDOW = { from: '2026-11-30T07:15:00Z', to: '2026-11-30T08:15:00Z' };

const scopeOf = ({ envelope }: Asked) => ({
  request: envelope['input'],
  window: WINDOW,
  notes: [],
});

/** What `read_skill` hands out. */
export const playbook = (skill: string, instructions: string): Json => ({ skill, instructions });

export const logs = (
  asked: Asked,
  events: readonly string[],
  patterns: readonly Json[] = [],
): Json => ({
  evidence_status: events.length + patterns.length > 0 ? 'EVIDENCE_FOUND' : 'NO_EVIDENCE',
  source_kind: 'FILE',
  scope: scopeOf(asked),
  truncated: false,
  matched_count: events.length,
  returned_count: events.length,
  patterns,
  events,
  timeline: [],
});

export const rows = (asked: Asked, lines: readonly string[]): Json => ({
  evidence_status: lines.length > 0 ? 'EVIDENCE_FOUND' : 'NO_EVIDENCE',
  source_kind: 'SQLITE',
  scope: scopeOf(asked),
  truncated: false,
  columns: [],
  rows: lines,
  returned_count: lines.length,
  live_state: false,
});

export const documents = (asked: Asked, excerpts: readonly string[]): Json => ({
  evidence_status: excerpts.length > 0 ? 'EVIDENCE_FOUND' : 'NO_EVIDENCE',
  source_kind: 'MARKDOWN',
  scope: { ...scopeOf(asked), window: null },
  truncated: false,
  evidence: excerpts.map((excerpt, index) => ({
    document_id: `doc-${index}.md`,
    title: '支付渠道运行手册',
    excerpt,
  })),
  skipped_count: 0,
});

export const failed = (error_code: string): Json => ({ evidence_status: 'ERROR', error_code });

export const stopped: Json = { control: 'STOP_REQUIRED' };

/** A playbook of two causes that share a symptom. */
export const PAYMENT_PLAYBOOK = `# 支付超时

## 适用情形

支付中。

## 证据顺序

1. 用 \`query_logs\` 查 \`timeout\`，看支付服务最近 90 分钟的日志。
2. 用 \`query_mysql\` 执行 \`lock_waits\`，看此刻有没有锁等待。
3. 用 \`query_mysql\` 执行 \`payments_by_state\`，
   看支付单停在哪个状态。
4. 用 \`lookup_knowledge\` 搜索 \`支付渠道 超时 降级\`，找以往的处理办法。

## 区分相似原因

- **渠道响应慢**：日志里有 \`SocketTimeoutException\` 或 \`Read timed out\`，\`payments_by_state\` 返回 \`state=PAYING\`；
  日志里没有 \`Lock wait timeout exceeded\`。
- **行锁等待**：日志里有 \`Lock wait timeout exceeded\`，\`lock_waits\` 返回 \`blocking_pid=\`。
- **其他**：人工判断。

## 处置建议

- **渠道响应慢**：打开渠道降级开关。
- **行锁等待**：结束 \`blocking_pid\` 指向的会话。
- 处置后观察十五分钟。
`;
