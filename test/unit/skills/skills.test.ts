import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type Playbook as OfflineReading,
  readPlaybook,
} from '../../../functions/cli/stand-in/offline/playbook.ts';
import { loadPlaybooks, type Playbook } from '../../../functions/diagnosis/agent/playbooks.ts';
import { parseFilter } from '../../../functions/diagnosis/tools/query-logs/log-filter.ts';
import { loadQueryCatalog } from '../../../functions/diagnosis/tools/query-mysql/query-catalog.ts';
import {
  MAX_OBSERVATION_BYTES,
  PlaybookObservationSchema,
} from '../../../shared/contracts/observation.ts';
import {
  EVIDENCE_TOOL_NAMES,
  LookupKnowledgeInputSchema,
  PLAYBOOK_TOOL_NAME,
} from '../../../shared/contracts/tool-inputs.ts';
import { utf8Length } from '../../../shared/kernel/utf8.ts';

const FOLDER = fileURLToPath(new URL('../../../skills', import.meta.url));
const { playbooks } = loadPlaybooks(FOLDER);
const catalog = await loadQueryCatalog({ playbooksFolder: FOLDER });
const queryNames = catalog.list().map(({ name }) => name);

const SECTIONS = [
  '## 适用情形',
  '## 需要的背景',
  '## 证据顺序',
  '## 区分相似原因',
  '## 停止条件',
  '## 低置信度时',
  '## 处置建议',
  '## 够不到的指标',
];

it('ships one playbook for each scenario of the specification', () => {
  const names = playbooks.map(({ name }) => name);

  expect(names).toEqual([
    'diagnose-jvm-memory',
    'diagnose-mysql-connection-pool',
    'diagnose-payment-timeout',
    'diagnose-redis-timeout',
    'diagnose-slow-response',
  ]);
});

describe.each(playbooks)('$name', (playbook) => {
  it('has the sections that a reader looks for, in their order', () => {
    const sections = playbook.body.match(/^## .+$/gm);

    expect(sections).toEqual(SECTIONS);
  });

  it('fits one observation, its name and a stop notice included', () => {
    const observation = PlaybookObservationSchema.parse({
      tool_call_id: 'call-999999',
      skill: playbook.name,
      instructions: playbook.body,
      control: 'STOP_REQUIRED',
    });

    const bytes = utf8Length(JSON.stringify(observation));

    expect(bytes).toBeLessThanOrEqual(MAX_OBSERVATION_BYTES);
  });

  it('names only queries and tools that exist', () => {
    const known = new Set<string>([...queryNames, ...EVIDENCE_TOOL_NAMES, PLAYBOOK_TOOL_NAME]);

    const unknown = namesIn(playbook).filter((name) => !known.has(name));

    expect(unknown).toEqual([]);
  });

  it('says for every step which tool to ask', () => {
    const listed = playbook.body.match(/^\d+\. /gm)?.length;

    const steps = readingOf(playbook).steps.map(({ toolName }) => toolName);

    expect(steps).toHaveLength(listed ?? 0);
    expect(new Set(steps)).toEqual(new Set(EVIDENCE_TOOL_NAMES));
  });

  it('leaves rounds for reading it and for the answer', () => {
    const { steps } = readingOf(playbook);

    expect(steps.length).toBeLessThanOrEqual(7);
  });

  it('gives filters that the log tool reads', () => {
    const filters = argumentsFor(playbook, 'query_logs').map((text) => parseFilter(text).kind);

    expect(new Set(filters)).toEqual(new Set(['parsed']));
  });

  it('gives search texts that the knowledge tool takes', () => {
    const inputs = argumentsFor(playbook, 'lookup_knowledge').map((query) => ({ query }));

    const verdicts = inputs.map((input) => LookupKnowledgeInputSchema.safeParse(input).success);

    expect(verdicts).toEqual([true]);
  });

  it('asks no query whose parameters only a person could know', () => {
    const queries = argumentsFor(playbook, 'query_mysql').map((name) => catalog.get(name));

    const demanding = queries.filter((query) =>
      Object.values(query?.header.parameters ?? {}).some(
        (parameter) => parameter.bind === 'model' && parameter.default === undefined,
      ),
    );

    expect(demanding).toEqual([]);
  });

  it('gives no two causes the same signals', () => {
    const told = readingOf(playbook)
      .causes.filter(({ signals }) => signals.length > 0)
      .map(({ signals, counterSignals }) => JSON.stringify([signals, counterSignals]));

    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(new Set(told).size).toBe(told.length);
  });

  it('advises only on causes that it tells apart', () => {
    const { causes, advice } = readingOf(playbook);
    const named = new Set(causes.map(({ name }) => name));

    const strange = advice.filter(({ cause }) => cause !== null && !named.has(cause));

    expect(strange).toEqual([]);
  });

  it('asks for an empty conclusion when evidence is missing', () => {
    const [, lowConfidence = ''] = playbook.body.split('## 低置信度时');

    expect(lowConfidence).toContain('结论留空（null）');
  });

  it('carries no link', () => {
    expect(playbook.body).not.toMatch(/:\/\/|www\.|@/);
  });
});

it('has no query that no playbook mentions', () => {
  const mentioned = new Set(playbooks.flatMap(namesIn));

  const orphans = queryNames.filter((name) => !mentioned.has(name));

  expect(orphans).toEqual([]);
});

it('leaves the tenant of orders and payments to the caller', () => {
  const bound = catalog
    .list()
    .filter(({ statement }) => /\b(?:orders|payments)\b/.test(statement))
    .map(({ name, header }) => [name, header.parameters['tenant_id']?.bind]);

  expect(bound).toEqual([
    ['orders_by_state', 'caller'],
    ['payments_by_state', 'caller'],
    ['payments_stuck_by_channel', 'caller'],
  ]);
});

function readingOf({ name, body }: Playbook): OfflineReading {
  return readPlaybook(name, body, EVIDENCE_TOOL_NAMES, queryNames);
}

function argumentsFor(playbook: Playbook, tool: string): string[] {
  return readingOf(playbook).steps.flatMap(({ toolName, argument }) =>
    toolName === tool && argument !== null ? [argument] : [],
  );
}

/** Backticked names in snake case: queries and tools, as signals are never only that. */
function namesIn({ body }: Playbook): string[] {
  return [...body.matchAll(/`([a-z]{1,32}(?:_[a-z]{1,32}){1,6})`/g)].map(([, name = '']) => name);
}
