import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { HarnessError, nameOf } from '../../shared/kernel/errors.ts';
import { type Command, parseCommandLine } from './command-line.ts';
import { runDiagnosis } from './diagnose-command.ts';
import { HELP } from './help.ts';
import { listKeptRuns, readKeptOutcome } from './kept-runs.ts';
import { renderReport } from './report.ts';
import { colours, ProgressLines, printable } from './terminal.ts';
import { exportRecord, verify } from './verify-command.ts';

/** Exit codes; stable, so that scripts may rely on them. */
const EXIT = { COMPLETED: 0, DOUBTFUL: 1, WRONG_USE: 2, STOPPED: 3, FAILED: 4 } as const;

/** Runs the terminal once and returns its exit code; every fault a person can mend is one line. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await run(parseCommandLine(args));
  } catch (error) {
    const isKnown = error instanceof HarnessError;
    const text = isKnown ? error.message : `unexpected failure: ${nameOf(error)}`;
    process.stderr.write(`${printable(text)}\n`);
    return isKnown ? EXIT.WRONG_USE : EXIT.FAILED;
  }
}

async function run(command: Command): Promise<number> {
  switch (command.kind) {
    case 'help':
      process.stdout.write(HELP);
      return EXIT.COMPLETED;
    case 'runs':
      process.stdout.write(await listKeptRuns(command.dataFolder));
      return EXIT.COMPLETED;
    case 'show':
      return print(await readKeptOutcome(command.dataFolder, command.runId), command.isJson);
    case 'record':
      process.stdout.write(await exportRecord(command.runId, command.dataFolder));
      return EXIT.COMPLETED;
    case 'verify': {
      const { text, holds } = await verify(command.subject, command.dataFolder);
      process.stdout.write(text);
      return holds ? EXIT.COMPLETED : EXIT.DOUBTFUL;
    }
    case 'diagnose': {
      const lines = new ProgressLines(process.stderr);
      try {
        const outcome = await runDiagnosis(command, lines, cancelOnInterrupt());
        lines.end();
        return print(outcome, command.isJson);
      } finally {
        lines.end();
      }
    }
  }
}

function print(outcome: DiagnosisOutcome, isJson: boolean): number {
  const text = isJson
    ? `${JSON.stringify(outcome)}\n`
    : renderReport(outcome, colours(process.stdout));
  process.stdout.write(text);
  return EXIT[outcome.status];
}

/** The first Ctrl-C asks the run to stop; a second one ends the program as usual. */
function cancelOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}
