import { type LogLevel, levelOfNumber, levelOfWord } from './log-level.ts';
import { foldTrace } from './trace-lines.ts';

/** Fields of one structured entry that are looked at; the rest stays in the raw result. */
const MAX_FIELDS = 64;
/** Objects inside objects whose fields are told apart. */
export const MAX_FIELD_DEPTH = 6;
/** JSON inside a string of JSON inside a string: collectors wrap once or twice. */
const MAX_WRAPPINGS = 2;

const TIME_NAMES = [
  '@timestamp',
  'timestamp',
  'ts',
  'time',
  't.$date',
  'datetime',
  'asctime',
  'eventtime',
  't',
  '@t',
  '__realtime_timestamp',
  'date',
];
const LEVEL_NAMES = [
  'level',
  'log.level',
  'lvl',
  'severity',
  'levelname',
  'loglevel',
  'log_level',
  'severitytext',
  '@l',
  's',
  'priority',
];
const MESSAGE_NAMES = [
  'message',
  'msg',
  'log',
  'm',
  '@m',
  'text',
  'body',
  'short_message',
  'event',
];
const TRACE_NAMES = ['stack_trace', 'stacktrace', 'stack', 'exc_info', 'backtrace', 'traceback'];
const TRACE_TEXT = /\n\s*(?:at |File "|Caused by)/;

/** Flattened scalar fields, names as dotted paths in their own spelling. */
export type EntryFields = ReadonlyMap<string, string>;

/** What a structured entry says about itself. */
export interface StructuredEntry {
  readonly level: LogLevel | null;
  readonly timeText: string | null;
  /** The message, then the other fields as `name=value`, then a trace on lines of its own. */
  readonly message: string;
  readonly fields: EntryFields;
}

/** Reads one JSON object on its own; null when the text is not exactly one. */
export function readJsonEntry(text: string): StructuredEntry | null {
  const object = parseObject(text);
  return object === null ? null : fromFields(flatten(object));
}

/** Reads `key=value` pairs when level or time and a message are among them. */
export function readLogfmtEntry(text: string): StructuredEntry | null {
  if (!/^[A-Za-z_@][\w.@-]{0,63}=/.test(text)) return null;
  const fields = new Map<string, string>();
  for (const [, name, value] of text.matchAll(PAIR)) {
    if (fields.size >= MAX_FIELDS) break;
    fields.set(String(name), unquoted(String(value)));
  }
  const isLogfmt =
    find(fields, MESSAGE_NAMES) && (find(fields, LEVEL_NAMES) ?? find(fields, TIME_NAMES));
  return isLogfmt ? fromFields(fields) : null;
}

const PAIR = /(?<=^|\s)([A-Za-z_@][\w.@-]{0,63})=("(?:[^"\\]|\\.)*"|\S*)/g;

function unquoted(value: string): string {
  if (!value.startsWith('"') || !value.endsWith('"') || value.length < 2) return value;
  return value
    .slice(1, -1)
    .replace(/\\(.)/g, (_whole, letter: string) => (letter === 'n' ? '\n' : letter));
}

function parseObject(text: string): object | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return null;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === 'object' ? value : null;
  } catch {
    return null; // A damaged line is read as plain text.
  }
}

function flatten(object: object): Map<string, string> {
  const fields = new Map<string, string>();
  addMembers(fields, object, { path: '', depth: 0 });
  return fields;
}

interface FieldPlace {
  readonly path: string;
  readonly depth: number;
}

function addMembers(
  fields: Map<string, string>,
  object: object,
  { path, depth }: FieldPlace,
): void {
  if (depth >= MAX_FIELD_DEPTH) return;
  for (const [name, member] of Object.entries(object)) {
    if (name === '__proto__') continue; // A name to attack with, not to inform with.
    addField(fields, member, { path: path === '' ? name : `${path}.${name}`, depth });
  }
}

function addField(fields: Map<string, string>, value: unknown, { path, depth }: FieldPlace): void {
  if (fields.size >= MAX_FIELDS || value === null || value === undefined) return;
  if (typeof value !== 'object') fields.set(path, String(value));
  else if (Array.isArray(value)) fields.set(path, JSON.stringify(value));
  else addMembers(fields, value, { path, depth: depth + 1 });
}

function fromFields(fields: Map<string, string>, wrappings = 0): StructuredEntry {
  const time = find(fields, TIME_NAMES);
  const level = find(fields, LEVEL_NAMES);
  const message = find(fields, MESSAGE_NAMES);
  const inner = message === null || wrappings >= MAX_WRAPPINGS ? null : parseObject(message.value);
  if (inner !== null)
    return unwrapped(fields, fromFields(flatten(inner), wrappings + 1), time?.value ?? null);
  const named = new Set([time?.name, level?.name, message?.name]);
  return {
    level: level === null ? null : levelOf(level.value),
    timeText: time?.value ?? null,
    message: written(fields, message?.value ?? '', named),
    fields,
  };
}

function unwrapped(
  outer: EntryFields,
  inner: StructuredEntry,
  time: string | null,
): StructuredEntry {
  return {
    ...inner,
    timeText: inner.timeText ?? time,
    fields: new Map([...outer, ...inner.fields]),
  };
}

/** By whole path first, then by last segment, in the order of the names. */
function find(
  fields: EntryFields,
  names: readonly string[],
): { name: string; value: string } | null {
  const paths = [...fields.keys()];
  for (const exact of [true, false]) {
    for (const name of names) {
      const path = paths.find((candidate) => isNamed(candidate.toLowerCase(), name, exact));
      const value = path === undefined ? undefined : fields.get(path);
      if (path !== undefined && value !== undefined) return { name: path, value };
    }
  }
  return null;
}

function isNamed(path: string, name: string, exact: boolean): boolean {
  return exact ? path === name : path.endsWith(`.${name}`);
}

function levelOf(value: string): LogLevel | null {
  return /^\d{1,2}$/.test(value)
    ? levelOfNumber(Number(value))
    : (levelOfWord(value.trim()) ?? shortLevel(value));
}

function shortLevel(value: string): LogLevel | null {
  const byLetter: Readonly<Record<string, LogLevel>> = {
    D: 'DEBUG',
    I: 'INFO',
    W: 'WARN',
    E: 'ERROR',
    F: 'FATAL',
  };
  return byLetter[value] ?? null;
}

function written(
  fields: EntryFields,
  message: string,
  named: ReadonlySet<string | undefined>,
): string {
  const traces: string[] = [];
  const rest: { name: string; value: string }[] = [];
  for (const [name, value] of fields) {
    if (named.has(name)) continue;
    if (isTrace(name, value)) traces.push(value);
    else rest.push({ name, value });
  }
  const untold = rest.filter(({ value }) => !traces.some((trace) => trace.includes(value)));
  const line = [message.trimEnd(), ...untold.map(pairOf)].filter((part) => part !== '').join(' ');
  return [line, ...traces.map(foldTrace)].join('\n');
}

function pairOf({ name, value }: { name: string; value: string }): string {
  return `${name}=${/\s/.test(value) ? JSON.stringify(value) : value}`;
}

function isTrace(name: string, value: string): boolean {
  const last = name.toLowerCase().split('.').at(-1) ?? '';
  return TRACE_NAMES.includes(last) || TRACE_TEXT.test(value);
}
