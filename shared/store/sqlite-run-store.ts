import { type Clock, systemClock, toInstant } from '../kernel/clock.ts';
import type { RunStore } from './run-store.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import {
  openInvocation,
  readInvocations,
  settleError,
  settleReady,
  startProjection,
} from './sqlite-invocations.ts';
import { keepLegend, purgeRaw } from './sqlite-legend.ts';
import { listRuns } from './sqlite-list.ts';
import {
  createRun,
  enterRound,
  isCancelRequested,
  readRun,
  readText,
  requestCancel,
} from './sqlite-runs.ts';
import { prepareSchema } from './sqlite-schema.ts';
import { settleAbandoned, settleRun } from './sqlite-settling.ts';
import { appendStep, readSteps } from './sqlite-steps.ts';
import { refuseAborted } from './store-failure.ts';

export interface SqliteRunStoreOptions {
  /** The file, made with its folder when missing; `:memory:` for a record that ends with the process. */
  readonly file: string;
  /** Tells readers what has expired; the machine's by default. */
  readonly clock?: Clock;
  /** Days that raw results and the legend are kept; 7 by default. Later openings purge them. */
  readonly rawDays?: number;
}

/** A run store in a file, to be closed when no longer used. */
export type SqliteRunStore = RunStore & { close(): void };

const DAY_MS = 86_400_000;

/**
 * The record of runs in one SQLite file, for one machine; several processes may use it at once.
 *
 * @throws HarnessError `RECORD_UNAVAILABLE` when the file is damaged, foreign or of a newer version,
 * `STORE_FAILED` when it can't be opened.
 */
export function createSqliteRunStore(options: SqliteRunStoreOptions): SqliteRunStore {
  const { file, clock = systemClock, rawDays = 7 } = options;
  const now = () => toInstant(clock.now());
  const rawExpiry = () => toInstant(clock.now() + rawDays * DAY_MS);
  const database = openDatabase(file, now());

  return {
    createRun: async (run, signal) =>
      inTime('creating the run', signal, () => createRun(database, run)),
    enterRound: async (key, round, signal) =>
      inTime('entering the round', signal, () => enterRound(database, key, round)),
    appendStep: async (key, step, signal) =>
      inTime('appending the step', signal, () => appendStep(database, key, step)),
    openInvocation: async (key, invocation, signal) =>
      inTime('opening the invocation', signal, () => openInvocation(database, key, invocation)),
    startProjection: async (key, toolCallId, raw, signal) =>
      inTime('keeping the raw result', signal, () =>
        startProjection(database, { key, toolCallId }, { raw, expiresAt: rawExpiry() }),
      ),
    settleReady: async (key, toolCallId, settlement, signal) =>
      inTime('settling the invocation', signal, () =>
        settleReady(database, { key, toolCallId }, settlement),
      ),
    settleError: async (key, toolCallId, settlement, signal) =>
      inTime('settling the invocation', signal, () =>
        settleError(database, { key, toolCallId }, settlement),
      ),
    keepLegend: async (key, legend, signal) =>
      inTime('keeping the legend', signal, () =>
        keepLegend(database, key, { legend, expiresAt: rawExpiry() }),
      ),
    settleRun: async (key, settlement, signal) =>
      inTime('settling the run', signal, () => settleRun(database, key, settlement)),
    settleAbandoned: async ({ runId }, settlement, at, signal) =>
      inTime('settling the abandoned run', signal, () =>
        settleAbandoned(database, runId, { settlement, now: at }),
      ),
    requestCancel: async (runId, at, signal) =>
      inTime('asking the run to stop', signal, () => requestCancel(database, runId, at)),
    isCancelRequested: async (runId, signal) =>
      inTime('reading the run', signal, () => isCancelRequested(database, runId)),
    readRun: async (runId, at, signal) =>
      inTime('reading the run', signal, () => readRun(database, runId, at)),
    readRequest: async (runId, signal) =>
      inTime('reading the request', signal, () =>
        readText(database, 'request', { runId, now: now() }),
      ),
    readOutcome: async (runId, signal) =>
      inTime('reading the outcome', signal, () =>
        readText(database, 'outcome', { runId, now: now() }),
      ),
    readInvocations: async (runId, signal) =>
      inTime('reading the invocations', signal, () => readInvocations(database, runId, now())),
    readSteps: async (runId, signal) =>
      inTime('reading the steps', signal, () => readSteps(database, runId, now())),
    listRuns: async (query, at, signal) =>
      inTime('listing the runs', signal, () => listRuns(database, query, at)),
    close: () => database.close(),
  };
}

function openDatabase(file: string, now: string): SqliteDatabase {
  const database = new SqliteDatabase(file);
  try {
    prepareSchema(database);
    purgeRaw(database, now);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite answers at once, so the signal is looked at once, before the work. */
function inTime<Result>(doing: string, signal: AbortSignal, work: () => Result): Result {
  refuseAborted(doing, signal);
  return work();
}
