/** What the offline model says in its own words; everything else it says is quoted. */
export interface Wording {
  readonly note: string;
  readonly nextStep: string;
  readonly noPlaybook: string;
  readonly noSignals: string;
  logsFound(topic: string, matched: number, passage: string | null): string;
  rowsFound(returned: number, passage: string | null): string;
  documentFound(passage: string | null): string;
  nothingFound(scope: string): string;
  source(toolName: string | null): string;
  rowsOf(queryName: string): string;
  window(from: string, to: string): string;
  conclusion(cause: string, facts: readonly string[]): string;
  ambiguous(causes: readonly string[]): string;
  missing(cause: string, signals: readonly string[]): string;
  against(cause: string, wordings: readonly string[]): string;
  signal(place: string, wordings: readonly string[]): string;
  failed(scope: string, code: string): string;
  skipped(queryName: string): string;
  notReached(scope: string): string;
}

const withPassage = (head: string, mark: string, passage: string | null, end: string) =>
  passage === null ? `${head}${end}` : `${head}${mark}${passage}`;

export const CHINESE: Wording = {
  note: '本稿由离线规则模型拼成，没有语言模型参与，不对诊断质量作任何声明，请人工复核。',
  nextStep: '先补齐所列的缺失信息，再作判断。',
  noPlaybook: '没有与问题相符的排查手册（按问题中的词匹配），离线规则模型不作判断。',
  noSignals: '排查手册没有写明可以核对的信号，离线规则模型不作判断。',
  logsFound: (topic, matched, passage) =>
    withPassage(`日志 ${topic} 匹配 ${matched} 条`, '，其中有：', passage, '。'),
  rowsFound: (returned, passage) =>
    withPassage(`数据库返回 ${returned} 行`, '，其中有：', passage, '。'),
  documentFound: (passage) =>
    withPassage('知识库中有相关文档（背景知识，不能证明本次故障）', '：', passage, '。'),
  nothingFound: (scope) => `没有找到记录：${scope}。这只说明该范围内没有，不代表系统正常。`,
  source: (toolName) => SOURCES_ZH[toolName ?? ''] ?? '日志或数据库',
  rowsOf: (queryName) => `查询 ${queryName} 结果`,
  window: (from, to) => `${from} 至 ${to}`,
  conclusion: (cause, facts) => `${cause}。依据：${facts.join('；')}`,
  ambiguous: (causes) => `以下原因的信号都出现了，无法区分：${causes.join('、')}。`,
  missing: (cause, signals) => `“${cause}”还缺：${signals.join('；')}。`,
  against: (cause, wordings) => `“${cause}”与已出现的信号不符：${wordings.join('、')}。`,
  signal: (place, wordings) => `${place}中的 ${wordings.join(' 或 ')}`,
  failed: (scope, code) => `查询失败（${code}）：${scope}`,
  skipped: (queryName) => `没有执行 ${queryName}：参数无法从问题中得知，或目录里没有这个查询。`,
  notReached: (scope) => `收集停止前没有查到：${scope}`,
};

const SOURCES_ZH: Readonly<Record<string, string | undefined>> = {
  query_logs: '日志',
  query_mysql: '数据库',
  lookup_knowledge: '知识库',
};

export const ENGLISH: Wording = {
  note: 'An offline rule-based model put this draft together; no language model took part and no diagnostic quality is claimed. Have it reviewed.',
  nextStep: 'Collect the missing information before judging.',
  noPlaybook: 'No playbook fits the question, so the offline rule-based model does not judge.',
  noSignals:
    'The playbook names no signal that could be checked; the rule-based model does not judge.',
  logsFound: (topic, matched, passage) =>
    withPassage(`Logs of ${topic}: ${matched} matches`, ', among them: ', passage, '.'),
  rowsFound: (returned, passage) =>
    withPassage(`The database returned ${returned} rows`, ', among them: ', passage, '.'),
  documentFound: (passage) =>
    withPassage('The knowledge base has background, no proof of this incident', ': ', passage, '.'),
  nothingFound: (scope) => `Nothing found: ${scope}. This holds for that scope only.`,
  source: (toolName) => SOURCES_EN[toolName ?? ''] ?? 'logs or rows',
  rowsOf: (queryName) => `the rows of ${queryName}`,
  window: (from, to) => `${from} to ${to}`,
  conclusion: (cause, facts) => `${cause}. Because of: ${facts.join('; ')}`,
  ambiguous: (causes) => `Signals of several causes were seen: ${causes.join(', ')}.`,
  missing: (cause, signals) => `"${cause}" lacks: ${signals.join('; ')}.`,
  against: (cause, wordings) => `"${cause}" disagrees with what was seen: ${wordings.join(', ')}.`,
  signal: (place, wordings) => `${wordings.join(' or ')} in ${place}`,
  failed: (scope, code) => `Failed (${code}): ${scope}`,
  skipped: (queryName) => `${queryName} was not run: a parameter is unknown, or it is not listed.`,
  notReached: (scope) => `Not reached before collection stopped: ${scope}`,
};

const SOURCES_EN: Readonly<Record<string, string | undefined>> = {
  query_logs: 'logs',
  query_mysql: 'rows',
  lookup_knowledge: 'knowledge',
};
