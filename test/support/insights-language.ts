import {
  ExpressionReader,
  type InsightsExpression,
  type InsightsValue,
  regexOf,
} from './insights-expression.ts';
import { type InsightsToken, insightsTokens } from './insights-tokens.ts';

/** One log event as the service holds it. */
export interface LogEvent {
  readonly epochMs: number;
  readonly message: string;
  readonly logGroup?: string;
  readonly logStream?: string;
  readonly pointer?: string;
}

/** A row: names of fields with their values as the service writes them. */
export type Row = readonly { readonly field: string; readonly value: string }[];

/** Runs a query over events: as much of the language as one fixed template uses, and no more. */
export function runInsights(query: string, events: readonly LogEvent[]): Row[] {
  let records = events.map(recordOf);
  let shown: readonly string[] = [];
  for (const [name = '', tokens] of commandsOf(query)) {
    if (name === 'stats') return countRows(records, tokens);
    if (name === 'display') shown = namesIn(tokens);
    records = applied(name, tokens, records);
  }
  return records.map((record) => [
    ...shown.flatMap((field) => fieldOf(record, field)),
    ...fieldOf(record, '@ptr'),
  ]);
}

/** Commands of a query in order, each with the tokens behind its name. */
export function commandsOf(query: string): [string, InsightsToken[]][] {
  const commands: InsightsToken[][] = [[]];
  for (const token of insightsTokens(query)) {
    if (token.kind === 'pipe') commands.push([]);
    else if (token.kind !== 'comment') commands.at(-1)?.push(token);
  }
  return commands.map(([name, ...rest]) => [name?.text ?? '', rest]);
}

type EventRecord = Map<string, InsightsValue>;

function recordOf({
  epochMs,
  message,
  logGroup = 'pay',
  logStream = 's1',
  pointer = 'none',
}: LogEvent) {
  return new Map<string, InsightsValue>([
    ['@timestamp', epochMs],
    ['@message', message],
    ['@log', `123456789012:${logGroup}`],
    ['@logStream', logStream],
    ['@ptr', pointer],
  ]);
}

function applied(
  name: string,
  tokens: readonly InsightsToken[],
  records: EventRecord[],
): EventRecord[] {
  const reader = new ExpressionReader(tokens);
  switch (name) {
    case 'fields':
      return withFields(reader, records);
    case 'parse':
      return parsed(tokens, records);
    case 'filter':
      return filtered(reader.expression(), reader, records);
    case 'sort':
      return sorted(tokens, records);
    case 'limit':
      return records.slice(0, Number(tokens[0]?.text));
    case 'display':
      return records;
    default:
      throw new Error(`no command ${name}`);
  }
}

function withFields(reader: ExpressionReader, records: EventRecord[]): EventRecord[] {
  const made: { name: string; value: InsightsExpression }[] = [];
  do {
    const value = reader.expression();
    reader.expect('as');
    made.push({ name: reader.next().text, value });
  } while (reader.takes(','));
  if (!reader.isAtEnd) throw new Error('more behind the fields');
  for (const record of records) {
    const values = made.map(({ name, value }): [string, InsightsValue] => [name, value(record)]);
    for (const [name, value] of values) record.set(name, value);
  }
  return records;
}

function parsed([field, regex]: readonly InsightsToken[], records: EventRecord[]): EventRecord[] {
  const pattern = regexOf(regex?.text ?? '');
  for (const record of records) {
    const groups = pattern.exec(String(record.get(field?.text ?? '')))?.groups ?? {};
    for (const [name, value] of Object.entries(groups)) record.set(name, value ?? null);
  }
  return records;
}

function filtered(
  condition: InsightsExpression,
  reader: ExpressionReader,
  records: EventRecord[],
): EventRecord[] {
  if (!reader.isAtEnd) throw new Error('more behind the filter');
  return records.filter((record) => condition(record) === true);
}

function sorted(tokens: readonly InsightsToken[], records: EventRecord[]): EventRecord[] {
  const keys = namesIn(tokens).filter((name) => name !== 'desc');
  const difference = (a: EventRecord, b: EventRecord, key: string) =>
    Number(b.get(key) ?? 0) - Number(a.get(key) ?? 0);
  return records.toSorted((a, b) => keys.reduce((order, key) => order || difference(a, b, key), 0));
}

/** `count(*) as <name> by bin(<period>)`. */
function countRows(records: readonly EventRecord[], tokens: readonly InsightsToken[]): Row[] {
  const texts = tokens.map(({ text }) => text);
  const [name = '', period = ''] = [texts[5], texts[9]];
  const isKnown = texts.join(' ') === `count ( * ) as ${name} by bin ( ${period} )`;
  if (!isKnown) throw new Error(`no such stats: ${texts.join(' ')}`);
  const widthMs = Number.parseInt(period, 10) * (UNIT_MS[period.slice(-1)] ?? Number.NaN);
  const bins = Map.groupBy(records, (record) =>
    Math.floor(Number(record.get('@timestamp')) / widthMs),
  );
  return [...bins].map(([bin, members]) => [
    { field: `bin(${period})`, value: stampOf(bin * widthMs) },
    { field: name, value: String(members.length) },
  ]);
}

const UNIT_MS: Readonly<{ [unit: string]: number }> = { s: 1_000, m: 60_000, h: 3_600_000 };

function namesIn(tokens: readonly InsightsToken[]): string[] {
  return tokens.filter(({ kind }) => kind === 'word').map(({ text }) => text);
}

function fieldOf(record: EventRecord, field: string): { field: string; value: string }[] {
  const value = record.get(field) ?? null;
  if (value === null) return [];
  return [{ field, value: field === '@timestamp' ? stampOf(Number(value)) : String(value) }];
}

function stampOf(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('T', ' ').replace('Z', '');
}
