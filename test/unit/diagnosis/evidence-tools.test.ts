import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfiguration } from '../../../functions/diagnosis/composition.ts';
import { createEvidenceTools } from '../../../functions/diagnosis/evidence-tools.ts';
import { ConfigurationSchema } from '../../../shared/contracts/configuration.ts';
import { EVIDENCE_TOOL_NAMES } from '../../../shared/contracts/tool-inputs.ts';

const BASE = {
  schema_version: 1,
  model: { model_id: 'scripted' },
  playbooks_folder: 'skills',
  topics: [{ name: 'orders', description: '订单服务', max_lookback_minutes: 60 }],
  logs: { kind: 'FILES', folder: 'logs' },
  knowledge: { kind: 'NONE' },
  mysql: { kind: 'NONE' },
  store: { kind: 'SQLITE', file: 'record.sqlite' },
};

const SERVER = {
  kind: 'MYSQL',
  writer: {
    host: 'db.example.com',
    database: 'shop',
    login: { kind: 'PASSWORD_FILE', user: 'diagnosis', file: 'secret/password' },
    ca_file: 'ca.pem',
  },
};

describe('a deployment without a source', () => {
  it('keeps the three tools', async () => {
    const { tools } = await toolsOf(BASE);

    expect(tools.map(({ name }) => name)).toEqual([...EVIDENCE_TOOL_NAMES]);
  });

  it.each([
    ['lookup_knowledge', { query: '支付超时' }],
    ['query_mysql', { query_name: 'connections_by_state', parameters: {} }],
  ])('answers every call of %s that the source is unavailable', async (name, input) => {
    const { tools } = await toolsOf(BASE);
    const prepared = tools.find((tool) => tool.name === name)?.prepare(input);
    const call = prepared?.kind === 'valid' ? prepared.input : undefined;

    const result = await call?.run((text) => text, aContext());

    expect(result).toEqual({ kind: 'failed', code: 'SOURCE_UNAVAILABLE', executed: null });
  });

  it('tells the model of no query that it could ask', async () => {
    const [without, live] = await Promise.all(
      [BASE, { ...BASE, mysql: SERVER }].map(async (configuration) => {
        const { tools } = await toolsOf(configuration);
        return tools.find(({ name }) => name === 'query_mysql')?.description ?? '';
      }),
    );

    expect(without).not.toContain('connections_by_state');
    expect(live).toContain('connections_by_state');
    expect(live).not.toContain('tenant_id');
  });

  it('still refuses to start with a broken query', async () => {
    const folder = aFolder({ 'broken.sql': 'SELECT 1' });

    await expect(toolsOf({ ...BASE, queries_folder: folder })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
    });
  });
});

describe('a query of the deployment’s own folder', () => {
  const HEADER = `-- description: Refunds of the day
-- target: reader
-- temporal: live
-- row_limit: 10
-- timeout_ms: 1000
`;

  it('may name the schemas that the deployment allows', async () => {
    const folder = aFolder({
      'refunds.sql': `${HEADER}SELECT id FROM refunds.t WHERE id = 1 LIMIT 1`,
    });
    const configuration = { ...BASE, queries_folder: folder };

    const allowing = { ...SERVER, application_schemas: ['refunds'] };
    const { tools } = await toolsOf({ ...configuration, mysql: allowing });

    expect(tools[2]?.description).toContain('- refunds (live): Refunds of the day');
    await expect(toolsOf({ ...configuration, mysql: SERVER })).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
    });
  });
});

describe('a configuration file', () => {
  it('names files relative to its own folder', () => {
    const folder = aFolder({ 'diagnosis.json': JSON.stringify({ ...BASE, mysql: SERVER }) });

    const { mysql } = readConfiguration(join(folder, 'diagnosis.json'));

    expect(mysql).toMatchObject({
      writer: { ca_file: join(folder, 'ca.pem'), login: { file: join(folder, 'secret/password') } },
    });
  });
});

async function toolsOf(configuration: object) {
  return createEvidenceTools(ConfigurationSchema.parse(configuration), () => {});
}

function aContext() {
  const { signal } = new AbortController();
  return { signal, asOf: 0, bindings: {}, atRunEnd: new AsyncDisposableStack() };
}

function aFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
