import { cutUtf8, utf8Length } from '../../../../shared/kernel/utf8.ts';
import type { RedactedText } from '../../../../shared/redaction/redactor.ts';
import { searchTerms } from './search-terms.ts';

/** Ends of sentences in Chinese and English, closing quotes and brackets included, and of lines. */
const SENTENCE_END = /[。！？!?]["'”’」』）)\]]{0,4}|\.["')\]]{0,4}(?=\s)|\n/gu;

// Longer than any mark (`<instance:12>`) and than a family emoji.
const LOOK_BACK = 64;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * The run of whole sentences of at most `maxBytes` that shares most with the query, as it stands in
 * the text; rare terms of the text weigh more, the earliest of equals wins. A text that fits is
 * returned whole, a sentence that does not fit is cut. Linear in the text.
 */
export function bestPassage(text: RedactedText, query: string, maxBytes: number): RedactedText {
  const whole = part(text, 0, text.length);
  if (utf8Length(whole) <= maxBytes) return whole;
  const sentences = toSentences(text, maxBytes, new Set(searchTerms(query)));
  const { first, last } = widen(sentences, densestRun(sentences, maxBytes), maxBytes);
  return part(text, sentences[first]?.start ?? 0, sentences[last]?.end ?? 0);
}

/** The beginning of a text up to its last sentence end within `maxBytes`, else as much as fits. */
export function openingOf(text: RedactedText, maxBytes: number): RedactedText {
  if (utf8Length(text) <= maxBytes) return text;
  const fitting = text.slice(0, cutAt(text, 0, maxBytes));
  const end = [...`${fitting}\n`.matchAll(SENTENCE_END)].at(-2);
  const stop = end === undefined ? fitting.length : end.index + end[0].length;
  return part(text, 0, stop);
}

interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
  /** Terms of the query in it. */
  readonly terms: readonly string[];
}

interface Run {
  readonly first: number;
  readonly last: number;
}

function toSentences(text: string, maxBytes: number, wanted: ReadonlySet<string>): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  for (const stop of sentenceStops(text)) {
    while (start < stop) {
      const end = fits(text, start, stop, maxBytes) ? stop : cutAt(text, start, maxBytes);
      const sentence = text.slice(start, end);
      const terms = [...new Set(searchTerms(sentence))].filter((term) => wanted.has(term));
      sentences.push({ start, end, bytes: utf8Length(sentence), terms });
      start = end;
    }
  }
  return sentences;
}

function fits(text: string, start: number, end: number, maxBytes: number): boolean {
  // A code unit takes at least one byte, so a longer stretch need not be counted.
  return end - start <= maxBytes && utf8Length(text.slice(start, end)) <= maxBytes;
}

function* sentenceStops(text: string): Generator<number> {
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) yield index + mark.length;
  yield text.length;
}

/** Where a stretch of at most `maxBytes` from `start` may end: between graphemes, outside a mark. */
function cutAt(text: string, start: number, maxBytes: number): number {
  const ahead = text.slice(start, start + maxBytes + LOOK_BACK);
  const fitting = cutUtf8(ahead, maxBytes).length;
  if (fitting === ahead.length) return start + fitting;
  const from = Math.max(0, fitting - LOOK_BACK);
  const near = ahead.slice(from, fitting + LOOK_BACK);
  const mark = near.slice(0, fitting - from).lastIndexOf('<');
  const insideMark = mark !== -1 && /^<[a-z-]{1,16}:\d{1,9}>/.test(near.slice(mark));
  const close = mark === -1 ? -1 : near.indexOf('>', mark);
  const safe =
    insideMark && from + close >= fitting
      ? mark
      : (graphemes.segment(near).containing(fitting - from)?.index ?? fitting - from);
  // Never stand still: a "grapheme" of endless combining marks is cut at its code points.
  return start + (from + safe > 0 ? from + safe : fitting);
}

function densestRun(sentences: readonly Sentence[], maxBytes: number): Run {
  const inside = new SentenceWindow(sentences);
  let best: Run = { first: 0, last: 0 };
  let bestWeight = 0;
  let first = 0;
  for (const [last, sentence] of sentences.entries()) {
    inside.enter(sentence);
    for (; first <= last; first += 1) {
      const leading = sentences[first];
      if (leading === undefined || !(inside.bytes > maxBytes || inside.isRepeated(leading))) break;
      inside.leave(leading);
    }
    // Weights are sums that rounding may move: only a clear gain is one.
    if (inside.weight > bestWeight + 1e-9) {
      bestWeight = inside.weight;
      best = { first, last };
    }
  }
  return best;
}

/** What neighbouring sentences hold together. */
class SentenceWindow {
  readonly #weights: ReadonlyMap<string, number>;
  readonly #counts = new Map<string, number>();
  bytes = 0;
  /** Sum over the distinct terms inside. */
  weight = 0;

  constructor(sentences: readonly Sentence[]) {
    const counts = new Map<string, number>();
    for (const term of sentences.flatMap(({ terms }) => terms)) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    this.#weights = new Map(
      Array.from(counts, ([term, count]) => [term, Math.log(1 + sentences.length / count)]),
    );
  }

  enter({ bytes, terms }: Sentence): void {
    this.bytes += bytes;
    for (const term of terms) this.#count(term, 1, 1);
  }

  leave({ bytes, terms }: Sentence): void {
    this.bytes -= bytes;
    for (const term of terms) this.#count(term, -1, 0);
  }

  /** True when the others hold all that this sentence inside adds. */
  isRepeated({ terms }: Sentence): boolean {
    return terms.every((term) => (this.#counts.get(term) ?? 0) > 1);
  }

  /** Books one occurrence; the term counts while it occurs at all. */
  #count(term: string, change: 1 | -1, boundary: 0 | 1): void {
    const count = (this.#counts.get(term) ?? 0) + change;
    this.#counts.set(term, count);
    if (count === boundary) this.weight += change * (this.#weights.get(term) ?? 0);
  }
}

/** Fills the room that is left with what follows, then with what precedes. */
function widen(sentences: readonly Sentence[], { first, last }: Run, maxBytes: number): Run {
  let bytes = 0;
  for (let at = first; at <= last; at += 1) bytes += sentences[at]?.bytes ?? 0;
  let [from, to] = [first, last];
  const hasRoom = (at: number) => bytes + (sentences[at]?.bytes ?? Infinity) <= maxBytes;
  while (hasRoom(to + 1)) bytes += sentences[++to]?.bytes ?? 0;
  while (hasRoom(from - 1)) bytes += sentences[--from]?.bytes ?? 0;
  return { first: from, last: to };
}

/** A contiguous part without white space around it. */
function part(text: RedactedText, start: number, end: number): RedactedText {
  return text.slice(start, end).trim() as RedactedText; // part of redacted text is redacted
}
