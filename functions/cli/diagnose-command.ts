import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { LimitsSchema } from '../../shared/contracts/budget.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { systemClock, toInstant } from '../../shared/kernel/clock.ts';
import { admitRequest } from '../diagnosis/admission.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { type Capsule, gapsOf, openCapsule } from './capsule.ts';
import type { DiagnoseCommand } from './command-line.ts';
import { composeLocal } from './composition.ts';
import { liveLines } from './live-lines.ts';
import { previousTurnFor } from './previous-turn.ts';
import { type ProgressLines, printable } from './terminal.ts';

/** A terminal has no Lambda around it; it counts the longest one as remaining. Milliseconds. */
const TERMINAL_MS = 900_000;

/**
 * Diagnoses an incident on this machine.
 *
 * @throws HarnessError `USAGE`, `INVALID_REQUEST`, `CONFIGURATION_INVALID` for what a person can mend
 */
export async function runDiagnosis(
  command: DiagnoseCommand,
  lines: ProgressLines,
  cancel: AbortSignal,
): Promise<DiagnosisOutcome> {
  const capsule = openCapsule(command.incident);
  const requestId = newRunId();
  const event = toEvent(command, capsule, await previousTurnFor(command));
  const handFolder = command.handFolder ?? join(command.dataFolder, 'by-hand', requestId);
  // The use case admits it again; here a bad request is refused before anything is written.
  admitRequest(event, { requestId, now: systemClock.now(), limits: LimitsSchema.parse({}) });
  await using local = await composeLocal({ ...command, handFolder }, capsule, {
    hook: liveLines(lines),
    reportFault: ({ name, toolCallId }) =>
      lines.line(printable(`  fault: ${[name, toolCallId].join(' ').trimEnd()}`)),
  });
  lines.line(printable(`${capsule.incident.title}  (${modelText(command, handFolder)})`));
  for (const gap of gapsOf(capsule)) lines.line(printable(`  note: ${gap}`));
  lines.wait('waiting for the model');
  return await diagnose(local.parts, {
    event,
    requestId,
    remainingMs: TERMINAL_MS,
    cancel,
  });
}

function toEvent(
  { query }: DiagnoseCommand,
  { incident }: Capsule,
  previousTurn: unknown,
): unknown {
  return {
    query: query ?? incident.query,
    as_of: incident.as_of,
    ...(incident.bindings !== undefined && { bindings: incident.bindings }),
    ...(previousTurn !== undefined && { previous_turn: previousTurn }),
  };
}

/** Sorts by time and never repeats. */
function newRunId(): string {
  const stamp = toInstant(systemClock.now())
    .replace(/\.\d+Z$/, '')
    .replace(/[-:]/g, '')
    .replace('T', '-');
  return `run-${stamp}-${randomUUID().slice(0, 8)}`;
}

function modelText({ model, modelId }: DiagnoseCommand, handFolder: string): string {
  switch (model) {
    case 'offline':
      return 'offline stand-in: a small rule-based program, no language model';
    case 'bedrock':
      return `Amazon Bedrock ${modelId ?? ''}`;
    case 'by-hand':
      return `by hand: each round leaves its request in ${handFolder} and says there how to answer`;
  }
}
