const MAX_TERM_LENGTH = 64;

/** Runs of Chinese, Japanese or Korean script, or of anything else a word or identifier is made of. */
const RUN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]][[\p{L}\p{N}\p{M}_.\-]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]]*/gv;
const CJK = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/v;

/** Chinese words of asking and joining; they end a run, so that no pair of characters spans them. */
const CJK_STOP =
  /为什么|什么|怎么|怎样|如何|为何|哪些|哪个|哪里|是否|有没有|请问|可以|我们|的|了|吗|呢|吧/u;

const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can do does did for from had has have how i if in into is it its me my no ' +
    'not of on or our should so than that the their then there these they this to was we were what when where ' +
    'which while who why will with would you your'
  ).split(' '),
);

const words = new Intl.Segmenter('zh', { granularity: 'word' });

/** One spelling for what a reader takes for the same: width, letter case and white space folded. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/**
 * The terms a text is found by, repeats kept. Chinese gives the words of the platform's dictionary
 * and, as that does not know the words of operations, every pair of neighbouring characters; an
 * identifier gives itself and its parts; English words lose a plural ending. Linear in the text.
 */
export function searchTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [run] of text.normalize('NFKC').matchAll(RUN)) {
    if (CJK.test(run)) addPairs(run, terms);
    else addWord(run, terms);
  }
  return terms;
}

function addPairs(run: string, terms: string[]): void {
  for (const piece of run.split(CJK_STOP)) {
    const characters = [...piece];
    for (let at = 1; at < characters.length; at += 1) {
      terms.push(`${characters[at - 1]}${characters[at]}`);
    }
    // A word of two characters is a pair already.
    for (const { segment } of words.segment(piece)) {
      if ([...segment].length !== 2) terms.push(segment);
    }
  }
}

function addWord(run: string, terms: string[]): void {
  const word = run.replace(/[_.-]{1,64}$/u, '');
  const pieces = word.split(/[_.-]+/u);
  if (pieces.length > 1 && word.length <= MAX_TERM_LENGTH) terms.push(word.toLowerCase());
  for (const piece of pieces) {
    const parts = camelParts(piece);
    if (parts.length > 1) addTerm(piece, terms);
    for (const part of parts) addTerm(part, terms);
  }
}

function addTerm(word: string, terms: string[]): void {
  const term = stem(word.slice(0, MAX_TERM_LENGTH).toLowerCase());
  if (term !== '' && !STOP_WORDS.has(term)) terms.push(term);
}

function camelParts(name: string): string[] {
  return name
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '\0')
    .split('\0');
}

function stem(word: string): string {
  if (word.length <= 3 || /(?:ss|us|is)$/u.test(word) || !word.endsWith('s')) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}
