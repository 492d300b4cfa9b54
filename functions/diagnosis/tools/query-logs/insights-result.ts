import { foldedEvents, type SampledEvent } from './insights-rows.ts';
import { type RawLogCounts, RawLogWriter } from './log-raw.ts';

/** Bytes of text in a sample; half of what a raw result may have, so that it compresses in bounds. */
const MAX_SAMPLE_BYTES = 16 * 1_024 * 1_024;

/** What is known of a call beside its rows. */
export interface SampleTraits {
  /** Nothing was asked for by words, so lines of one trace are all there and can be put together. */
  readonly isUnfiltered: boolean;
  readonly newestMayBeMissing: boolean;
}

/**
 * The raw result of a call. Where the sample is all that matched, it is written like the entries of a
 * file; else the counts say what matched, and the entries are a sample of it.
 */
export function rawSample(
  sample: readonly SampledEvent[],
  counts: RawLogCounts | null,
  { isUnfiltered, newestMayBeMissing }: SampleTraits,
): Uint8Array {
  const counted = counts?.counts.reduce((sum, count) => sum + count, 0) ?? 0;
  const fitting = withinBytes(sample);
  // Events may reach the index between the two queries; what was given did match.
  const isComplete = fitting.length === sample.length && sample.length >= counted;
  const entries = isComplete && isUnfiltered ? foldedEvents(fitting) : fitting;
  const writer = new RawLogWriter();
  for (const entry of entries) writer.add(entry);
  const traits = {
    zoneAssumed: false,
    bytesReplaced: 0,
    newestMayBeMissing,
    rowsCut: !isComplete || entries.some(({ isCut }) => isCut),
  };
  if (isComplete || counts === null) return writer.finish(traits);
  return writer.finish(traits, { matchedCount: Math.max(counted, sample.length), counts });
}

/** The first events, as many as fit. */
function withinBytes(events: readonly SampledEvent[]): readonly SampledEvent[] {
  let bytes = 0;
  const end = events.findIndex(({ text }) => {
    bytes += Buffer.byteLength(text);
    return bytes > MAX_SAMPLE_BYTES;
  });
  return end < 0 ? events : events.slice(0, end);
}
