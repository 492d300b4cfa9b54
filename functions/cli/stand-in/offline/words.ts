const HAN_RUN = /\p{sc=Han}+/gu;
const LATIN_WORD = /[A-Za-z][A-Za-z0-9]{1,63}/g;

/** Words that any question, step or topic may hold, whatever it is about. */
const EMPTY_WORDS = new Set(
  (
    'an and are as at by did do for from has have how in is it of on or our since the then to was were what ' +
    'when where which why with service services log logs application ' +
    '服务 日志 应用 系统 最近 过去 分钟 小时 查询 问题 原因 出现 什么 怎么 为何'
  ).split(' '),
);

/** True for text that holds a Han character. */
export function isChinese(text: string): boolean {
  return /\p{sc=Han}/u.test(text);
}

export interface Candidate {
  readonly name: string;
  readonly text: string;
}

export interface Ranked<C extends Candidate> {
  readonly candidate: C;
  /** Shared words, each worth less the more candidates have it; a pair of characters is half a word. */
  readonly score: number;
}

/**
 * Candidates that share words with the text, best first, equal ones in their own order. A word that
 * every candidate has tells nothing and counts for nothing.
 */
export function rankByWords<C extends Candidate>(
  text: string,
  candidates: readonly C[],
): readonly Ranked<C>[] {
  const wanted = termsOf(text);
  const had = candidates.map(({ name, text: own }) => termsOf(`${name} ${own}`));
  const worth = (term: string) => {
    const holders = had.filter((terms) => terms.has(term)).length;
    if (holders === had.length && had.length > 1) return 0;
    return (isChinese(term) ? 0.5 : 1) / holders;
  };
  return candidates
    .map((candidate, index) => ({
      candidate,
      score: [...(had[index] ?? [])]
        .filter((term) => wanted.has(term))
        .reduce((sum, term) => sum + worth(term), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

/** What two texts may share: Latin words in lower case, and pairs of neighbouring Han characters. */
function termsOf(text: string): ReadonlySet<string> {
  const words = [...text.matchAll(LATIN_WORD)].map(([word]) => word.toLowerCase());
  const pairs = [...text.matchAll(HAN_RUN)].flatMap(([run]) => neighbours([...run]));
  return new Set([...words, ...pairs].filter((term) => !EMPTY_WORDS.has(term)));
}

function neighbours(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
