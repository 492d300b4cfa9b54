/** Severity of a log entry in the one spelling used from here on; null where the line names none. */
export type LogLevel = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL';

const SPELLINGS: Readonly<Record<LogLevel, readonly string[]>> = {
  TRACE: ['TRACE', 'TRC', 'FINEST', 'FINER', 'VERBOSE', 'SILLY'],
  DEBUG: ['DEBUG', 'DBG', 'FINE', 'DEBUG1', 'DEBUG2', 'DEBUG3', 'DEBUG4', 'DEBUG5'],
  INFO: ['INFO', 'INF', 'INFORMATION', 'NOTICE', 'CONFIG', 'LOG', 'STATS'],
  WARN: ['WARN', 'WARNING', 'WRN', 'ALERT'],
  ERROR: ['ERROR', 'ERR', 'SEVERE', 'FAILURE'],
  FATAL: ['FATAL', 'FTL', 'CRITICAL', 'CRIT', 'EMERG', 'EMERGENCY', 'PANIC'],
};

const BY_SPELLING = new Map<string, LogLevel>(
  (Object.keys(SPELLINGS) as LogLevel[]) // Object.keys widens the keys of a literal
    .flatMap((level) => SPELLINGS[level].map((spelling): [string, LogLevel] => [spelling, level])),
);

const BY_LETTER: Readonly<Record<string, LogLevel>> = {
  V: 'TRACE',
  T: 'TRACE',
  D: 'DEBUG',
  I: 'INFO',
  N: 'INFO',
  W: 'WARN',
  E: 'ERROR',
  C: 'FATAL',
  F: 'FATAL',
};

const RANKS: Readonly<Record<LogLevel, number>> = {
  TRACE: 1,
  DEBUG: 2,
  INFO: 3,
  WARN: 4,
  ERROR: 5,
  FATAL: 6,
};

/** The level a whole word names, in any letter case. */
export function levelOfWord(word: string): LogLevel | null {
  return BY_SPELLING.get(word) ?? BY_SPELLING.get(word.toUpperCase()) ?? null;
}

/** The level a single capital names where a header carries one, as on Android or in glog. */
export function levelOfLetter(letter: string): LogLevel | null {
  return BY_LETTER[letter] ?? null;
}

/** The level of a number: syslog's 0 to 7, or the tens that pino and bunyan write. */
export function levelOfNumber(value: number): LogLevel | null {
  if (value >= 10)
    return (['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const)[value / 10 - 1] ?? null;
  return (
    (['FATAL', 'FATAL', 'FATAL', 'ERROR', 'WARN', 'INFO', 'INFO', 'DEBUG'] as const)[value] ?? null
  );
}

/** Higher is worse; an entry without a level ranks as INFO does. */
export function levelRank(level: LogLevel | null): number {
  return level === null ? RANKS.INFO : RANKS[level];
}

/** Every word, in capitals, that names this level. */
export function spellingsOf(level: LogLevel): readonly string[] {
  return SPELLINGS[level];
}
