import type { Limits } from '../../../shared/contracts/budget.ts';
import { MAX_DRAFT_BYTES } from '../../../shared/contracts/diagnosis-draft.ts';
import type { Usage } from '../../../shared/contracts/diagnosis-outcome.ts';
import { MAX_OBSERVATION_BYTES } from '../../../shared/contracts/observation.ts';
import type { TokenUsage } from '../../../shared/contracts/step.ts';
import type { StopReason } from '../../../shared/contracts/stop-reason.ts';

type Spent = Omit<Usage, 'limits' | 'time_ms'>;

/**
 * The spending account of one run.
 *
 * Rounds and tool calls are known beforehand, so they are counted when they begin. Tokens are known
 * only once the model has answered: a round may overdraw them, and the round after it is refused.
 * Bytes are UTF-8. The account never waits, reads a clock or does I/O.
 */
export class RunBudget {
  readonly limits: Limits;
  readonly #maxTokensPerRound: number;
  readonly #spent: Spent = {
    model_calls: 0,
    tool_calls: 0,
    bytes: 0,
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    rounds_without_usage: 0,
  };
  #lastInputTokens = 0;
  #newObservationBytes = 0;

  /** @param maxTokensPerRound - tokens that one answer of the model may take, as sent with each round */
  constructor(limits: Limits, maxTokensPerRound: number) {
    this.limits = limits;
    this.#maxTokensPerRound = maxTokensPerRound;
  }

  /** Why no further round may begin, or null. */
  refusalOfRound(): StopReason | null {
    if (this.roundsLeft() < 1) return 'MODEL_CALLS_EXHAUSTED';
    if (this.#tokensLeft() < 1) return 'TOKENS_EXHAUSTED';
    if (this.#bytesLeft() < 1) return 'BYTES_EXHAUSTED';
    return null;
  }

  /** Why no further evidence may be collected, or null: what is left is kept for the draft. */
  refusalOfToolCall(): StopReason | null {
    if (this.#spent.tool_calls >= this.limits.tool_calls) return 'TOOL_CALLS_EXHAUSTED';
    if (this.#tokensLeft() < this.#tokenReserve()) return 'TOKENS_EXHAUSTED';
    if (this.#bytesLeft() < MAX_OBSERVATION_BYTES + MAX_DRAFT_BYTES) return 'BYTES_EXHAUSTED';
    return null;
  }

  roundsLeft(): number {
    return this.limits.model_calls - this.#spent.model_calls;
  }

  /** Counts a round in. */
  beginRound(): void {
    this.#spent.model_calls += 1;
  }

  /** Books what the service said a round took; null when it said nothing. */
  recordUsage(usage: TokenUsage | null): void {
    this.#newObservationBytes = 0;
    if (usage === null) {
      this.#spent.rounds_without_usage += 1;
      return;
    }
    this.#spent.input_tokens += usage.input_tokens;
    this.#spent.output_tokens += usage.output_tokens;
    this.#spent.cache_read_tokens += usage.cache_read_tokens;
    this.#spent.cache_write_tokens += usage.cache_write_tokens;
    this.#lastInputTokens = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
  }

  /** Counts an opened invocation. */
  openToolCall(): void {
    this.#spent.tool_calls += 1;
  }

  /** Books the one user message. */
  recordUserMessage(bytes: number): void {
    this.#spent.bytes += bytes;
  }

  /** Books an observation that goes to the model. */
  recordObservation(bytes: number): void {
    this.#spent.bytes += bytes;
    this.#newObservationBytes += bytes;
  }

  /** Books the draft if it fits; false leaves the account as it was. */
  acceptDraft(bytes: number): boolean {
    if (bytes > this.#bytesLeft()) return false;
    this.#spent.bytes += bytes;
    return true;
  }

  /** The account as it may be published; `timeMs` is the run's duration so far in milliseconds. */
  usage(timeMs: number): Usage {
    const { model_calls, tool_calls, bytes, ...tokens } = this.#spent;
    return { model_calls, tool_calls, bytes, time_ms: timeMs, ...tokens, limits: this.limits };
  }

  #tokensLeft(): number {
    const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = this.#spent;
    const spent = input_tokens + output_tokens + cache_read_tokens + cache_write_tokens;
    return this.limits.tokens - spent;
  }

  #bytesLeft(): number {
    return this.limits.bytes - this.#spent.bytes;
  }

  /** What one more round would take: the last input, what was added since, and a whole answer. */
  #tokenReserve(): number {
    return (
      this.#lastInputTokens + Math.ceil(this.#newObservationBytes / 2) + this.#maxTokensPerRound
    );
  }
}
