import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import type { Brain } from '../../functions/cli/stand-in/brain.ts';
import { startConverseServer } from '../../functions/cli/stand-in/converse-server.ts';
import { composeDiagnosis } from '../../functions/diagnosis/composition.ts';
import { diagnose } from '../../functions/diagnosis/diagnose.ts';
import type { WholeRecord } from '../../functions/run-record/record-pages.ts';
import { readWholeRecord } from '../../functions/run-record/whole-record.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { type RunId, RunIdSchema } from '../../shared/contracts/identifiers.ts';
import { systemClock, toInstant } from '../../shared/kernel/clock.ts';
import { createSqliteRunStore, type SqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import { INCIDENT_EVENT, incidentConfiguration } from './incident-configuration.ts';
import { shortConversation } from './short-conversation.ts';

/** A run of the shipped incident that was really executed, and its record in a file. */
export interface RecordedRun extends Disposable {
  readonly runId: RunId;
  readonly outcome: DiagnosisOutcome;
  readonly whole: WholeRecord;
  readonly record: SqliteRunStore;
  readonly clock: typeof systemClock;
  /** The folder that holds `record.sqlite`. */
  readonly dataFolder: string;
}

/** Executes a run: the real SDK, agent, tools, redaction, guard and embedded store. */
export async function aRecordedRun(
  brain: Brain = shortConversation,
  event: Readonly<Record<string, unknown>> = {},
): Promise<RecordedRun> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'recorded-'));
  const file = join(dataFolder, 'record.sqlite');
  const runId = RunIdSchema.parse('run-1');
  const outcome = await execute(brain, file, { ...INCIDENT_EVENT, run_id: runId, ...event });
  const record = createSqliteRunStore({ file });
  const now = toInstant(systemClock.now());
  const whole = await readWholeRecord(record, { runId, now }, new AbortController().signal);
  if (whole === null) throw new Error('the run that was just recorded is not there');
  return {
    runId,
    outcome,
    whole,
    record,
    clock: systemClock,
    dataFolder,
    [Symbol.dispose]() {
      record.close();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

async function execute(brain: Brain, file: string, event: unknown): Promise<DiagnosisOutcome> {
  const server = await startConverseServer({ brain });
  const client = new BedrockRuntimeClient({
    region: 'eu-central-1',
    endpoint: server.url,
    credentials: { accessKeyId: 'stand-in', secretAccessKey: 'stand-in' },
    maxAttempts: 1,
  });
  const configuration = incidentConfiguration({ store: { kind: 'SQLITE', file } });
  try {
    const parts = await composeDiagnosis(configuration, { client });
    return await diagnose(parts, { event, requestId: 'r', remainingMs: 900_000, cancel: null });
  } finally {
    client.destroy();
    await server.close();
  }
}
