import { blockKinds, cachePointFaults, type Faults, isBlank } from './block-faults.ts';
import { isRecord, listOf, memberOf } from './json-shape.ts';
import { messageFaults } from './message-faults.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** Cache points one request may hold in all (Converse API). */
const MAX_CACHE_POINTS = 4;

/**
 * The first reason for which Bedrock would refuse a Converse body, or null. Where the service leaves
 * a thing to the model's family, the strictest family counts.
 */
export function findFault(body: unknown): string | null {
  for (const fault of bodyFaults(body)) return fault;
  return null;
}

function* bodyFaults(body: unknown): Faults {
  if (!isRecord(body)) return yield 'the body is not a JSON object';
  yield* inferenceFaults(memberOf(body, 'inferenceConfig'));
  yield* systemFaults(memberOf(body, 'system'));
  yield* toolConfigFaults(memberOf(body, 'toolConfig'));
  yield* messageFaults(memberOf(body, 'messages'));
  if (hasToolBlocks(memberOf(body, 'messages')) && memberOf(body, 'toolConfig') === undefined) {
    yield 'toolConfig: must be defined when messages hold toolUse or toolResult blocks';
  }
  if (countCachePoints(body) > MAX_CACHE_POINTS) {
    yield `a request may hold ${MAX_CACHE_POINTS} cache points`;
  }
}

function* inferenceFaults(config: unknown): Faults {
  const maxTokens = memberOf(config, 'maxTokens');
  // Bedrock lets it be; unset, the model's maximum is taken from the quota, so we never mean that.
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1) {
    yield 'inferenceConfig.maxTokens: must be set to an integer of at least 1';
  }
  for (const key of ['temperature', 'topP']) {
    const value = memberOf(config, key);
    if (value === undefined) continue;
    if (typeof value !== 'number' || value < 0 || value > 1) {
      yield `inferenceConfig.${key}: must be between 0 and 1`;
    }
  }
}

function* systemFaults(system: unknown): Faults {
  if (system === undefined) return;
  if (!Array.isArray(system)) return yield 'system: must be a list';
  for (const [index, block] of system.entries()) {
    const at = `system.${index}`;
    const [kind] = blockKinds(block);
    if (kind === 'cachePoint') yield* cachePointFaults(at, block);
    else if (kind !== 'text') yield `${at}: must be text or cachePoint`;
    else if (isBlank(memberOf(block, 'text'))) yield `${at}.text: must not be blank`;
  }
}

function* toolConfigFaults(config: unknown): Faults {
  if (config === undefined) return;
  const tools = listOf(memberOf(config, 'tools'));
  if (tools.length === 0) yield 'toolConfig.tools: must name at least one tool';
  const names = new Set<unknown>();
  for (const [index, tool] of tools.entries()) {
    const at = `toolConfig.tools.${index}`;
    if (memberOf(tool, 'cachePoint') !== undefined) {
      yield* cachePointFaults(at, tool);
      continue;
    }
    const spec = memberOf(tool, 'toolSpec');
    yield* toolSpecFaults(`${at}.toolSpec`, spec);
    const name = memberOf(spec, 'name');
    if (names.has(name)) yield `${at}.toolSpec.name: is given twice`;
    names.add(name);
  }
  yield* toolChoiceFaults(memberOf(config, 'toolChoice'));
}

function* toolSpecFaults(at: string, spec: unknown): Faults {
  if (!isRecord(spec)) return yield `${at}: must be an object`;
  const name = memberOf(spec, 'name');
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    yield `${at}.name: must match ${TOOL_NAME.source}`;
  }
  const description = memberOf(spec, 'description');
  if (description !== undefined && isBlank(description))
    yield `${at}.description: must not be blank`;
  const schema = memberOf(memberOf(spec, 'inputSchema'), 'json');
  if (memberOf(schema, 'type') !== 'object') {
    yield `${at}.inputSchema.json: must be a JSON Schema of type object`;
  }
}

function* toolChoiceFaults(choice: unknown): Faults {
  if (choice === undefined) return;
  const [kind, ...others] = blockKinds(choice);
  const isKnown = kind === 'auto' || kind === 'any' || kind === 'tool';
  if (!isKnown || others.length > 0) {
    yield 'toolConfig.toolChoice: must be one of auto, any, tool';
  }
}

function hasToolBlocks(messages: unknown): boolean {
  return listOf(messages).some((message) =>
    listOf(memberOf(message, 'content')).some(
      (block) =>
        memberOf(block, 'toolUse') !== undefined || memberOf(block, 'toolResult') !== undefined,
    ),
  );
}

function countCachePoints(body: unknown): number {
  const blocks = [
    ...listOf(memberOf(body, 'system')),
    ...listOf(memberOf(memberOf(body, 'toolConfig'), 'tools')),
    ...listOf(memberOf(body, 'messages')).flatMap((message) =>
      listOf(memberOf(message, 'content')),
    ),
  ];
  return blocks.filter((block) => memberOf(block, 'cachePoint') !== undefined).length;
}
