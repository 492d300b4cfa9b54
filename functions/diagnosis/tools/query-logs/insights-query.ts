import { filterCommands } from './filter-insights.ts';
import type { LogFilter } from './log-filter.ts';
import { binWidthFor } from './log-timeline.ts';

/** Rows of a sample: one page of the service's, and more than the projection tells apart. */
export const MAX_SAMPLE_ROWS = 10_000;

/** The two queries of one call. Both let through the same events. */
export interface InsightsQueries {
  /** How many events match in each bin of time. */
  readonly counts: string;
  /** The matching events that look like failures, then the newest of the others. */
  readonly sample: string;
  /** Name of the column that holds the start of a bin. */
  readonly binField: string;
  readonly binMs: number;
  /** Both for the record, their common part once. */
  readonly statement: string;
}

/** Words that put an event among the first of a sample; they decide on nothing else. */
const TROUBLE = [
  'error',
  'exception',
  'fatal',
  'panic',
  'critical',
  'severe',
  'fail',
  'timeout',
  'timed out',
  'refused',
  '错误',
  '异常',
  '失败',
  '超时',
];

const TROUBLE_RANK = `greatest(${TROUBLE.map((word) => `strcontains(dText, "${word}")`).join(', ')})`;

/** Fills the fixed template with the compiled filter, for a window of so many milliseconds. */
export function insightsQueries(filter: LogFilter, windowMs: number): InsightsQueries {
  const common = filterCommands(filter);
  const binMs = binWidthFor(windowMs);
  const binField = `bin(${periodOf(binMs)})`;
  const counting = [`stats count(*) as dCount by ${binField}`];
  return {
    binField,
    binMs,
    counts: piped([...common, ...counting]),
    sample: piped([...common, ...SAMPLING]),
    statement: `${piped(common)}\n# counts\n| ${piped(counting)}\n# sample\n| ${piped(SAMPLING)}`,
  };
}

const SAMPLING = [
  `fields ${TROUBLE_RANK} as dRank`,
  'sort dRank desc, @timestamp desc',
  `limit ${MAX_SAMPLE_ROWS}`,
  'display @timestamp, @message, @log, @logStream, dLength',
];

function piped(commands: readonly string[]): string {
  return commands.join('\n| ');
}

/** In the largest unit that divides it; above 60 seconds or minutes the service cuts a period off. */
function periodOf(widthMs: number): string {
  const seconds = widthMs / 1_000;
  if (seconds % 3_600 === 0) return `${seconds / 3_600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
