import { type LogLevel, levelOfNumber, spellingsOf } from './log-level.ts';

const LEVELS: readonly LogLevel[] = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** Everything, in capitals, that names a level in a log: words, and numbers of syslog and pino. */
export function levelWords(level: LogLevel): readonly string[] {
  const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 10, 20, 30, 40, 50, 60];
  const named = numbers.filter((number) => levelOfNumber(number) === level);
  return [...spellingsOf(level), ...named.map(String)];
}

const WORDS = LEVELS.flatMap(spellingsOf).sort((a, b) => b.length - a.length);
const CAPITALS = WORDS.join('|');
const SMALL = WORDS.map((word) => word.toLowerCase()).join('|');

/** Where a header can still be; a level further on is part of the message. */
const HEADER = '^.{0,160}?';

/**
 * The level of JSON and logfmt, by the names such fields have; also in JSON inside a string of JSON.
 * These three expressions are the only ones a query has, and none depends on the filter.
 */
export const KEYED_LEVEL =
  '(?i)^\\s*(?:\\{.*?[\\s"{,.\\\\]|(?:[a-z_@][\\w.@-]*=.*?\\s)?)' +
  '(?:level|lvl|severity|levelname|loglevel|log_level|severitytext)' +
  '\\\\?"?\\s*[:=]\\s*\\\\?"?(?<dKeyed>[a-z]+|\\d+)';

/** The first level in capitals, set off as headers set it off. */
export const HEAD_LEVEL = `${HEADER}(?:^|[\\s\\[(<*|"])(?<dHead>${CAPITALS})[\\])>*]{0,2}[\\s:,|\\[]`;

/** A level in small letters in brackets or right behind a time. */
export const MARKED_LEVEL = `${HEADER}(?:\\[|\\d[\\])Z]?\\s)(?<dMarked>${SMALL})[\\]\\s:,|]`;
