import type { LogFilter } from './log-filter.ts';

/**
 * One spelling for filters that ask the same: letter case folded, nested AND and OR flattened, their
 * operands sorted and without repetition, double NOT taken out.
 */
export function canonicalFilter(filter: LogFilter): string {
  switch (filter.kind) {
    case 'all':
      return '';
    case 'text':
      return JSON.stringify(filter.text.toLowerCase());
    case 'level':
      return `level=${filter.level}`;
    case 'field':
      return `${filter.name.toLowerCase()}=${JSON.stringify(filter.value.toLowerCase())}`;
    case 'not':
      return filter.operand.kind === 'not'
        ? canonicalFilter(filter.operand.operand)
        : `NOT ${canonicalFilter(filter.operand)}`;
    case 'and':
    case 'or':
      return joined(filter);
  }
}

function joined(filter: Extract<LogFilter, { readonly kind: 'and' | 'or' }>): string {
  const operands = flattened(filter, filter.kind).map(canonicalFilter);
  const distinct = [...new Set(operands)].sort();
  const [only] = distinct;
  if (distinct.length === 1 && only !== undefined) return only;
  return `(${distinct.join(filter.kind === 'and' ? ' AND ' : ' OR ')})`;
}

function flattened(filter: LogFilter, kind: 'and' | 'or'): readonly LogFilter[] {
  if (filter.kind !== kind) return [filter];
  return filter.operands.flatMap((operand) => flattened(operand, kind));
}
