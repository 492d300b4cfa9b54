import { refuseSql, type SqlRefusalCode } from './sql-refusal.ts';
import { RESERVED_WORDS } from './sql-reserved-words.ts';
import type { SqlToken } from './sql-tokens.ts';

/** Levels of parentheses and subqueries; deeper ones exhaust a parser's stack, ours or the server's. */
const MAX_NESTING = 64;

/** Reads tokens from left to right; whatever it does not expect, it refuses. */
export class SqlCursor {
  readonly #tokens: readonly SqlToken[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens;
  }

  /** The token `ahead` places further on; the end token stands behind the last one. */
  peek(ahead = 0): SqlToken {
    return this.#tokens[this.#index + ahead] ?? this.#last();
  }

  next(): SqlToken {
    const token = this.peek();
    this.#index += 1;
    return token;
  }

  isWord(...upperWords: readonly string[]): boolean {
    const { kind, upper } = this.peek();
    return kind === 'word' && upperWords.includes(upper);
  }

  isSymbol(...symbols: readonly string[]): boolean {
    const { kind, text } = this.peek();
    return kind === 'symbol' && symbols.includes(text);
  }

  isSymbolAt(ahead: number, symbol: string): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === 'symbol' && text === symbol;
  }

  /** Takes the words in this order or nothing. */
  takeWords(...upperWords: readonly string[]): boolean {
    const matches = upperWords.every((word, ahead) => {
      const { kind, upper } = this.peek(ahead);
      return kind === 'word' && upper === word;
    });
    if (matches) this.#index += upperWords.length;
    return matches;
  }

  /** Takes one of the words, if one comes next. */
  takeAnyWord(...upperWords: readonly string[]): boolean {
    return upperWords.some((word) => this.takeWords(word));
  }

  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#index += 1;
    return true;
  }

  expectWord(upperWord: string): void {
    if (!this.takeWords(upperWord)) this.refuse();
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) this.refuse();
  }

  expectKind(kind: SqlToken['kind']): SqlToken {
    return this.peek().kind === kind ? this.next() : this.refuse();
  }

  /** True where an unquoted word that is not reserved, or a name in backticks, comes next. */
  isName(): boolean {
    const { kind, upper } = this.peek();
    return kind === 'quoted' || (kind === 'word' && !RESERVED_WORDS.has(upper));
  }

  expectName(): SqlToken {
    return this.isName() ? this.next() : this.refuse();
  }

  /** A name behind a dot, where reserved words are names too. */
  expectNameAfterDot(): SqlToken {
    const { kind } = this.peek();
    return kind === 'quoted' || kind === 'word' ? this.next() : this.refuse();
  }

  /** Runs `read` one level of nesting further in. */
  nested<Result>(read: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > MAX_NESTING) refuseSql('NESTING');
    const result = read();
    this.#depth -= 1;
    return result;
  }

  /** Refuses what comes next, under the most telling code. */
  refuse(): never {
    const { kind, text, upper } = this.peek();
    if (kind === 'symbol' && text === ';') refuseSql('MULTIPLE_STATEMENTS');
    refuseSql((kind === 'word' ? CODE_BY_WORD.get(upper) : undefined) ?? 'SYNTAX');
  }

  #last(): SqlToken {
    return this.#tokens.at(-1) ?? refuseSql('EMPTY');
  }
}

const CODE_BY_WORD: ReadonlyMap<string, SqlRefusalCode> = new Map([
  ['INTO', 'INTO'],
  ['FOR', 'LOCK'],
  ['LOCK', 'LOCK'],
  ['REGEXP', 'REGULAR_EXPRESSION'],
  ['RLIKE', 'REGULAR_EXPRESSION'],
  ['RECURSIVE', 'RECURSION'],
]);
