import type { Report } from './finding.ts';

/** String literals and long numbers inside SQL; keywords, tables, columns and limits stay. */
export function findSqlLiterals(text: string, report: Report): void {
  if (!SQL_WORD.test(text)) return;
  STATEMENT.lastIndex = 0;
  for (let match = STATEMENT.exec(text); match !== null; match = STATEMENT.exec(text)) {
    STATEMENT.lastIndex = Math.max(STATEMENT.lastIndex, findLiterals(text, match.index, report));
  }
}

const SQL_WORD = /\b(?:select|insert|replace|update|delete|where|set|values|merge|having|call)\b/i;
const STATEMENT =
  /\b(?:select\b(?=[^;]{1,1000}?\bfrom\b)|(?:insert|replace)\s+(?:ignore\s+|delayed\s+|low_priority\s+)?into\s|insert\s+overwrite\s|update\s+(?:ignore\s+|low_priority\s+)?[\w.`"[\]\\]{1,128}(?:\s+(?:as\s+)?\w{1,64})?\s+set\s|delete\s+(?:\w{1,64}\s+)?from\s|where\s+[(\w.`"\\]{1,128}\s*(?:[=<>!]|in\b|like\b|between\b|is\b|not\b|regexp\b)|values\s*\(|set\s+[\w.`]{1,128}\s*=(?=[^;\n]{0,400}\bwhere\b)|merge\s+into\s|having\s+[\w.`(]{1,128}\s*[)=<>]|call\s+[\w.`]{1,128}\s*\()/gi;

/** Longest statement whose literals are looked for, in characters. */
const MAX_STATEMENT = 65_536;

// In this order: comments and limits are passed over, quotations and numbers are literals, some signs end.
const TOKEN =
  /(?<passed>\/\*[^*]{0,2000}\*\/|--[ \t][^\n]{0,2000}|\|\||\binterval\s{1,4}'[^'\n]{1,40}'|\b(?:column|for key|table)\s'[\w.$]{1,128}'|\b(?:limit|offset|interval|top|fetch|max_execution_time)\b[\s(]{0,4}\d{1,19}(?:\s{0,4},\s{0,4}\d{1,19})?)|(?<open>\\{0,15}['"])|(?<number>\b0x[0-9A-Fa-f]{2,}\b|(?<![\w.$-])-?\d{5,}(?:\.\d{1,20})?(?![\w.-]|\s?(?:ms|us|ns|s|secs?|rows?|bytes|millis(?:econds)?)\b))|(?<end>;|###|\r?\n|\]|\|)/gi;

function findLiterals(text: string, start: number, report: Report): number {
  const limit = Math.min(text.length, start + MAX_STATEMENT);
  const enclosing = /\\{0,15}["']$/.exec(text.slice(Math.max(0, start - 16), start))?.[0];
  TOKEN.lastIndex = start;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    if (token.index >= limit || token[0] === enclosing) return TOKEN.lastIndex;
    const next = passToken(text, start, token, report);
    if (next === undefined) return TOKEN.lastIndex;
    TOKEN.lastIndex = next;
  }
  return limit;
}

/** Where to go on behind a token; undefined when the statement ends with it. */
function passToken(
  text: string,
  start: number,
  { index, 0: token, groups }: RegExpExecArray,
  report: Report,
): number | undefined {
  const next = index + token.length;
  const { open, end, number } = groups ?? {};
  if (open !== undefined) return passQuoted(text, index, token, report);
  if (end !== undefined) return endsStatement(text, index, next) ? undefined : next;
  if (number === undefined) return next;
  if (isBehindStatement(text, start, index)) return undefined;
  report({ start: index, end: next, kind: 'literal' });
  return next;
}

// A statement goes on in the next line only with a word or sign that continues one.
const CONTINUES =
  /\s*(?:(?:from|where|and|or|set|values?|join|left|right|inner|outer|cross|straight_join|on|group|order|limit|having|union|select|as|between|in|like|into|using|case|when|then|else|end|not|exists|for|offset|window|with|returning)\b|[(),=`'"?+*-](?!--)|\w[\w.`]{0,64}\s{0,4}(?:=|,|in\b|like\b))/iy;
const OPENS_BRACKET = /\[\s{0,4}(?:select|insert|update|delete|replace|call|with)\b/i;

function endsStatement(text: string, at: number, next: number): boolean {
  const sign = text[at];
  if (sign === ']') return OPENS_BRACKET.test(text.slice(Math.max(0, at - 2048), at));
  if (sign === ';' || sign === '|' || sign === '#') return true;
  CONTINUES.lastIndex = next;
  return !CONTINUES.test(text);
}

function passQuoted(text: string, at: number, open: string, report: Report): number {
  const start = at + open.length;
  const end = closingQuote(text, start, open);
  if (!isQuotedName(text, at, start, end)) report({ start, end, kind: 'literal' });
  return Math.min(text.length, end + open.length);
}

function closingQuote(text: string, start: number, open: string): number {
  const quote = open.at(-1) ?? "'";
  const limit = Math.min(text.length, start + MAX_STATEMENT);
  let at = text.indexOf(quote, start);
  while (at !== -1 && at < limit) {
    const depth = backslashesBefore(text, start, at);
    const isDoubled = open.length === 1 && text[at + 1] === quote && at > start;
    if (depth < open.length && !isDoubled) return at - depth;
    at = text.indexOf(quote, at + (isDoubled ? 2 : 1));
  }
  const lineEnd = text.indexOf('\n', start);
  return lineEnd === -1 ? text.length : lineEnd;
}

function backslashesBefore(text: string, start: number, at: number): number {
  let count = 0;
  while (at - count > start && text[at - count - 1] === '\\') count += 1;
  return count;
}

// Standard SQL quotes names in double quotes: `FROM "t_order"`, `"status" = 'PAID'`.
function isQuotedName(text: string, at: number, start: number, end: number): boolean {
  if (text[start - 1] !== '"' || !/^[A-Za-z_][A-Za-z0-9_$]{0,63}$/.test(text.slice(start, end))) {
    return false;
  }
  const before = text.slice(Math.max(0, at - 12), at);
  if (/(?:\b(?:from|join|into|update|select|by|on|and|or|where|as)\s|\.)$/i.test(before))
    return true;
  return /^\\*"\s{0,4}(?:\.|=|<|>|!|in\b|is\b|like\b|between\b)/i.test(text.slice(end, end + 16));
}

const LEADS_OPERAND =
  /^(?:.*[(,=<>])?(?:and|or|where|set|on|not|having|when|then|else|by|xor|binary|if|update|select|key)$/i;

// `… where id = 5 rows=402133`: a key that no operator, comma or keyword leads belongs to the log line.
function isBehindStatement(text: string, start: number, at: number): boolean {
  const before = text.slice(Math.max(start, at - 160), at);
  const led = /([\w.`\])'"?]{1,128})\s{1,8}[\w.-]{1,64}\s{0,4}[=:]\s{0,4}$/.exec(before);
  return led !== null && !LEADS_OPERAND.test(led[1] ?? '');
}
