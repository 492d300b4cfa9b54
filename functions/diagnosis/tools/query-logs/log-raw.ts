/** Bytes a raw result may have; the record keeps no more of one call. */
export const MAX_RAW_BYTES = 32 * 1024 * 1024;

/** How many entries matched in each stretch of time, counted by the source; quiet ends are left out. */
export interface RawLogCounts {
  /** Start of the first stretch; milliseconds since the epoch. */
  readonly fromMs: number;
  /** A second at least. */
  readonly widthMs: number;
  readonly counts: readonly number[];
}

/** What a log source says beside the entries. */
export interface RawLogHead {
  /** Entries that matched. */
  readonly matchedCount: number;
  /** Entries that follow: all that matched, or a sample of them. */
  readonly entryCount: number;
  /** Where the entries are a sample: the counts of all. */
  readonly counts: RawLogCounts | null;
  /** The source gave less than the entries that matched: a sample, or entries without their end. */
  readonly rowsCut: boolean;
  /** True where entries without a zone were read in the configured one. */
  readonly zoneAssumed: boolean;
  readonly bytesReplaced: number;
  /** The newest minutes of the window may not have reached the source's index. */
  readonly newestMayBeMissing: boolean;
}

/** What is known of the entries a source gave. */
export type RawLogTraits = Pick<
  RawLogHead,
  'zoneAssumed' | 'bytesReplaced' | 'newestMayBeMissing'
> & { readonly rowsCut?: boolean };

/** All matches, of which the entries are a sample. */
export interface RawLogMatches {
  readonly matchedCount: number;
  readonly counts: RawLogCounts;
}

/** One matched entry: when, and its lines as they stand in the source. */
export interface RawLogEntry {
  readonly epochMs: number | null;
  readonly text: string;
}

/**
 * Collects the entries of one log query and writes the raw result: one JSON document with a line per
 * entry, in time order; entries without a time come first, equal times in the order of the source.
 */
export class RawLogWriter {
  readonly #pieces: { readonly epochMs: number; readonly order: number; readonly bytes: Buffer }[] =
    [];
  #bytes = MAX_HEAD_BYTES;

  /** `order` is the entry's place in its source. False once all are more than `MAX_RAW_BYTES`. */
  add({ epochMs, text }: RawLogEntry, order = this.#pieces.length): boolean {
    // Bytes rather than strings: a string may keep the whole chunk alive that it was cut from.
    const bytes = Buffer.from(JSON.stringify([epochMs, text.toWellFormed()]));
    this.#bytes += bytes.byteLength + SEPARATOR.byteLength;
    if (this.#bytes > MAX_RAW_BYTES) return false;
    this.#pieces.push({ epochMs: epochMs ?? Number.NEGATIVE_INFINITY, order, bytes });
    return true;
  }

  /** Writes the whole; `sampled` tells of the matches where the entries are a sample of them. */
  finish(head: RawLogTraits, sampled: RawLogMatches | null = null): Uint8Array {
    const written = {
      schema_version: 1,
      matched_count: sampled?.matchedCount ?? this.#pieces.length,
      ...(sampled !== null && writtenSample(sampled, this.#pieces.length)),
      ...(head.rowsCut === true && { rows_cut: true }),
      zone_assumed: head.zoneAssumed,
      bytes_replaced: head.bytesReplaced,
      newest_may_be_missing: head.newestMayBeMissing,
    };
    const opening = Buffer.from(`${JSON.stringify(written).slice(0, -1)},"entries":[\n`);
    const sorted = this.#pieces.sort((a, b) => a.epochMs - b.epochMs || a.order - b.order);
    const lines = sorted.flatMap(({ bytes }, at) => (at === 0 ? [bytes] : [SEPARATOR, bytes]));
    const closing = Buffer.from(lines.length === 0 ? CLOSING : `\n${CLOSING}`);
    return Buffer.concat([opening, ...lines, closing]);
  }
}

/** Room for everything but the entries; sixty counts take half of it. */
const MAX_HEAD_BYTES = 2_048;
const SEPARATOR = Buffer.from(',\n');
const NEWLINE = 10;
const CLOSING = ']}';

/** Reads a raw result entry by entry, so that it never stands in memory as objects. */
export class RawLogReader {
  readonly head: RawLogHead;
  readonly #bytes: Buffer;
  readonly #first: number;

  private constructor(bytes: Buffer, head: RawLogHead, first: number) {
    this.#bytes = bytes;
    this.head = head;
    this.#first = first;
  }

  /** Null when the bytes do not begin as a raw result of ours does. */
  static open(raw: Uint8Array): RawLogReader | null {
    const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    const end = bytes.indexOf(NEWLINE);
    if (end < 0 || end > MAX_HEAD_BYTES) return null;
    const head = readHead(bytes.toString('utf8', 0, end));
    return head === null ? null : new RawLogReader(bytes, head, end + 1);
  }

  /** More entries than this cannot stand in so few bytes. */
  get maxEntries(): number {
    return this.#bytes.length;
  }

  /** Calls `visit` with each entry and its place; false when the bytes are not well-formed. */
  forEach(visit: (entry: RawLogEntry, place: number) => void): boolean {
    let count = 0;
    for (let at = this.#first; at < this.#bytes.length; ) {
      const end = this.#lineEnd(at);
      if (this.#bytes[at] === 93) break;
      const entry = this.at(at);
      if (entry === null) return false;
      visit(entry, at);
      count += 1;
      at = end + 1;
    }
    return count === this.head.entryCount && this.#isClosed();
  }

  /** The entry at a place that `forEach` gave. */
  at(place: number): RawLogEntry | null {
    const end = this.#lineEnd(place);
    const comma = this.#bytes[end - 1] === 44 ? 1 : 0;
    return readEntry(this.#bytes.toString('utf8', place, end - comma));
  }

  #lineEnd(at: number): number {
    const end = this.#bytes.indexOf(NEWLINE, at);
    return end < 0 ? this.#bytes.length : end;
  }

  #isClosed(): boolean {
    return this.#bytes.subarray(-CLOSING.length).toString('latin1') === CLOSING;
  }
}

function readHead(line: string): RawLogHead | null {
  const value = parsed(`${line}]}`);
  if (typeof value !== 'object' || value === null) return null;
  const head = new Map<string, unknown>(Object.entries(value));
  const matchedCount = head.get('matched_count');
  const bytesReplaced = head.get('bytes_replaced');
  if (head.get('schema_version') !== 1) return null;
  if (typeof matchedCount !== 'number' || typeof bytesReplaced !== 'number') return null;
  const counts = readCounts(head.get('counts'));
  const entryCount = counts === null ? matchedCount : head.get('entry_count');
  if (typeof entryCount !== 'number') return null;
  return {
    matchedCount,
    entryCount,
    counts,
    bytesReplaced,
    rowsCut: head.get('rows_cut') === true,
    zoneAssumed: head.get('zone_assumed') === true,
    newestMayBeMissing: head.get('newest_may_be_missing') === true,
  };
}

function writtenSample({ counts }: RawLogMatches, entryCount: number): object {
  const { fromMs, widthMs } = counts;
  return {
    entry_count: entryCount,
    counts: { from_ms: fromMs, width_ms: widthMs, counts: counts.counts },
  };
}

function readCounts(value: unknown): RawLogCounts | null {
  if (typeof value !== 'object' || value === null) return null;
  const members = new Map<string, unknown>(Object.entries(value));
  const [fromMs, widthMs] = [members.get('from_ms'), members.get('width_ms')];
  const counts = members.get('counts');
  if (typeof fromMs !== 'number' || typeof widthMs !== 'number' || widthMs < 1_000) return null;
  if (!Array.isArray(counts) || !counts.every((count) => typeof count === 'number')) return null;
  return { fromMs, widthMs, counts };
}

function readEntry(line: string): RawLogEntry | null {
  const value = parsed(line);
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [epochMs, text]: readonly unknown[] = value;
  const isTime = epochMs === null || (typeof epochMs === 'number' && Math.abs(epochMs) <= 8.64e15);
  return isTime && typeof text === 'string' ? { epochMs, text } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Null is no entry and no head, so the caller refuses it.
  }
}
