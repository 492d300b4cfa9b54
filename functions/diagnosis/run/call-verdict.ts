import type { ToolCallId } from '../../../shared/contracts/identifiers.ts';
import type { MissingField } from '../../../shared/contracts/observation.ts';
import type { AskedQuestion } from './call-ledger.ts';
import type { RunContext } from './run-context.ts';
import { RunStoppedError } from './stop.ts';

/** A tool call as the model asked it, already looked at by who knows the tools. */
export interface AskedCall {
  readonly toolCallId: ToolCallId;
  readonly ask:
    | { readonly kind: 'unknown' }
    | { readonly kind: 'invalid'; readonly fields: readonly string[] }
    | { readonly kind: 'playbook' }
    | {
        readonly kind: 'evidence';
        readonly question: AskedQuestion;
        /** `previous_observation` as given. */
        readonly given: unknown;
      };
}

/** What is to become of a call. `notice`: its observation tells the model to stop as well. */
export type Verdict =
  | { readonly kind: 'run'; readonly notice: boolean }
  | {
      readonly kind: 'refuse';
      readonly errorCode: 'UNKNOWN_TOOL' | 'INVALID_INPUT';
      readonly fields: readonly string[];
      readonly notice: boolean;
    }
  | {
      readonly kind: 'repair';
      readonly missingField: MissingField;
      readonly expectedToolCallId: ToolCallId;
    }
  | { readonly kind: 'duplicate'; readonly equivalentToolCallId: ToolCallId }
  | { readonly kind: 'stop' };

/**
 * Decides one call before anything of it runs: stopped? known? valid? evaluation settled? asked
 * before? The budget is part of the first question, since what it keeps back is owed to the draft.
 *
 * @throws RunStoppedError when the model asks on after it was told to stop, and when the run is over
 */
export function judgeCall(run: RunContext, { ask }: AskedCall): Verdict {
  run.assertAlive();
  const told = run.progress.stopToldBeforeThisRound;
  if (told !== null) throw new RunStoppedError(told);
  const notice = isLastRoundOfCalls(run);
  if (isStopped(run, notice)) return { kind: 'stop' };
  if (ask.kind === 'unknown') {
    return { kind: 'refuse', errorCode: 'UNKNOWN_TOOL', fields: [], notice };
  }
  if (ask.kind === 'invalid') {
    return { kind: 'refuse', errorCode: 'INVALID_INPUT', fields: ask.fields, notice };
  }
  if (ask.kind === 'playbook') return { kind: 'run', notice };
  const objection = objectionTo(run, ask);
  if (objection === null) return { kind: 'run', notice };
  return notice ? { kind: 'stop' } : objection;
}

/** The last round but one: its calls still run, and the model is told that they were the last. */
function isLastRoundOfCalls(run: RunContext): boolean {
  if (run.budget.roundsLeft() !== 1 || run.progress.stopReason !== null) {
    return run.budget.roundsLeft() === 1 && run.progress.stopReason === 'MODEL_CALLS_EXHAUSTED';
  }
  if (run.stopWhereDue() !== null) return false;
  run.progress.stop('MODEL_CALLS_EXHAUSTED');
  return true;
}

/** In the last round of calls the run is stopped already, so what is left is asked afresh. */
function isStopped(run: RunContext, isLastRoundOfCalls: boolean): boolean {
  if (!isLastRoundOfCalls) return run.stopWhereDue() !== null;
  return run.budget.refusalOfToolCall() !== null || run.clock.now() >= run.deadline.toolCutoff();
}

function objectionTo(
  { progress, ledger }: RunContext,
  { question, given }: Extract<AskedCall['ask'], { kind: 'evidence' }>,
): Exclude<Verdict, { kind: 'run' | 'refuse' }> | null {
  const repair = progress.demandEvaluation(given);
  if (repair !== null) return repair;
  const equivalent = ledger.equivalentOf(question);
  return equivalent === null ? null : { kind: 'duplicate', equivalentToolCallId: equivalent };
}
