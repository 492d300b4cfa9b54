/** A stretch of an item: prose, or a text between backticks. */
export interface Part {
  readonly text: string;
  readonly isCode: boolean;
}

/** The lines under `## heading` up to the next heading of that or a higher level. */
export function sectionOf(markdown: string, heading: string): readonly string[] {
  const lines = markdown.split(/\r?\n/u);
  const start = lines.findIndex(
    (line) => line.startsWith('## ') && line.slice(3).trim() === heading,
  );
  if (start < 0) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#{1,2}\s/u.test(line));
  return end < 0 ? rest : rest.slice(0, end);
}

/** Items of a numbered list, each with its indented lines. */
export function numberedItems(lines: readonly string[]): readonly string[] {
  return itemsOf(lines, /^\d{1,3}[.)、]\s{0,4}/u);
}

/** Items of a bullet list, each with its indented lines. */
export function bulletItems(lines: readonly string[]): readonly string[] {
  return itemsOf(lines, /^[-*]\s{1,4}/u);
}

/** Prose and backticked texts in turn. */
export function partsOf(item: string): readonly Part[] {
  return item.split('`').map((text, index) => ({
    text: index % 2 === 1 ? text.trim() : text,
    isCode: index % 2 === 1,
  }));
}

/** An item without the marks of Markdown. */
export function plainText(item: string): string {
  return item.replaceAll('`', '').replaceAll('**', '').trim();
}

function itemsOf(lines: readonly string[], marker: RegExp): readonly string[] {
  const items: string[] = [];
  for (const line of lines) {
    const marked = marker.exec(line);
    if (marked !== null) items.push(line.slice(marked[0].length).trim());
    else if (/^\s+\S/u.test(line) && items.length > 0)
      items.push(joined(items.pop() ?? '', line.trim()));
  }
  return items;
}

/** Chinese is wrapped without a blank, everything else at one. */
function joined(first: string, second: string): string {
  const isWide = /[^\p{ASCII}]$/u.test(first) && /^[^\p{ASCII}]/u.test(second);
  return isWide ? `${first}${second}` : `${first} ${second}`;
}
