import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEvidenceTools } from '../../functions/diagnosis/evidence-tools.ts';
import { ConfigurationSchema } from '../../shared/contracts/configuration.ts';
import { missingMariaDb, READER, SERVER_TIMEOUT_MS, startMariaDb } from '../support/mariadb.ts';
import { AS_OF, aContext, contentOf } from '../support/mysql-adapter.ts';

const README_EXAMPLE =
  /```sql\n(.{1,4000}?)```/s.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';

describe.skipIf(missingMariaDb !== null)('a query that a team adds', () => {
  it(
    'is found in its playbook, typed, listed and run with no change of code',
    async () => {
      await using server = await startMariaDb();
      await server.sql(
        'CREATE TABLE shop.refunds (id INT, tenant_id VARCHAR(64), status VARCHAR(20), created_at DATETIME)',
        `INSERT INTO shop.refunds VALUES
        (1, 'tenant-a', 'REQUESTED', '2026-11-30 11:30:00'), (2, 'tenant-a', 'REQUESTED', '2026-11-30 11:40:00'),
        (3, 'tenant-b', 'REQUESTED', '2026-11-30 11:40:00'), (4, 'tenant-a', 'DONE', '2026-11-30 10:00:00')`,
      );
      const { tools } = await createEvidenceTools(
        ConfigurationSchema.parse({
          schema_version: 1,
          model: { model_id: 'scripted' },
          playbooks_folder: playbooksWith(README_EXAMPLE),
          topics: [],
          logs: { kind: 'FILES', folder: 'logs' },
          knowledge: { kind: 'NONE' },
          mysql: { kind: 'MYSQL', writer: server.endpoint(READER) },
          store: { kind: 'SQLITE', file: ':memory:' },
        }),
        () => {},
      );
      const tool = tools.find(({ name }) => name === 'query_mysql');
      const prepare = (parameters: object) =>
        tool?.prepare({ query_name: 'refunds_by_state', parameters });

      const prepared = prepare({ lookback_minutes: 90 });
      const call = prepared?.kind === 'valid' ? prepared.input : undefined;
      const bindings = { tenant_id: 'tenant-a' };
      const result = await call?.run((text) => text, aContext({ asOf: AS_OF, bindings }));

      expect(tool?.description).toContain('- refunds_by_state (windowed): Refunds of the tenant');
      expect(prepare({ lookback_minutes: 1_441 })).toEqual({
        kind: 'invalid',
        fields: ['input.parameters.lookback_minutes'],
      });
      expect(result && contentOf(result)).toEqual({
        columns: ['status', 'refund_count', 'oldest'],
        rows: [['REQUESTED', '2', '2026-11-30 11:30:00']],
        rows_cut: false,
        live_state: false,
      });
      expect(result).toMatchObject({
        window: { from: '2026-11-30T10:30:00.000Z', to: '2026-11-30T12:00:00.000Z' },
      });
    },
    SERVER_TIMEOUT_MS,
  );
});

function playbooksWith(sql: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'playbooks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const queries = join(folder, 'diagnose-refunds', 'queries');
  mkdirSync(queries, { recursive: true });
  writeFileSync(join(queries, 'refunds_by_state.sql'), sql);
  return folder;
}
