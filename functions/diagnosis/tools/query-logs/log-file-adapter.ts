import type { Dirent } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogTopic } from '../../../../shared/contracts/configuration.ts';
import type { SourceKind, Window } from '../../../../shared/contracts/observation.ts';
import type { QueryLogsInput } from '../../../../shared/contracts/tool-inputs.ts';
import { toInstant } from '../../../../shared/kernel/clock.ts';
import type { AdapterResult, CallContext, ToolAdapter } from '../../evidence/tool-adapter.ts';
import { canonicalFilter } from './filter-canonical.ts';
import { matches } from './filter-match.ts';
import { type LogFilter, parseFilter } from './log-filter.ts';
import { RawLogWriter } from './log-raw.ts';
import { type LogEntry, LogReader } from './log-reader.ts';
import { ZoneClock } from './zone-clock.ts';

/** Bytes read at a time; between two reads an abort is seen. */
const CHUNK_BYTES = 256 * 1024;

/** More entries than any file has: places of one file come before those of the next. */
const ENTRIES_PER_FILE = 1e12;
/** Files that the record names; the newest, where a topic has more. */
const MAX_SOURCES = 64;

/** Where the files of the topics lie, and how they are to be read. */
export interface LogFilesOptions {
  /** Holds `<topic>.log`, older parts as `<topic>.log.1` and so on, and `<topic>.jsonl`. */
  readonly folder: string;
  readonly topics: readonly LogTopic[];
  /** IANA zone of entries that name none. */
  readonly timeZone: string;
  /** `MOCK` for shipped sample data. */
  readonly sourceKind: Extract<SourceKind, 'FILE' | 'MOCK'>;
}

/** Answers log queries from files: every entry of the window is read and the filter is evaluated. */
export class LogFileAdapter implements ToolAdapter<QueryLogsInput> {
  readonly #options: LogFilesOptions;
  readonly #zone: ZoneClock;

  /** @throws RangeError for a time zone that does not exist */
  constructor(options: LogFilesOptions) {
    this.#options = options;
    this.#zone = new ZoneClock(options.timeZone);
  }

  /** @throws the signal's reason once it is aborted; an error for a filter that cannot be read */
  async call(input: QueryLogsInput, context: CallContext): Promise<AdapterResult> {
    if (!this.#options.topics.some(({ name }) => name === input.topic)) {
      return { kind: 'failed', code: 'TOPIC_UNKNOWN', executed: null };
    }
    const filter = readable(input.query);
    const window = windowOf(input, context.asOf);
    const files = await filesOf(input.topic, this.#options.folder);
    const executed = {
      statement: canonicalFilter(filter),
      window,
      sources: files.slice(-MAX_SOURCES),
    };
    if (files.length === 0) return { kind: 'failed', code: 'SOURCE_UNAVAILABLE', executed };
    const scan = new Scan({ filter, window, zone: this.#zone, context });
    for (const file of files) {
      if (!(await scan.read(join(this.#options.folder, file)))) {
        return { kind: 'failed', code: 'SOURCE_UNAVAILABLE', executed };
      }
    }
    const raw = scan.raw();
    if (raw === null) return { kind: 'failed', code: 'RAW_TOO_LARGE', executed };
    return { kind: 'result', raw, sourceKind: this.#options.sourceKind, window, executed };
  }
}

interface ScanOrder {
  readonly filter: LogFilter;
  readonly window: Window;
  readonly zone: ZoneClock;
  readonly context: CallContext;
}

/** One pass over the files of a topic; only what matches stays in memory. */
class Scan {
  readonly #writer = new RawLogWriter();
  readonly #order: ScanOrder;
  readonly #from: number;
  readonly #to: number;
  #zoneAssumed = false;
  #bytesReplaced = 0;
  #isTooLarge = false;
  #files = 0;

  constructor(order: ScanOrder) {
    this.#order = order;
    this.#from = Date.parse(order.window.from);
    this.#to = Date.parse(order.window.to);
  }

  /** False when the file cannot be read. */
  async read(path: string): Promise<boolean> {
    const { zone, context } = this.#order;
    const reader = new LogReader({ zone, asOf: context.asOf });
    try {
      await using file = await open(path);
      for await (const bytes of chunksOf(file, context.signal)) {
        this.#take(reader.push(bytes));
        if (this.#isTooLarge) return true;
      }
    } catch (error) {
      context.signal.throwIfAborted();
      if (isSystemError(error)) return false;
      throw error;
    }
    this.#take(reader.finish());
    this.#bytesReplaced += reader.bytesReplaced;
    this.#files += 1;
    return true;
  }

  /** Null when the entries are more than a raw result may hold. */
  raw(): Uint8Array | null {
    if (this.#isTooLarge) return null;
    return this.#writer.finish({
      zoneAssumed: this.#zoneAssumed,
      bytesReplaced: this.#bytesReplaced,
      newestMayBeMissing: false,
    });
  }

  #take(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.#zoneAssumed ||= entry.zoneAssumed;
      if (this.#isInWindow(entry) && matches(this.#order.filter, entry)) {
        this.#isTooLarge ||= !this.#writer.add(entry, this.#files * ENTRIES_PER_FILE + entry.order);
      }
    }
  }

  /** An entry that no time can be given may belong to the window, so it is not left out. */
  #isInWindow({ epochMs }: LogEntry): boolean {
    return epochMs === null || (epochMs >= this.#from && epochMs <= this.#to);
  }
}

function windowOf({ lookback_minutes }: QueryLogsInput, asOf: number): Window {
  return { from: toInstant(asOf - lookback_minutes * 60_000), to: toInstant(asOf) };
}

function readable(query: string): LogFilter {
  const parsed = parseFilter(query);
  if (parsed.kind === 'parsed') return parsed.filter;
  throw new Error(`filter refused: ${parsed.fault.reason}`);
}

/** Files of a topic, oldest first. */
async function filesOf(topic: string, folder: string): Promise<string[]> {
  const names = (await listed(folder)).filter((entry) => entry.isFile()).map(({ name }) => name);
  return names
    .filter((name) => name.startsWith(`${topic}.`) && PART.test(name.slice(topic.length)))
    .sort((a, b) => ageOf(b) - ageOf(a) || (a < b ? 1 : -1));
}

const PART = /^\.(?:log(?:\.\d{1,4})?|jsonl)$/;

function ageOf(name: string): number {
  return Number(/\.(\d{1,4})$/.exec(name)?.[1] ?? 0);
}

async function listed(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

async function* chunksOf(file: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
