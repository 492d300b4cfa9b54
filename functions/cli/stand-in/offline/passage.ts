import { cutUtf8, utf8Length } from '../../../../shared/kernel/utf8.ts';
import { folded } from './shown-evidence.ts';

/** Bytes a quote must have, white space not counted, and the most that one of ours takes. */
const MIN_PASSAGE_BYTES = 12;
const MAX_PASSAGE_BYTES = 300;
/** UTF-16 units that are shown before the wording a passage is picked for. */
const LEAD = 80;

/** Anything that a reader could follow as a link: a draft may pass none on that a log line holds. */
const LINK_MARKS = [
  /:[\\/]|@|www\.|\\\\|\]\(|(?:href|src)\s{0,2}=|[[({](?:[.:@]|dot|at|点)[\])}]/iu,
  /\b(?:https?|hxxps?|ftp|mailto|javascript|vbscript|magnet|data|tel|sms):/iu,
  /[\p{L}\p{N}]\.[\p{L}\p{N}-]{1,63}(?::\d{1,5})?[\\/?#]/iu,
];

/**
 * A part of a line, word for word, around the wording if it is given: short enough to be quoted, long
 * enough to prove something, without links. Null if there is none.
 */
export function passageOf(line: string, wording: string | null): string | null {
  const usable = linkFreeParts(line).filter(isLongEnough);
  const part =
    wording === null ? usable[0] : usable.find((text) => folded(text).includes(folded(wording)));
  if (part === undefined) return null;
  const passage = shortened(part.slice(startFor(part, wording)))
    .replace(/\s+/gu, ' ')
    .trim();
  return isLongEnough(passage) && occurs(passage, line) ? passage : null;
}

/** Cut behind a whole word where one ends near by. */
function shortened(text: string): string {
  const cut = cutUtf8(text, MAX_PASSAGE_BYTES);
  const blank = cut.lastIndexOf(' ');
  return cut === text || blank < cut.length - LEAD ? cut : cut.slice(0, blank);
}

/** The text without the words that could be followed as links. */
export function withoutLinks(text: string): string {
  return linkFreeParts(text).join('…').trim();
}

function linkFreeParts(text: string): readonly string[] {
  const parts = [''];
  for (const word of text.split(/(?<=\s)/u)) {
    if (mayLead(word)) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${word}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Judged as it looks: full-width signs and invisible characters hide nothing. */
function mayLead(word: string): boolean {
  const seen = word.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}+/gu, '');
  return LINK_MARKS.some((mark) => mark.test(seen));
}

function isLongEnough(text: string): boolean {
  return utf8Length(text.normalize('NFC').replace(/\s+/gu, '')) >= MIN_PASSAGE_BYTES;
}

/** The line's beginning names time and service; it is given up only where the wording lies far behind. */
function startFor(part: string, wording: string | null): number {
  if (wording === null || utf8Length(part) <= MAX_PASSAGE_BYTES) return 0;
  const at = part.toLowerCase().indexOf(wording.toLowerCase());
  if (at < 0) return 0; // It is there with other white space; the beginning has to do.
  if (utf8Length(part.slice(0, at + wording.length)) <= MAX_PASSAGE_BYTES) return 0;
  const blank = part.indexOf(' ', Math.max(0, at - LEAD));
  return blank >= 0 && blank < at ? blank + 1 : at;
}

/** A cut between a letter and its combining mark would make another letter. */
function occurs(passage: string, line: string): boolean {
  const comparable = (text: string) => text.normalize('NFC').replace(/\s+/gu, '');
  return comparable(line).includes(comparable(passage));
}
