const VARIABLES =
  /\d{4}-\d\d-\d\d[T ][\d:.,]{8,16}Z?|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b|\b0x[\da-f]{1,16}\b|\b[\da-f]{8,64}\b|\d+/gi;

/**
 * What mining is measured beside: one generic regular expression masks dates, addresses and numbers in
 * the whole line, equal masked lines are one template. No header, no level, no words that vary.
 */
export function mineByMask(lines: readonly string[]): Map<string, number> {
  const templates = new Map<string, number>();
  for (const line of lines) {
    const template = line.replace(VARIABLES, '<*>');
    templates.set(template, (templates.get(template) ?? 0) + 1);
  }
  return templates;
}
