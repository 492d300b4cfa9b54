import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  generateCapsule,
  writeCapsule,
} from '../../../functions/cli/incident-generator/payment-timeout/payment-timeout.ts';
import { IncidentSchema } from '../../../shared/contracts/incident.ts';
import { askCapsule, shippedQueries } from '../../support/capsule-queries.ts';

const incident = IncidentSchema.parse(JSON.parse(generateCapsule().get('incident.json') ?? ''));
const folder = mkdtempSync(join(tmpdir(), 'payment-timeout-'));
writeCapsule(join(folder, 'whole'));
writeCapsule(join(folder, 'bare'), { omitDecisive: ['MYSQL'] });

afterAll(() => {
  rmSync(folder, { recursive: true });
});

it.each(shippedQueries.list().map(({ name }) => name))(
  'answers %s on the capsule',
  async (name) => {
    const rows = await ask('whole', name);

    expect(rows).toBeInstanceOf(Array);
  },
);

it('shows one blocker that sleeps in a transaction older than any wait', async () => {
  const [blocker, ...others] = await ask('whole', 'lock_wait_blockers');

  expect(others).toEqual([]);
  expect(blocker).toMatchObject({
    blocking_user: 'settlement_rw',
    blocking_command: 'Sleep',
    locked_table: 'payments',
    locked_index: 'idx_settle_status',
  });
  expect(Number(blocker?.['blocking_trx_seconds'])).toBeGreaterThan(
    Number(blocker?.['longest_wait_seconds']),
  );
});

it('counts as many waiting sessions by blocker as one by one', async () => {
  const [blocker] = await ask('whole', 'lock_wait_blockers');

  const waits = await ask('whole', 'lock_waits');

  expect(waits).toHaveLength(Number(blocker?.['waiting_sessions']));
});

it('shows payments stuck over all channels alike', async () => {
  const rows = await ask('whole', 'payments_stuck_by_channel');

  expect(rows.map((row) => row['concentration'])).toEqual(['SPREAD', 'SPREAD', 'SPREAD']);
});

it('shows a server far from its connection limit', async () => {
  const rows = await ask('whole', 'connection_usage');

  expect(rows).toMatchObject([{ server_limit: 'BELOW_LIMIT', refused_at_limit: '0' }]);
});

it.each(['lock_wait_blockers', 'lock_waits', 'long_transactions', 'running_statements'])(
  'finds nothing by %s without the decisive rows',
  async (name) => {
    expect(await ask('bare', name)).toEqual([]);
  },
);

it('keeps the stuck payments without the decisive rows', async () => {
  expect(await ask('bare', 'payments_stuck_by_channel')).toEqual(
    await ask('whole', 'payments_stuck_by_channel'),
  );
});

/** A catalogued query; the payments table where one is asked for. */
function ask(copy: string, name: string) {
  const parameters = { table_indexes: { table_name: 'payments' } }[name] ?? {};
  return askCapsule(join(folder, copy), incident, name, parameters);
}
