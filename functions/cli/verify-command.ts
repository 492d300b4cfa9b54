import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type RunId, RunIdSchema } from '../../shared/contracts/identifiers.ts';
import { systemClock, toInstant } from '../../shared/kernel/clock.ts';
import { HarnessError, hasCode } from '../../shared/kernel/errors.ts';
import { openSqliteRawResults } from '../../shared/store/sqlite-raw.ts';
import { createSqliteRunStore } from '../../shared/store/sqlite-run-store.ts';
import { loadPlaybooks } from '../diagnosis/agent/playbooks.ts';
import { loadQueryCatalog } from '../diagnosis/tools/query-mysql/query-catalog.ts';
import { recordPages, type WholeRecord } from '../run-record/record-pages.ts';
import { readWholeRecord } from '../run-record/whole-record.ts';
import { recordFile } from './composition.ts';
import { printable } from './terminal.ts';
import { type Finding, foundBy } from './verification/doubts.ts';
import { readExport } from './verification/export-file.ts';
import { type AtHand, verifyRecord } from './verification/verify-record.ts';

/** What a verification came to: what to print, and whether nothing speaks against the record. */
export interface Verification {
  readonly text: string;
  readonly holds: boolean;
}

const PLAYBOOKS = fileURLToPath(new URL('../../skills', import.meta.url));
/** A reader of the local record must not wait; milliseconds. */
const READ_TIMEOUT_MS = 5_000;
/** An export is a few hundred kilobytes; more than this is none. */
const MOST_EXPORT_BYTES = 256 * 1024 * 1024;

/**
 * Verifies an exported record, or a run of the local one.
 *
 * @throws HarnessError `USAGE` when it is neither a file nor a run that is kept
 */
export async function verify(subject: string, dataFolder: string): Promise<Verification> {
  const findings = existsSync(subject)
    ? await findingsOfFile(subject)
    : await findingsOfRun(subject, dataFolder);
  const holds = findings.every(({ kind }) => kind !== 'doubtful');
  return { text: render(subject, findings, holds), holds };
}

/**
 * The record of a kept run as `functions/run-record` gives it out, all pages in one JSON array.
 *
 * @throws HarnessError `USAGE` when there is no such run
 */
export async function exportRecord(runId: string, dataFolder: string): Promise<string> {
  return `${JSON.stringify(recordPages(await keptRecord(runId, dataFolder)))}\n`;
}

async function findingsOfFile(file: string): Promise<readonly Finding[]> {
  const { record, doubts } = readExport(fileBytes(file));
  const form = foundBy('form', 'byte for byte as it was exported, no page missing', doubts);
  if (record === null) return [form];
  return [form, ...verifyRecord(record, await atHand(null))];
}

function fileBytes(file: string): Uint8Array {
  try {
    const bytes = readFileSync(file);
    if (bytes.byteLength <= MOST_EXPORT_BYTES) return bytes;
  } catch (cause) {
    throw new HarnessError('USAGE', `${file} cannot be read`, { cause });
  }
  throw new HarnessError('USAGE', `${file} is too large for an exported record`);
}

async function findingsOfRun(runId: string, dataFolder: string): Promise<readonly Finding[]> {
  try {
    const record = await keptRecord(runId, dataFolder);
    const raw = openSqliteRawResults(recordFile(dataFolder));
    const form = foundBy('form', 'every item keeps its contract', []);
    try {
      const rawOf = (toolCallId: string) => raw.read(record.run.run_id, toolCallId);
      return [form, ...verifyRecord(record, await atHand(rawOf))];
    } finally {
      raw.close();
    }
  } catch (error) {
    if (!hasCode(error, 'RECORD_UNAVAILABLE')) throw error;
    return [foundBy('form', '', [error.message])];
  }
}

async function keptRecord(text: string, dataFolder: string): Promise<WholeRecord> {
  const runId = toRunId(text);
  const file = recordFile(dataFolder);
  if (!existsSync(file)) throw noSuchRun(text, dataFolder);
  const store = createSqliteRunStore({ file });
  try {
    const now = toInstant(systemClock.now());
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    const record = await readWholeRecord(store, { runId, now }, signal);
    if (record === null) throw noSuchRun(text, dataFolder);
    return record;
  } finally {
    store.close();
  }
}

async function atHand(rawOf: AtHand['rawOf']): Promise<AtHand> {
  const catalog = await loadQueryCatalog({ playbooksFolder: PLAYBOOKS });
  return { playbooks: loadPlaybooks(PLAYBOOKS), catalog, rawOf };
}

function toRunId(text: string): RunId {
  const parsed = RunIdSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new HarnessError('USAGE', `"${text}" is neither a file nor a run id`);
}

function noSuchRun(runId: string, dataFolder: string): HarnessError<'USAGE'> {
  const fault = `there is no file "${runId}", and no run of that id is kept in ${dataFolder}`;
  return new HarnessError('USAGE', fault);
}

function render(subject: string, findings: readonly Finding[], holds: boolean): string {
  const lines = findings.flatMap(linesOf);
  const doubts = findings.flatMap((finding) => (finding.kind === 'doubtful' ? finding.doubts : []));
  const verdict = holds
    ? 'it holds: whatever was checked is as the record says'
    : `it does not hold: ${doubts.length} ${doubts.length === 1 ? 'doubt' : 'doubts'}`;
  return `${printable([subject, ...lines, verdict].join('\n'))}\n`;
}

function linesOf(finding: Finding): readonly string[] {
  const name = finding.name.padEnd(11);
  switch (finding.kind) {
    case 'holds':
      return [`  holds  ${name}  ${finding.what}`];
    case 'not_checked':
      return [`  -      ${name}  ${finding.name}: not checked, ${finding.why}`];
    case 'doubtful':
      return finding.doubts.map((doubt) => `  DOUBT  ${name}  ${doubt}`);
  }
}
