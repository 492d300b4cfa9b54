import { contentBlockFaults, type Faults } from './block-faults.ts';
import { listOf, memberOf } from './json-shape.ts';

/** Faults of a conversation: roles, blocks, and the pairing of tool uses with their results. */
export function* messageFaults(messages: unknown): Faults {
  const turns = listOf(messages);
  if (turns.length === 0) return yield 'messages: must hold at least one message';
  const seen = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    const at = `messages.${index}`;
    yield* turnFaults(at, index % 2 === 0 ? 'user' : 'assistant', turn);
    yield* repeatedIdFaults(at, toolIds(turn, 'toolUse'), seen);
    yield* pairingFaults(at, toolIds(turns[index - 1], 'toolUse'), turn);
  }
  if (turns.length % 2 === 0) yield 'messages: must end with a user message';
}

function* turnFaults(at: string, expectedRole: string, turn: unknown): Faults {
  const role = memberOf(turn, 'role');
  if (role !== expectedRole) yield `${at}.role: must be ${expectedRole}, roles alternate`;
  const content = listOf(memberOf(turn, 'content'));
  if (content.length === 0) yield `${at}.content: must not be empty`;
  for (const [position, block] of content.entries()) {
    yield* contentBlockFaults(`${at}.content.${position}`, role, block);
  }
}

function* repeatedIdFaults(at: string, ids: readonly string[], seen: Set<string>): Faults {
  for (const id of ids) {
    if (seen.has(id)) yield `${at}: toolUseId ${id} was used before`;
    seen.add(id);
  }
}

function* pairingFaults(at: string, asked: readonly string[], turn: unknown): Faults {
  const answered = toolIds(turn, 'toolResult');
  if (answered.length > asked.length) {
    yield `${at}: the number of toolResult blocks exceeds the number of toolUse blocks of the previous turn`;
  }
  for (const id of asked) {
    if (!answered.includes(id)) yield `${at}: expected a toolResult for ${id}`;
  }
  for (const [index, id] of answered.entries()) {
    if (!asked.includes(id)) yield `${at}: ${id} answers no toolUse of the previous turn`;
    if (answered.indexOf(id) !== index) yield `${at}: ${id} is answered twice`;
  }
  const content = listOf(memberOf(turn, 'content'));
  const leading = content.slice(0, answered.length);
  if (leading.some((block) => memberOf(block, 'toolResult') === undefined)) {
    yield `${at}: toolResult blocks must come first`;
  }
}

function toolIds(turn: unknown, kind: 'toolUse' | 'toolResult'): readonly string[] {
  return listOf(memberOf(turn, 'content'))
    .map((block) => memberOf(memberOf(block, kind), 'toolUseId'))
    .filter((id) => typeof id === 'string');
}
