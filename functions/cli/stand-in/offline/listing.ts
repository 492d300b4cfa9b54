/** One `- name: description` line of a prompt or a tool description, with the lines indented below it. */
export interface ListedEntry {
  readonly name: string;
  readonly text: string;
}

const ENTRY =
  /^[-*•]\s{1,4}[`*]{0,3}([a-z0-9][a-z0-9_-]{0,63})[`*]{0,3}\s{0,4}[:：(（—–-]\s{0,4}(.*)$/u;

/** The entries of every list in a text, in order. */
export function listedEntries(text: string): readonly ListedEntry[] {
  const entries: { name: string; text: string }[] = [];
  for (const line of text.split(/\r?\n/u)) {
    const [, name, rest] = ENTRY.exec(line) ?? [];
    const last = entries.at(-1);
    if (name !== undefined) entries.push({ name, text: rest ?? '' });
    else if (last !== undefined && /^\s+\S/u.test(line)) last.text += `\n${line}`;
  }
  return entries;
}

const INLINE_TOPIC =
  /([a-z0-9][a-z0-9_-]{0,63})[(（]([^;；\n]{1,600}?\d\s{0,2}(?:分钟|minutes))[)）]/gu;

/** The topics that a tool description lists, one on a line or all in one sentence. */
export function listedTopics(description: string): readonly ListedEntry[] {
  const listed = listedEntries(description);
  if (listed.length > 0) return listed;
  return [...description.matchAll(INLINE_TOPIC)].map(([, name = '', text = '']) => ({
    name,
    text,
  }));
}

/** The playbooks that a system prompt lists, under its heading about playbooks if it has one. */
export function listedPlaybooks(systemText: string): readonly ListedEntry[] {
  const sections = systemText.split(/^(?=#{1,6}\s)/mu);
  const catalogue = sections.filter((section) =>
    /手册|剧本|playbook|skill/iu.test(section.split('\n', 1)[0] ?? ''),
  );
  const listed = listedEntries(catalogue.join('\n'));
  return listed.length > 0 ? listed : listedEntries(systemText);
}

const SPAN = /(\d{1,5})\s{0,2}(个?小时|分钟|天|minutes?|mins?\b|hours?|days?)/iu;
const RECENT = new RegExp(`(?:最近|过去|近|last|past)\\s{0,2}的?\\s{0,2}${SPAN.source}`, 'iu');

/** The length of time a sentence speaks of as the recent past, in minutes. */
export function recentMinutes(text: string): number | null {
  return minutesOf(RECENT.exec(text));
}

/** The longest look-back, in minutes, that a topic's line states. */
export function statedMinutes(text: string): number | null {
  const spans = [...text.matchAll(new RegExp(SPAN.source, 'giu'))];
  return minutesOf(spans.at(-1) ?? null);
}

function minutesOf(match: RegExpMatchArray | null): number | null {
  const [, digits, unit = ''] = match ?? [];
  if (digits === undefined) return null;
  if (/小时|hour/iu.test(unit)) return Number(digits) * 60;
  return /天|day/iu.test(unit) ? Number(digits) * 1_440 : Number(digits);
}
