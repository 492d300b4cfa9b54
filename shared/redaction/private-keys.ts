import type { Report } from './finding.ts';
import { looksRandom } from './randomness.ts';

/** Private keys in PEM and PGP armour, on many lines or flattened into one, and their stray lines. */
export function findPrivateKeys(text: string, report: Report): void {
  if (text.includes('PRIVATE KEY')) findArmoured(text, report);
  if (text.length >= SHORTEST_KEY_LINE) findBareLines(text, report);
}

const BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
const END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
/** Armour longer than this is not one key; a PGP key with its signatures stays below. */
const MAX_KEY = 65_536;
// Without an end marker: everything that may be base64, its line ends (escaped ones too) and key headers.
const BODY = /(?:[A-Za-z0-9+/=\s\\-]|(?:Proc-Type|DEK-Info|Version|Comment): ?[\w ,.:()-]{1,80})*/y;

function findArmoured(text: string, report: Report): void {
  const ends = Array.from(text.matchAll(END), (match) => match.index + match[0].length);
  let from = 0;
  for (const begin of text.matchAll(BEGIN)) {
    if (begin.index < from) continue;
    const bodyStart = begin.index + begin[0].length;
    while ((ends[0] ?? Number.POSITIVE_INFINITY) <= bodyStart) ends.shift();
    const end = ends[0] ?? Number.POSITIVE_INFINITY;
    from = end - bodyStart <= MAX_KEY ? end : bodyEnd(text, bodyStart);
    report({ start: begin.index, end: from, kind: 'secret' });
  }
}

function bodyEnd(text: string, start: number): number {
  BODY.lastIndex = start;
  BODY.exec(text);
  return BODY.lastIndex;
}

const SHORTEST_KEY_LINE = 60;
// One log event per line tears a key apart: a line of nothing but 60 to 76 base64 characters is one of it.
const BARE_LINE = /^[ \t>|]{0,16}([A-Za-z0-9+/]{60,76}={0,2})[ \t\r]{0,4}$/gm;

// The same behind the header of a log line, or between quotes.
const BARE_WORD = /(?<![A-Za-z0-9+/=_.%-])[A-Za-z0-9+/]{60,76}={0,2}(?![A-Za-z0-9+/=_.%-])/g;
/** Keys whose values have that length too and are what an engineer asks a vendor with. */
const CORRELATION_KEY = /(?:id-2|e-?tag|request.?id|trace.?id)["']?\s?[:=]\s?["']?$/i;

function findBareLines(text: string, report: Report): void {
  for (const match of text.matchAll(BARE_LINE)) {
    const body = match[1] ?? '';
    const start = match.index + match[0].indexOf(body);
    if (isMixed(body)) report({ start, end: start + body.length, kind: 'secret' });
  }
  for (const { 0: word, index } of text.matchAll(BARE_WORD)) {
    if (!isMixed(word) || !looksRandom(word)) continue;
    if (CORRELATION_KEY.test(text.slice(Math.max(0, index - 24), index))) continue;
    report({ start: index, end: index + word.length, kind: 'secret' });
  }
}

function isMixed(body: string): boolean {
  return /[A-Z]/.test(body) && /[a-z]/.test(body) && /[0-9]/.test(body);
}
