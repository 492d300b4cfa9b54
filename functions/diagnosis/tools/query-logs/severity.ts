import { type LogLevel, levelRank } from './log-level.ts';

/** Words by which a line without level, or one called INFO, tells of a failure. */
const FAILURE_WORDS =
  /(?<![\w-])(?:fail(?:s|ed|ure|ures)?|errors?|exception|time[ds]?[ -]?out|refused|denied|rejected|panic|killed|aborted|exhausted|unavailable|unreachable|deadlock|overflow|corrupt\w{0,4}|lost)(?!\w)|超时|失败|异常|错误|拒绝|耗尽|告警|死锁|中断/i;
const FAILURE_CLASS = /(?<![\w+-])[A-Z]\w{0,80}(?:Exception|Error|Throwable)(?!\w)/;
const HTTP_FAILURE =
  /(?:"?(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS) \S{1,512}(?: HTTP\/\d(?:\.\d)?)?"? |status(?:[_ ]?code)?["']?[=: ]{1,3})(?:5\d\d|499|408|429)(?!\d)/;
const WARNING_RANK = levelRank('WARN');

/**
 * How much a pattern matters to a diagnosis before its numbers are looked at: its level, or WARN's
 * where a lower or missing level is contradicted by the words of the message.
 */
export function severityOf(level: LogLevel | null, message: string): number {
  const rank = levelRank(level);
  const isSilent = level === null || level === 'INFO';
  if (!isSilent || rank >= WARNING_RANK) return rank;
  const tellsOfFailure = [FAILURE_WORDS, FAILURE_CLASS, HTTP_FAILURE].some((words) =>
    words.test(message),
  );
  return tellsOfFailure ? WARNING_RANK : rank;
}
