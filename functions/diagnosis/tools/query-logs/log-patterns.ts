import { HeaderScanner } from './log-header.ts';
import { PatternMiner, type PatternPart } from './pattern-miner.ts';

/** Templates of lines, and which line has which. */
export interface MinedPatterns {
  readonly templates: readonly { readonly template: string; readonly count: number }[];
  /** For each line the index of its template. */
  readonly assignments: readonly number[];
}

/**
 * Groups log lines, header and all, by the text they share. One pass over the lines, no training,
 * no rules for a format; lines of different level, error code or exception class stay apart.
 */
export function minePatterns(lines: readonly string[]): MinedPatterns {
  const header = new HeaderScanner();
  const miner = new PatternMiner();
  const groups = lines.map((line) => {
    header.scan(line);
    return miner.add(line, header.messageStart, header.level);
  });
  return collect(groups, miner);
}

function collect(groups: readonly number[], miner: PatternMiner): MinedPatterns {
  const indexes = new Map<number, number>();
  const templates: { template: string; count: number }[] = [];
  const assignments = groups.map((group) => {
    const pattern = miner.patternOf(group);
    let index = indexes.get(pattern);
    if (index === undefined) {
      index = templates.push({ template: templateOf(miner.partsOf(pattern)), count: 0 }) - 1;
      indexes.set(pattern, index);
    }
    const template = templates[index];
    if (template !== undefined) template.count += 1;
    return index;
  });
  return { templates, assignments };
}

function templateOf(parts: readonly PatternPart[]): string {
  return parts.map(({ text, isVariable }) => (isVariable ? '<*>' : text)).join('');
}
