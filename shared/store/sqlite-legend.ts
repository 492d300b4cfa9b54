import type { RunKey, WriteResult } from './run-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { ownerOf, writeResult } from './sqlite-runs.ts';

/** Keeps the legend in place of the one before; a run that has ended still tells what its marks stand for. */
export function keepLegend(
  database: SqliteDatabase,
  key: RunKey,
  { legend, expiresAt }: { readonly legend: string; readonly expiresAt: string },
): WriteResult {
  return writeResult(
    database.change(
      `INSERT INTO legend (run_id, legend, expires_at)
       SELECT run_id, :legend, :expires_at FROM run WHERE run_id = :run_id AND fence = :fence
       ON CONFLICT DO UPDATE SET legend = excluded.legend, expires_at = excluded.expires_at`,
      { ...ownerOf(key), legend, expires_at: expiresAt },
    ),
  );
}

/** Takes raw results and legends out of the file once their time is over; nothing else does. */
export function purgeRaw(database: SqliteDatabase, now: string): void {
  database.change('DELETE FROM raw_chunk WHERE expires_at <= :now', { now });
  database.change('DELETE FROM legend WHERE expires_at <= :now', { now });
}
