/** The words of a report in one language. */
export interface ReportLabels {
  readonly conclusion: Readonly<Record<'QUOTED' | 'CITED' | 'NONE', string>>;
  readonly noConclusion: string;
  readonly status: Readonly<Record<'STOPPED' | 'FAILED', string>>;
  readonly analysis: string;
  readonly type: Readonly<Record<'OBSERVATION' | 'NEGATIVE_OBSERVATION', string>>;
  readonly unmatched: string;
  readonly actionPlan: string;
  readonly recommendations: string;
  readonly checkedScope: string;
  readonly missingInfo: string;
  readonly progress: string;
  readonly nothingChecked: string;
  readonly rerunnable: string;
  readonly proof: string;
  readonly run: string;
  readonly asOf: string;
  readonly stopReason: string;
  readonly counts: (rounds: number, toolCalls: number, tokens: number, seconds: string) => string;
}

const CHINESE: ReportLabels = {
  conclusion: {
    QUOTED: '结论（有逐字引文支持）',
    CITED: '结论（有引用，无逐字引文）',
    NONE: '没有结论',
  },
  noConclusion: '现有证据不足以给出结论。',
  status: { STOPPED: '已停止，没有草稿', FAILED: '失败，没有草稿' },
  analysis: '分析',
  type: { OBSERVATION: '观察', NEGATIVE_OBSERVATION: '未发现' },
  unmatched: '所引证据中未出现的标识',
  actionPlan: '处置步骤',
  recommendations: '建议',
  checkedScope: '查过的范围',
  missingInfo: '还缺的信息',
  progress: '已完成的检查',
  nothingChecked: '没有完成任何检查。',
  rerunnable: '这类失败往往是暂时的，稍后重新运行可能成功。',
  proof: '程序已核对：引文逐字出现在本次运行的证据中。这证明引用属实，不证明因果。',
  run: '运行',
  asOf: '截止时刻',
  stopReason: '停止取证的原因',
  counts: (rounds, toolCalls, tokens, seconds) =>
    `${rounds} 轮，${toolCalls} 次取证，${tokens} token，${seconds} 秒`,
};

const ENGLISH: ReportLabels = {
  conclusion: {
    QUOTED: 'Conclusion (backed by verbatim quotes)',
    CITED: 'Conclusion (cited, not quoted)',
    NONE: 'No conclusion',
  },
  noConclusion: 'The evidence does not carry a conclusion.',
  status: { STOPPED: 'Stopped, no draft', FAILED: 'Failed, no draft' },
  analysis: 'Analysis',
  type: { OBSERVATION: 'observed', NEGATIVE_OBSERVATION: 'not found' },
  unmatched: 'identifiers that no cited evidence holds',
  actionPlan: 'Action plan',
  recommendations: 'Recommendations',
  checkedScope: 'Checked',
  missingInfo: 'Missing information',
  progress: 'Finished checks',
  nothingChecked: 'No check was finished.',
  rerunnable: 'Failures of this kind often pass; a new run later may fare better.',
  proof:
    'Checked by code: each quote stands word for word in the evidence of this run. That proves the quotation, not the causality.',
  run: 'run',
  asOf: 'as of',
  stopReason: 'collection stopped',
  counts: (rounds, toolCalls, tokens, seconds) =>
    `${rounds} rounds, ${toolCalls} tool calls, ${tokens} tokens, ${seconds} s`,
};

/** Chinese for a query that holds Chinese characters, English for any other. */
export function labelsFor(query: string): ReportLabels {
  return /\p{Script=Han}/u.test(query) ? CHINESE : ENGLISH;
}
