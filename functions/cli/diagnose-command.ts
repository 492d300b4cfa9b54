import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LimitsSchema } from '../../shared/contracts/budget.ts';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { systemClock, toInstant } from '../../shared/kernel/clock.ts';
import { HarnessError } from '../../shared/kernel/errors.ts';
import { admitRequest } from '../diagnosis/admission.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { type Capsule, openCapsule } from './capsule.ts';
import type { DiagnoseCommand } from './command-line.ts';
import { composeLocal } from './composition.ts';
import { liveLines } from './live-lines.ts';
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
  const event = toEvent(command, capsule);
  const requestId = newRunId();
  // The use case admits it again; here a bad request is refused before anything is written.
  admitRequest(event, { requestId, now: systemClock.now(), limits: LimitsSchema.parse({}) });
  await using local = await composeLocal(command, capsule, {
    hook: liveLines(lines),
    reportFault: ({ name, toolCallId }) => lines.line(`  fault: ${name} ${toolCallId ?? ''}`),
  });
  lines.line(printable(`${capsule.incident.title}  (${modelText(command)})`));
  lines.wait('waiting for the model');
  return await diagnose(local.parts, {
    event,
    requestId,
    remainingMs: TERMINAL_MS,
    cancel,
  });
}

function toEvent({ query, previousTurnFile }: DiagnoseCommand, { incident }: Capsule): unknown {
  return {
    query: query ?? incident.query,
    as_of: incident.as_of,
    ...(incident.bindings !== undefined && { bindings: incident.bindings }),
    ...(previousTurnFile !== null && { previous_turn: readPreviousTurn(previousTurnFile) }),
  };
}

function readPreviousTurn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new HarnessError('USAGE', `--previous-turn ${file} cannot be read as JSON`, { cause });
  }
}

/** Sorts by time and never repeats. */
function newRunId(): string {
  const stamp = toInstant(systemClock.now())
    .replace(/\.\d+Z$/, '')
    .replace(/[-:]/g, '')
    .replace('T', '-');
  return `run-${stamp}-${randomUUID().slice(0, 8)}`;
}

function modelText({ model, modelId, handFolder }: DiagnoseCommand): string {
  switch (model) {
    case 'offline':
      return 'offline stand-in: a small rule-based program, no language model';
    case 'bedrock':
      return `Amazon Bedrock ${modelId ?? ''}`;
    case 'by-hand':
      return `by hand: answers are awaited in ${handFolder}`;
  }
}
