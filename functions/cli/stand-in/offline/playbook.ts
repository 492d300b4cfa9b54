import { utf8Length } from '../../../../shared/kernel/utf8.ts';
import {
  bulletItems,
  numberedItems,
  type Part,
  partsOf,
  plainText,
  sectionOf,
} from './markdown-list.ts';

/** One step of a playbook's evidence order. */
export interface PlaybookStep {
  readonly toolName: string;
  /** The item as prose. */
  readonly text: string;
  /** The first backticked text behind the tool's name: a filter, a query's name, a search text. */
  readonly argument: string | null;
}

/** A passage of evidence that a cause is told by; any of the alternatives will do. */
export interface Signal {
  readonly alternatives: readonly string[];
  /** The tool whose evidence must hold it; null for logs or rows. */
  readonly toolName: string | null;
  /** For rows: the query that must have returned it. */
  readonly queryName: string | null;
}

export interface Cause {
  readonly name: string;
  readonly signals: readonly Signal[];
  /** Signals that speak against the cause. */
  readonly counterSignals: readonly Signal[];
}

interface Advice {
  /** The cause it is for, null for any. */
  readonly cause: string | null;
  readonly text: string;
}

export interface Playbook {
  readonly name: string;
  readonly steps: readonly PlaybookStep[];
  readonly causes: readonly Cause[];
  readonly advice: readonly Advice[];
}

/** Reads the three sections of a playbook that the offline model works with. */
export function readPlaybook(
  name: string,
  instructions: string,
  toolNames: Iterable<string>,
  queryNames: Iterable<string>,
): Playbook {
  const tools = new Set(toolNames);
  const steps = numberedItems(sectionOf(instructions, '证据顺序')).flatMap((item) =>
    stepOf(item, tools),
  );
  const asked = steps.filter(({ toolName }) => toolName === 'query_mysql');
  const queries = new Set([...queryNames, ...asked.flatMap(({ argument }) => argument ?? [])]);
  return {
    name,
    steps,
    causes: bulletItems(sectionOf(instructions, '区分相似原因')).flatMap((item) =>
      causeOf(item, tools, queries),
    ),
    advice: bulletItems(sectionOf(instructions, '处置建议')).map(adviceOf),
  };
}

function stepOf(item: string, tools: ReadonlySet<string>): PlaybookStep[] {
  const spans = partsOf(item).filter(({ isCode }) => isCode);
  const at = spans.findIndex(({ text }) => tools.has(text));
  const tool = spans[at];
  if (tool === undefined) return [];
  const argument = spans.slice(at + 1).find(({ text }) => !tools.has(text))?.text ?? null;
  return [{ toolName: tool.text, text: plainText(item), argument }];
}

const NAMED_ITEM = /^\*\*([^*]{1,200})\*\*\s{0,4}[：:]?/u;

function adviceOf(item: string): Advice {
  const [head, cause] = NAMED_ITEM.exec(item) ?? ['', null];
  return { cause: cause ?? null, text: plainText(item.slice(head.length)) };
}

function causeOf(item: string, tools: ReadonlySet<string>, queries: ReadonlySet<string>): Cause[] {
  const [head, name] = NAMED_ITEM.exec(item) ?? [];
  if (head === undefined || name === undefined) return [];
  const reader = new SignalReader(tools, queries);
  for (const part of partsOf(item.slice(head.length))) reader.read(part);
  return [{ name, signals: reader.signals, counterSignals: reader.counterSignals }];
}

const CLAUSE_END = /[，,；;。]/u;
const SENTENCE_END = /。/u;
const NEGATION = /没有|没见|不出现|未出现|不含|不是|而非|无|without|\bno\b|\bnot\b/iu;
const EITHER = /^\s{0,4}(?:、?或者?|or|\/)\s{0,4}$/iu;
const SOURCE_WORD = /日志|\blogs?\b|知识库|文档|MySQL|数据库里|数据库中|查询|\brows?\b/giu;
/** Shorter passages occur everywhere. */
const MIN_SIGNAL_BYTES = 4;

/** Goes through a bullet from left to right, as a reader does, and keeps in mind what is talked of. */
class SignalReader {
  readonly signals: Signal[] = [];
  readonly counterSignals: Signal[] = [];
  readonly #tools: ReadonlySet<string>;
  readonly #queries: ReadonlySet<string>;
  #toolName: string | null = null;
  #queryName: string | null = null;
  #isNegated = false;
  #isAlternative = false;

  constructor(tools: ReadonlySet<string>, queries: ReadonlySet<string>) {
    this.#tools = tools;
    this.#queries = queries;
  }

  read({ text, isCode }: Part): void {
    if (!isCode) this.#readProse(text);
    else if (this.#tools.has(text)) this.#talkOf(text, null);
    else if (this.#queries.has(text)) this.#talkOf('query_mysql', text);
    else if (utf8Length(text) >= MIN_SIGNAL_BYTES) this.#keep(text);
  }

  #readProse(text: string): void {
    this.#isAlternative = EITHER.test(text);
    const clauses = text.split(CLAUSE_END);
    const isNegatedHere = NEGATION.test(clauses.at(-1) ?? '');
    this.#isNegated = isNegatedHere || (clauses.length === 1 && this.#isNegated);
    if (SENTENCE_END.test(text)) this.#talkOf(null, null);
    const word = [...(text.split(SENTENCE_END).at(-1) ?? '').matchAll(SOURCE_WORD)].at(-1)?.[0];
    if (word !== undefined && this.#toolName !== toolMeantBy(word)) {
      this.#talkOf(toolMeantBy(word), null);
    }
  }

  #talkOf(toolName: string | null, queryName: string | null): void {
    this.#toolName = toolName;
    this.#queryName = queryName;
  }

  #keep(text: string): void {
    const list = this.#isNegated ? this.counterSignals : this.signals;
    const last = this.#isAlternative ? list.pop() : undefined;
    list.push({
      alternatives: [...(last?.alternatives ?? []), text],
      toolName: last === undefined ? this.#toolName : last.toolName,
      queryName: last === undefined ? this.#queryName : last.queryName,
    });
    this.#isAlternative = false;
  }
}

function toolMeantBy(word: string): string {
  if (/日志|log/iu.test(word)) return 'query_logs';
  return /知识库|文档/u.test(word) ? 'lookup_knowledge' : 'query_mysql';
}
