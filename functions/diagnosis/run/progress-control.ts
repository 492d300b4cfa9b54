import type { Evaluation } from '../../../shared/contracts/envelope.ts';
import { EvaluationSchema, PreviousObservationSchema } from '../../../shared/contracts/envelope.ts';
import type { ToolCallId } from '../../../shared/contracts/identifiers.ts';
import type { MissingField } from '../../../shared/contracts/observation.ts';
import type { StopReason } from '../../../shared/contracts/stop-reason.ts';

/** Rounds without gain after which more collecting is not worth its price. */
const SATURATING_STREAK = 3;
/** Rounds in a row that had to be sent back for their evaluation. */
const MOST_REPAIRS = 2;

/**
 * How a tool call was answered, as far as progress goes. `SOURCE_ERROR` is a source that could not
 * be read; `REFUSED` is any other answer that brought nothing: a bad input, an unknown name, a
 * repeated call.
 */
export type Answer =
  | 'EVIDENCE_FOUND'
  | 'NO_EVIDENCE'
  | 'SOURCE_ERROR'
  | 'REFUSED'
  | 'REPAIR'
  | 'PLAYBOOK'
  | 'STOP';

/** A call that may settle the pending evaluation: its id, and its `previous_observation` as given. */
export interface Claim {
  readonly toolCallId: ToolCallId;
  readonly given: unknown;
}

/** An evaluation that was settled, and the call that gave it. */
export interface SettledEvaluation {
  readonly toolCallId: ToolCallId;
  readonly evaluation: Evaluation;
  readonly givenBy: ToolCallId;
}

export type Repair =
  | {
      readonly kind: 'repair';
      readonly missingField: MissingField;
      readonly expectedToolCallId: ToolCallId;
    }
  | { readonly kind: 'stop' };

/**
 * Progress of one run, judged once per round: which evidence waits for its evaluation, how many
 * rounds brought nothing, whether collection has stopped and since when the model knows. A stop is
 * final. No I/O, no clock.
 */
export class ProgressControl {
  #round = 0;
  #pending: ToolCallId | null = null;
  #answers: { readonly toolCallId: ToolCallId; readonly answer: Answer }[] = [];
  #streak = 0;
  #streakIsUnavailability = true;
  #repairs = 0;
  #repairedRound = 0;
  #stopReason: StopReason | null = null;
  #noticeRound: number | null = null;

  get round(): number {
    return this.#round;
  }

  get stopReason(): StopReason | null {
    return this.#stopReason;
  }

  get pending(): ToolCallId | null {
    return this.#pending;
  }

  /** The reason for the stop that the model knew of before this round began, or null. */
  get stopToldBeforeThisRound(): StopReason | null {
    const toldBefore = this.#noticeRound !== null && this.#noticeRound < this.#round;
    return toldBefore ? this.#stopReason : null;
  }

  /** Ends the round before and begins the next. */
  beginRound(): void {
    this.#closeRound();
    this.#round += 1;
  }

  /** Stops collection. The first reason is kept, and returned. */
  stop(reason: StopReason): StopReason {
    this.#stopReason ??= reason;
    return this.#stopReason;
  }

  /** Notes that an observation of this round told the model to stop. */
  deliverNotice(): void {
    this.#noticeRound ??= this.#round;
  }

  /**
   * Looks through all calls of a round before any of them runs: the first that names the pending
   * call with a valid evaluation settles it for the whole round.
   */
  settle(claims: readonly Claim[]): SettledEvaluation | null {
    for (const { toolCallId, given } of claims) {
      const claim = PreviousObservationSchema.safeParse(given);
      if (claim.success && claim.data.tool_call_id === this.#pending) {
        return this.#evaluate(this.#pending, claim.data.evaluation, toolCallId);
      }
    }
    return null;
  }

  /** What this call has to be sent back for, or null when no evaluation is owed. */
  demandEvaluation(given: unknown): Repair | null {
    if (this.#pending === null) return null;
    if (this.#repairedRound !== this.#round) {
      this.#repairedRound = this.#round;
      this.#repairs += 1;
    }
    if (this.#repairs >= MOST_REPAIRS) {
      this.stop('INFORMATION_SATURATED');
      return { kind: 'stop' };
    }
    const missingField = missingFieldOf(given, this.#pending);
    return { kind: 'repair', missingField, expectedToolCallId: this.#pending };
  }

  /** Notes how a call of this round was answered. */
  record(toolCallId: ToolCallId, answer: Answer): void {
    this.#answers.push({ toolCallId, answer });
  }

  #evaluate(pending: ToolCallId, evaluation: Evaluation, givenBy: ToolCallId): SettledEvaluation {
    this.#pending = null;
    this.#repairs = 0;
    if (evaluation === 'GAINED') this.#resetStreak();
    else this.#extendStreak(false);
    return { toolCallId: pending, evaluation, givenBy };
  }

  #closeRound(): void {
    const answers = this.#answers;
    this.#answers = [];
    const found = answers.findLast(({ answer }) => answer === 'EVIDENCE_FOUND');
    if (found !== undefined) {
      this.#pending = found.toolCallId;
      return;
    }
    const fruitless = answers.filter(({ answer }) => !isBesideThePoint(answer));
    if (fruitless.length === 0) return;
    this.#extendStreak(fruitless.every(({ answer }) => answer === 'SOURCE_ERROR'));
  }

  #resetStreak(): void {
    this.#streak = 0;
    this.#streakIsUnavailability = true;
  }

  #extendStreak(sourcesFailed: boolean): void {
    this.#streak += 1;
    this.#streakIsUnavailability &&= sourcesFailed;
    if (this.#streak < SATURATING_STREAK) return;
    this.stop(this.#streakIsUnavailability ? 'EVIDENCE_UNAVAILABLE' : 'INFORMATION_SATURATED');
  }
}

/** Answers that say nothing about whether evidence is to be had. */
function isBesideThePoint(answer: Answer): boolean {
  return answer === 'REPAIR' || answer === 'PLAYBOOK' || answer === 'STOP';
}

/** Which part is at fault; a claim whose parts are right has more of them than it may. */
function missingFieldOf(given: unknown, pending: ToolCallId): MissingField {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return 'previous_observation';
  }
  const { tool_call_id: named, evaluation } = given as Record<string, unknown>; // the model's own JSON
  if (named !== pending) return 'previous_observation.tool_call_id';
  return EvaluationSchema.safeParse(evaluation).success
    ? 'previous_observation'
    : 'previous_observation.evaluation';
}
