import { isRecord, listOf, memberOf } from './json-shape.ts';

/** Reasons for a refusal, each with the path it is about; the first one is what the caller hears. */
export type Faults = Generator<string, void>;

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const TOOL_USE_ID = /^[a-zA-Z0-9_.:-]{1,64}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** True for anything but text that holds more than white space. */
export function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

/** The members a content block has; a good one has exactly one. */
export function blockKinds(block: unknown): readonly string[] {
  return isRecord(block) ? Object.keys(block) : [];
}

export function* cachePointFaults(at: string, block: unknown): Faults {
  const point = memberOf(block, 'cachePoint');
  const ttl = memberOf(point, 'ttl');
  if (memberOf(point, 'type') !== 'default') yield `${at}.cachePoint.type: must be default`;
  if (ttl !== undefined && ttl !== '5m' && ttl !== '1h') {
    yield `${at}.cachePoint.ttl: must be 5m or 1h`;
  }
}

/** Faults of one block of a message, its pairing with other blocks aside. */
export function* contentBlockFaults(at: string, role: unknown, block: unknown): Faults {
  const [kind, ...others] = blockKinds(block);
  if (kind === undefined || others.length > 0) return yield `${at}: must have exactly one member`;
  const owner = ONLY_IN_TURNS_OF[kind];
  if (owner !== undefined && owner !== role) yield `${at}.${kind}: belongs to the ${owner}`;
  const value = memberOf(block, kind);
  switch (kind) {
    case 'text':
      return yield* textFaults(`${at}.text`, value);
    case 'cachePoint':
      return yield* cachePointFaults(at, block);
    case 'toolUse':
      return yield* toolUseFaults(`${at}.toolUse`, value);
    case 'reasoningContent':
      return yield* reasoningFaults(`${at}.reasoningContent`, value);
    case 'toolResult':
      return yield* toolResultFaults(`${at}.toolResult`, value);
    default:
      yield `${at}.${kind}: is no block that this stand-in knows`;
  }
}

const ONLY_IN_TURNS_OF: Readonly<Record<string, 'assistant' | 'user' | undefined>> = {
  toolUse: 'assistant',
  reasoningContent: 'assistant',
  toolResult: 'user',
};

function* textFaults(at: string, text: unknown): Faults {
  if (isBlank(text)) yield `${at}: must not be blank`;
}

function* toolUseFaults(at: string, use: unknown): Faults {
  const name = memberOf(use, 'name');
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    yield `${at}.name: must match ${TOOL_NAME.source}`;
  }
  yield* toolUseIdFaults(at, use);
  if (!isRecord(memberOf(use, 'input'))) yield `${at}.input: must be a JSON object`;
}

function* toolResultFaults(at: string, result: unknown): Faults {
  yield* toolUseIdFaults(at, result);
  const status = memberOf(result, 'status');
  if (status !== undefined && status !== 'success' && status !== 'error') {
    yield `${at}.status: must be success or error`;
  }
  const content = memberOf(result, 'content');
  if (!Array.isArray(content)) return yield `${at}.content: must be a list`;
  if (content.length === 0 && status === 'error') {
    yield `${at}.content: must not be empty when status is error`;
  }
  for (const [index, part] of listOf(content).entries()) {
    yield* resultPartFaults(`${at}.content.${index}`, part);
  }
}

function* resultPartFaults(at: string, part: unknown): Faults {
  const [kind, ...others] = blockKinds(part);
  if (others.length > 0) yield `${at}: must have exactly one member`;
  if (kind === 'json') {
    if (!isRecord(memberOf(part, 'json'))) yield `${at}.json: must be a JSON object`;
  } else if (kind !== 'text') {
    yield `${at}: must be text or json`;
  } else if (isBlank(memberOf(part, 'text'))) {
    yield `${at}.text: must not be blank`;
  }
}

function* toolUseIdFaults(at: string, holder: unknown): Faults {
  const id = memberOf(holder, 'toolUseId');
  if (typeof id !== 'string' || !TOOL_USE_ID.test(id)) {
    yield `${at}.toolUseId: must match ${TOOL_USE_ID.source}`;
  }
}

function* reasoningFaults(at: string, reasoning: unknown): Faults {
  const [kind, ...others] = blockKinds(reasoning);
  if (others.length > 0) yield `${at}: must have exactly one member`;
  if (kind === 'redactedContent') {
    const blob = memberOf(reasoning, 'redactedContent');
    if (typeof blob !== 'string' || !BASE64.test(blob))
      yield `${at}.redactedContent: must be base64`;
  } else if (typeof memberOf(memberOf(reasoning, 'reasoningText'), 'text') !== 'string') {
    yield `${at}.reasoningText.text: must be text`;
  }
}
