import { readFileSync } from 'node:fs';
import { DiagnosisOutcomeSchema } from '../../shared/contracts/diagnosis-outcome.ts';
import { previousTurnOf } from '../../shared/contracts/follow-up.ts';
import { HarnessError } from '../../shared/kernel/errors.ts';
import type { DiagnoseCommand } from './command-line.ts';
import { readKeptOutcome } from './kept-runs.ts';

/**
 * The turn before, as a follow-up sends it: made from a kept run, from a file that holds an outcome,
 * or read as it stands. Undefined when there is none; admission checks it like any other request.
 *
 * @throws HarnessError `USAGE` when the file or the run can't be read
 */
export async function previousTurnFor({
  follow,
  previousTurnFile,
  dataFolder,
}: DiagnoseCommand): Promise<unknown> {
  if (follow !== null) return previousTurnOf(await readKeptOutcome(dataFolder, follow));
  if (previousTurnFile === null) return undefined;
  const content = readJson(previousTurnFile);
  const outcome = DiagnosisOutcomeSchema.safeParse(content);
  return outcome.success ? previousTurnOf(outcome.data) : content;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (cause) {
    throw new HarnessError('USAGE', `--previous-turn ${file} cannot be read as JSON`, { cause });
  }
}
