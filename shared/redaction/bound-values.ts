import type { Report } from './finding.ts';

/** Values that drivers and servers print beside a statement: bind parameters, keys of violated constraints. */
export function findBoundValues(text: string, report: Report): void {
  for (const { gate, pattern } of PLACES) {
    if (!gate.test(text)) continue;
    for (const match of text.matchAll(pattern)) reportLast(match, match.index, report);
  }
  if (/param/i.test(text) && text.includes('(')) findTypedValues(text, report);
  if (/\?\s?\[/.test(text)) findParameterLists(text, report);
}

interface Place {
  readonly gate: RegExp;
  readonly pattern: RegExp;
}

const PLACES: readonly Place[] = [
  { gate: /params/i, pattern: /\bparams:\s?\[\(([^\]\n]{1,2000})\)\]/gi },
  {
    gate: /binding parameter|bind(?:ing)? /i,
    pattern: /binding parameter \[?[\w:]{1,64}\]? as \[\w{1,32}\] - \[([^\]\n]{1,2000})\]/gi,
  },
  {
    gate: /binding parameter/i,
    pattern: /binding parameter \(\d{1,5}:\w{1,32}\) (?:<-|as) \[([^\]\n]{1,2000})\]/gi,
  },
  {
    gate: /Duplicate entry|重复/i,
    pattern:
      /Duplicate entry\s\\{0,15}'((?:[^'\n\\]|\\(?!')){1,1000}?)\\{0,15}'(?=\sfor\skey|\s*$)/gi,
  },
  {
    gate: /incorrect|invalid|truncated|out of range/i,
    pattern:
      /\b(?:incorrect|invalid|truncated)\s(?:incorrect\s)?[\w ]{1,32}\s(?:value|syntax[\w ]{0,40}):\s\\{0,15}["']((?:[^"'\n\\]|\\(?!["'])){1,1000})/gi,
  },
  { gate: /Key \(/, pattern: /Key \([\w", ]{1,256}\)=\(([^)\n]{1,1000})\)/g },
  { gate: /\$\d/, pattern: /\$\d{1,4} = '((?:[^'\n]|''){1,1000})'/g },
];
const PARAMETERS = /\bparam(?:eter)?s?(?::\s|\s?[=:]\s?\[)([^\n]{1,8000})/gi;
const TYPED_VALUE =
  /(?:^|, )([^\n]*?)\((?:String|Integer|Long|Short|Byte|Double|Float|BigDecimal|BigInteger|Boolean|Date|Timestamp|Time|LocalDate|LocalDateTime|LocalTime|OffsetDateTime|Object|ByteArrayInputStream)\)/g;
const PARAMETER_LIST = /\?\s?\[((?:\\{0,15}"[^"\n]{0,2000}"|[\d.]{1,40}|null|,|\s){1,400})\]/g;

function reportLast(match: RegExpExecArray, base: number, report: Report): void {
  const value = match[1] ?? '';
  const start = base + match[0].lastIndexOf(value);
  report({ start, end: start + value.length, kind: 'literal' });
}

function findTypedValues(text: string, report: Report): void {
  for (const line of text.matchAll(PARAMETERS)) {
    const list = line[1] ?? '';
    const base = line.index + line[0].length - list.length;
    for (const match of list.matchAll(TYPED_VALUE)) {
      const value = match[1] ?? '';
      const start = base + match.index + match[0].indexOf(value);
      if (!/^-?\d{1,4}$/.test(value)) report({ start, end: start + value.length, kind: 'literal' });
    }
  }
}

function findParameterLists(text: string, report: Report): void {
  for (const match of text.matchAll(PARAMETER_LIST)) {
    const list = match[1] ?? '';
    const base = match.index + match[0].length - 1 - list.length;
    for (const item of list.matchAll(/[^",\s\\][^"\n]*?(?=\\*"|,|$)/g)) {
      if (/^(?:null|\d{1,4})$/.test(item[0])) continue;
      report({
        start: base + item.index,
        end: base + item.index + item[0].length,
        kind: 'literal',
      });
    }
  }
}
