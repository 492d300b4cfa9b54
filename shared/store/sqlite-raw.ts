import { zstdDecompressSync } from 'node:zlib';
import type { RunId } from '../contracts/identifiers.ts';
import { RAW_LIMITS } from './raw-result.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { prepareSchema } from './sqlite-schema.ts';
import { recordUnavailable } from './store-failure.ts';

/** Reads raw results of a local record: for who verifies it on the machine that made it. */
export interface SqliteRawResults {
  /** The adapter's exact bytes, or null when none are kept. @throws HarnessError `RECORD_UNAVAILABLE` for damaged ones */
  read(runId: RunId, toolCallId: string): Uint8Array | null;
  close(): void;
}

/** @throws HarnessError `RECORD_UNAVAILABLE`, `STORE_FAILED` for a file that is no record or can't be opened */
export function openSqliteRawResults(file: string): SqliteRawResults {
  const database = new SqliteDatabase(file);
  prepareSchema(database);
  return {
    read: (runId, toolCallId) => {
      const rows = database.all(
        `SELECT bytes FROM raw_chunk WHERE run_id = :run_id AND tool_call_id = :tool_call_id
         ORDER BY part`,
        { run_id: runId, tool_call_id: toolCallId },
      );
      return rows.length === 0 ? null : unpacked(rows.map(({ bytes }) => bytes));
    },
    close: () => database.close(),
  };
}

function unpacked(pieces: readonly unknown[]): Uint8Array {
  const bytes = pieces.map((piece) => (piece instanceof Uint8Array ? piece : new Uint8Array()));
  try {
    const maxOutputLength = RAW_LIMITS.uncompressedBytes;
    return zstdDecompressSync(Buffer.concat(bytes), { maxOutputLength });
  } catch (error) {
    throw recordUnavailable('a raw result is damaged', error);
  }
}
