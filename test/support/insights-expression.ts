import type { InsightsToken } from './insights-tokens.ts';

/** Null where the event has no such field; what is made of it is null too. */
export type InsightsValue = string | number | boolean | null;
export type InsightsFields = ReadonlyMap<string, InsightsValue>;
export type InsightsExpression = (fields: InsightsFields) => InsightsValue;

/** Reads expressions off a list of tokens, one after the other. */
export class ExpressionReader {
  readonly #tokens: readonly InsightsToken[];
  #at = 0;

  constructor(tokens: readonly InsightsToken[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** Takes the next token where it reads so. */
  takes(text: string): boolean {
    const token = this.#tokens[this.#at];
    const isIt = token !== undefined && token.kind !== 'string' && token.text === text;
    if (isIt) this.#at += 1;
    return isIt;
  }

  next(): InsightsToken {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Error('the query ends too early');
    this.#at += 1;
    return token;
  }

  expect(text: string): void {
    if (!this.takes(text)) throw new Error(`${text} expected, ${this.next().text} found`);
  }

  expression(): InsightsExpression {
    let left = this.#conjunction();
    while (this.takes('or')) left = either(left, this.#conjunction());
    return left;
  }

  #conjunction(): InsightsExpression {
    let left = this.#negation();
    while (this.takes('and')) left = both(left, this.#negation());
    return left;
  }

  #negation(): InsightsExpression {
    if (!this.takes('not')) return this.#comparison();
    const operand = this.#negation();
    return (fields) => negated(operand(fields));
  }

  #comparison(): InsightsExpression {
    const left = this.#operand();
    if (this.takes('like')) return like(left, this.next());
    if (this.takes('in')) return oneOf(left, this.#list());
    if (!this.takes('>=')) return left;
    const right = this.#operand();
    return (fields) => Number(left(fields)) >= Number(right(fields));
  }

  #list(): string[] {
    const items: string[] = [];
    this.expect('[');
    do items.push(this.next().text);
    while (this.takes(','));
    this.expect(']');
    return items;
  }

  #operand(): InsightsExpression {
    if (this.takes('(')) {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    const { kind, text } = this.next();
    if (kind === 'string') return () => text;
    if (kind === 'number') return () => Number(text);
    return this.takes('(') ? this.#call(text) : (fields) => fields.get(text) ?? null;
  }

  #call(name: string): InsightsExpression {
    const given: InsightsExpression[] = [];
    do given.push(this.expression());
    while (this.takes(','));
    this.expect(')');
    const apply = FUNCTIONS[name];
    if (apply === undefined) throw new Error(`no function ${name}`);
    return (fields) => apply(given.map((argument) => argument(fields)));
  }
}

type Arguments = readonly InsightsValue[];

const FUNCTIONS: Readonly<Record<string, (given: Arguments) => InsightsValue>> = {
  tolower: onTexts(([text = '']) => text.toLowerCase()),
  toupper: onTexts(([text = '']) => text.toUpperCase()),
  strlen: onTexts(([text = '']) => [...text].length),
  concat: onTexts((texts) => texts.join('')),
  replace: onTexts(([text = '', from = '', to = '']) => text.replaceAll(from, () => to)),
  strcontains: onTexts(([text = '', part = '']) => (text.includes(part) ? 1 : 0)),
  greatest: (given) => Math.max(...given.map(Number)),
  coalesce: (given) => given.find((value) => value !== null) ?? null,
  ispresent: ([value]) => value !== null && value !== undefined,
};

function onTexts(apply: (texts: readonly string[]) => InsightsValue) {
  return (given: Arguments): InsightsValue =>
    given.includes(null) ? null : apply(given.map(String));
}

function either(left: InsightsExpression, right: InsightsExpression): InsightsExpression {
  return (fields) => {
    const values = [left(fields), right(fields)];
    if (values.includes(true)) return true;
    return values.includes(null) ? null : false;
  };
}

function both(left: InsightsExpression, right: InsightsExpression): InsightsExpression {
  return (fields) => {
    const values = [left(fields), right(fields)];
    if (values.includes(false)) return false;
    return values.includes(null) ? null : true;
  };
}

function negated(value: InsightsValue): InsightsValue {
  return value === null ? null : value !== true;
}

function like(left: InsightsExpression, pattern: InsightsToken): InsightsExpression {
  const regex = pattern.kind === 'regex' ? regexOf(pattern.text) : null;
  return (fields) => {
    const value = left(fields);
    if (value === null) return null;
    return regex === null ? String(value).includes(pattern.text) : regex.test(String(value));
  };
}

function oneOf(left: InsightsExpression, items: readonly string[]): InsightsExpression {
  return (fields) => {
    const value = left(fields);
    return value === null ? null : items.includes(String(value));
  };
}

/** An expression as the service writes it: a flag for any letter case stands in front. */
export function regexOf(text: string): RegExp {
  return text.startsWith('(?i)') ? new RegExp(text.slice(4), 'i') : new RegExp(text);
}
