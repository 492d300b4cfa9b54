import { type LogLevel, levelOfWord } from './log-level.ts';

/**
 * A filter as a tree. Any back end may walk it: texts are literals to be found as they stand, in any
 * letter case, never patterns or commands.
 */
export type LogFilter =
  | { readonly kind: 'all' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'level'; readonly level: LogLevel }
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | { readonly kind: 'not'; readonly operand: LogFilter }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly LogFilter[] };

/** Where a filter cannot be read: the offset of the first character that is wrong, from 0. */
export interface FilterFault {
  readonly position: number;
  readonly reason: FilterFaultReason;
}

export type FilterFaultReason =
  | 'CONTROL_CHARACTER'
  | 'UNCLOSED_QUOTE'
  | 'UNCLOSED_PARENTHESIS'
  | 'UNEXPECTED_PARENTHESIS'
  | 'OPERAND_MISSING'
  | 'EMPTY_TEXT'
  | 'UNKNOWN_LEVEL'
  | 'UNKNOWN_OPERATOR'
  | 'WILDCARD'
  | 'TOO_DEEP'
  | 'TOO_MANY_FIELDS';

export type ParsedFilter =
  | { readonly kind: 'parsed'; readonly filter: LogFilter }
  | { readonly kind: 'refused'; readonly fault: FilterFault };

/** Parentheses and NOTs inside one another; more than a person would write. */
const MAX_DEPTH = 16;
/** Fields and levels are compared in many spellings; more could not be asked of a service in one query. */
const MAX_FIELDS = 8;
const CONTROL = /\p{Cc}/u;
const BLANK = /\s/u;
const FIELD = /^([A-Za-z_@][\w.@-]{0,63})=/;
const FOREIGN_OPERATOR = /^[A-Za-z_@][\w.@-]{0,63}(?:!=|=~|!~|>=|<=|==)/;

/**
 * Reads the filter language: terms and "quoted phrases" side by side must all occur, in any letter
 * case; `AND`, `OR`, `NOT` in capitals and parentheses combine (`NOT` binds tighter than `AND`, `AND`
 * than `OR`); `level=ERROR` and `field=value` compare; an empty filter matches everything. In quotes
 * a backslash makes the next character plain.
 */
export function parseFilter(text: string): ParsedFilter {
  const control = CONTROL.exec(text);
  if (control !== null) return refused({ position: control.index, reason: 'CONTROL_CHARACTER' });
  const tokens = tokenize(text);
  if (!Array.isArray(tokens)) return refused(tokens);
  if (tokens.length === 0) return { kind: 'parsed', filter: { kind: 'all' } };
  const surplus = tokens.filter(isField)[MAX_FIELDS];
  if (surplus !== undefined) {
    return refused({ position: surplus.position, reason: 'TOO_MANY_FIELDS' });
  }
  return new Parser(tokens, text.length).parse();
}

type Token =
  | { readonly kind: 'open' | 'close' | 'and' | 'or' | 'not'; readonly position: number }
  | { readonly kind: 'filter'; readonly position: number; readonly filter: LogFilter };

function isField(token: Token): boolean {
  return token.kind === 'filter' && ['field', 'level'].includes(token.filter.kind);
}

function refused(fault: FilterFault): ParsedFilter {
  return { kind: 'refused', fault };
}

function isFault(value: object): value is FilterFault {
  return 'reason' in value;
}

function tokenize(text: string): Token[] | FilterFault {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (BLANK.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const read = readToken(text, at);
    if (isFault(read)) return read;
    tokens.push(read.token);
    at = read.end;
  }
  return tokens;
}

type ReadToken = { readonly token: Token; readonly end: number } | FilterFault;

function readToken(text: string, at: number): ReadToken {
  const first = text.charAt(at);
  if (first === '(') return { token: { kind: 'open', position: at }, end: at + 1 };
  if (first === ')') return { token: { kind: 'close', position: at }, end: at + 1 };
  if (first === '"') return quotedToken(text, at);
  const field = FIELD.exec(text.slice(at, at + 66))?.[1];
  return field === undefined || FOREIGN_OPERATOR.test(text.slice(at, at + 68))
    ? termToken(text, at)
    : fieldToken(text, at, field);
}

function quotedToken(text: string, at: number): ReadToken {
  const quoted = readQuoted(text, at);
  if (isFault(quoted)) return quoted;
  return {
    token: { kind: 'filter', position: at, filter: { kind: 'text', text: quoted.text } },
    end: quoted.end,
  };
}

function readQuoted(text: string, at: number): { text: string; end: number } | FilterFault {
  let value = '';
  for (let end = at + 1; end < text.length; end += 1) {
    const character = text.charAt(end);
    if (character === '"') {
      return value.trim() === ''
        ? { position: at, reason: 'EMPTY_TEXT' }
        : { text: value, end: end + 1 };
    }
    if (character === '\\') end += 1;
    value += text.charAt(end);
  }
  return { position: at, reason: 'UNCLOSED_QUOTE' };
}

function termToken(text: string, at: number): ReadToken {
  const end = termEnd(text, at);
  const term = text.slice(at, end);
  const keyword = { AND: 'and', OR: 'or', NOT: 'not' } as const;
  if (term === 'AND' || term === 'OR' || term === 'NOT') {
    return { token: { kind: keyword[term], position: at }, end };
  }
  if (FOREIGN_OPERATOR.test(term)) return { position: at, reason: 'UNKNOWN_OPERATOR' };
  if (term.startsWith('*') || term.endsWith('*')) return { position: at, reason: 'WILDCARD' };
  return { token: { kind: 'filter', position: at, filter: { kind: 'text', text: term } }, end };
}

function fieldToken(text: string, at: number, name: string): ReadToken {
  const start = at + name.length + 1;
  const isQuoted = text.charAt(start) === '"';
  const value = isQuoted ? readQuoted(text, start) : bareValue(text, start);
  if (isFault(value)) return value;
  if (name.toLowerCase() !== 'level') {
    const filter: LogFilter = { kind: 'field', name, value: value.text };
    return { token: { kind: 'filter', position: at, filter }, end: value.end };
  }
  const level = levelOfWord(value.text);
  if (level === null) return { position: start, reason: 'UNKNOWN_LEVEL' };
  return {
    token: { kind: 'filter', position: at, filter: { kind: 'level', level } },
    end: value.end,
  };
}

function bareValue(text: string, start: number): { text: string; end: number } | FilterFault {
  const end = termEnd(text, start);
  const value = text.slice(start, end);
  if (value === '') return { position: start, reason: 'EMPTY_TEXT' };
  if (value.startsWith('*') || value.endsWith('*')) return { position: start, reason: 'WILDCARD' };
  return { text: value, end };
}

function termEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !/[\s()"]/u.test(text.charAt(end))) end += 1;
  return end;
}

/** Recursive descent over the tokens; the first fault ends it. */
class Parser {
  readonly #tokens: readonly Token[];
  readonly #end: number;
  #at = 0;

  constructor(tokens: readonly Token[], end: number) {
    this.#tokens = tokens;
    this.#end = end;
  }

  parse(): ParsedFilter {
    const filter = this.#alternatives(0);
    if (isFault(filter)) return refused(filter);
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) {
      return refused({ position: rest.position, reason: 'UNEXPECTED_PARENTHESIS' });
    }
    return { kind: 'parsed', filter };
  }

  #alternatives(depth: number): LogFilter | FilterFault {
    return this.#chain('or', () => this.#conjunction(depth));
  }

  #conjunction(depth: number): LogFilter | FilterFault {
    return this.#chain('and', () => this.#unary(depth));
  }

  #chain(kind: 'and' | 'or', next: () => LogFilter | FilterFault): LogFilter | FilterFault {
    const operands: LogFilter[] = [];
    do {
      const operand = next();
      if (isFault(operand)) return operand;
      operands.push(operand);
    } while (this.#takeJoin(kind));
    const [only] = operands;
    return operands.length === 1 && only !== undefined ? only : { kind, operands };
  }

  /** True when another operand follows; terms side by side are joined by AND. */
  #takeJoin(kind: 'and' | 'or'): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind === kind) {
      this.#at += 1;
      return true;
    }
    return kind === 'and' && token !== undefined && ['open', 'not', 'filter'].includes(token.kind);
  }

  #unary(depth: number): LogFilter | FilterFault {
    const token = this.#tokens[this.#at];
    if (token === undefined) return { position: this.#end, reason: 'OPERAND_MISSING' };
    if (depth >= MAX_DEPTH) return { position: token.position, reason: 'TOO_DEEP' };
    this.#at += 1;
    if (token.kind === 'filter') return token.filter;
    if (token.kind === 'open') return this.#group(token.position, depth);
    if (token.kind !== 'not') return { position: token.position, reason: 'OPERAND_MISSING' };
    const operand = this.#unary(depth + 1);
    return isFault(operand) ? operand : { kind: 'not', operand };
  }

  #group(position: number, depth: number): LogFilter | FilterFault {
    const inner = this.#alternatives(depth + 1);
    if (isFault(inner)) return inner;
    if (this.#tokens[this.#at]?.kind !== 'close') {
      return { position, reason: 'UNCLOSED_PARENTHESIS' };
    }
    this.#at += 1;
    return inner;
  }
}
