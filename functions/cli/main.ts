import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { HarnessError, nameOf } from '../../shared/kernel/errors.ts';
import { type Command, parseCommandLine } from './command-line.ts';
import { HELP } from './help.ts';
import { renderReport } from './report.ts';
import { colours, columnsOf, ProgressLines, printable } from './terminal.ts';

/** Exit codes; stable, so that scripts may rely on them. */
const EXIT = { COMPLETED: 0, DOUBTFUL: 1, WRONG_USE: 2, STOPPED: 3, FAILED: 4 } as const;

/** Runs the terminal once and returns its exit code; every fault a person can mend is one line. */
export async function main(args: readonly string[]): Promise<number> {
  watchStreams();
  try {
    return await run(parseCommandLine(args));
  } catch (error) {
    const isKnown = error instanceof HarnessError;
    const text = isKnown ? error.message : `unexpected failure: ${nameOf(error)}`;
    process.stderr.write(`${printable(text)}\n`);
    return isKnown ? EXIT.WRONG_USE : EXIT.FAILED;
  }
}

/** Loads only what a command needs, so that a wrong use is told at once. */
async function run(command: Command): Promise<number> {
  switch (command.kind) {
    case 'help':
      process.stdout.write(HELP);
      return EXIT.COMPLETED;
    case 'runs': {
      const { listKeptRuns } = await import('./kept-runs.ts');
      process.stdout.write(await listKeptRuns(command.dataFolder));
      return EXIT.COMPLETED;
    }
    case 'show': {
      const { readKeptOutcome } = await import('./kept-runs.ts');
      return print(await readKeptOutcome(command.dataFolder, command.runId), command.isJson);
    }
    case 'record': {
      const { exportRecord } = await import('./verify-command.ts');
      process.stdout.write(await exportRecord(command.runId, command.dataFolder));
      return EXIT.COMPLETED;
    }
    case 'verify': {
      const { verify } = await import('./verify-command.ts');
      const { text, holds } = await verify(command.subject, command.dataFolder);
      process.stdout.write(text);
      return holds ? EXIT.COMPLETED : EXIT.DOUBTFUL;
    }
    case 'diagnose': {
      const { runDiagnosis } = await import('./diagnose-command.ts');
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
    : renderReport(outcome, { paint: colours(process.stdout), columns: columnsOf(process.stdout) });
  process.stdout.write(text);
  return EXIT[outcome.status];
}

/** The first Ctrl-C (or SIGTERM) asks the run to stop; a second one ends the program as usual. */
function cancelOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}

/**
 * A reader that has gone away must not cost the run: progress is lost in silence. An answer that
 * can't be written is a failure, unless its reader had simply had enough.
 */
function watchStreams(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`the output cannot be written: ${nameOf(error)}\n`);
    process.exitCode = EXIT.FAILED;
  });
}
