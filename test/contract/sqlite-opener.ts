import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../shared/kernel/clock.ts';
import { createSqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import type { OpenedStore } from './contract-store.ts';

/** A store in a file of its own, which a second connection looks into. */
export async function openSqlite(clock: Clock): Promise<OpenedStore> {
  const folder = mkdtempSync(join(tmpdir(), 'run-store-'));
  const file = join(folder, 'deep', 'runs.sqlite');
  const store = createSqliteRunStore({ file, clock });
  const view = new DatabaseSync(file, { readOnly: true });

  return {
    store,
    readRaw: async (runId, toolCallId) => {
      const rows = view
        .prepare('SELECT bytes FROM raw_chunk WHERE run_id = ? AND tool_call_id = ? ORDER BY part')
        .all(runId, toolCallId);
      return Buffer.concat(
        rows.map(({ bytes }) => (bytes instanceof Uint8Array ? bytes : NOTHING)),
      );
    },
    readLegend: async (runId) => {
      const row = view.prepare('SELECT legend FROM legend WHERE run_id = ?').get(runId);
      return typeof row?.['legend'] === 'string' ? row['legend'] : null;
    },
    dumpRecord: async (runId) =>
      JSON.stringify(
        ['run', 'step', 'invocation'].map((table) =>
          view.prepare(`SELECT * FROM ${table} WHERE run_id = ?`).all(runId),
        ),
      ),
    close: async () => {
      view.close();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const NOTHING = new Uint8Array();
