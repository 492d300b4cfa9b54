import type { PreviousTurn } from '../../../shared/contracts/previous-turn.ts';
import type { PlaybookCatalog } from './playbooks.ts';
import { SYSTEM_PROMPT } from './system-prompt.ts';

/** The stable system block: the rules, the draft's generated schema, the compact playbook catalogue. */
export function stablePrompt(draftSchema: string, { playbooks }: PlaybookCatalog): string {
  const sections = [
    SYSTEM_PROMPT,
    `# 草稿的 JSON Schema\n\n${draftSchema}`,
    ...(playbooks.length === 0 ? [] : [`# 排查手册目录\n\n${catalogueOf(playbooks)}`]),
  ];
  return sections.join('\n\n');
}

/** The block that differs by run and so stands behind the cached one. */
export function instantPrompt(asOf: number, timeZone: string): string {
  const utc = new Date(asOf).toISOString();
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(asOf);
  return `as_of（所有证据窗口的终点）：${utc}（UTC）；${local}（${timeZone}）。`;
}

/** The one user message: a JSON object with exactly `query` and `previous_turn`. */
export function userMessage(query: string, previousTurn: PreviousTurn | null): string {
  return JSON.stringify({ query, previous_turn: previousTurn });
}

function catalogueOf(playbooks: PlaybookCatalog['playbooks']): string {
  return playbooks.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
}
