import type { Evaluation } from '../../../shared/contracts/envelope.ts';
import type { ToolCallId } from '../../../shared/contracts/identifiers.ts';
import type { Check, ProgressSnapshot } from '../../../shared/contracts/progress-snapshot.ts';

/** The settled checks of one run, in the order they were settled. */
export class SettledChecks {
  readonly #checks: Check[] = [];

  /** Adds a check whose invocation is READY. */
  add(check: Omit<Check, 'evaluation'>): void {
    const { tool_call_id, tool_name, scope, evidence_status, facts } = check;
    this.#checks.push({ tool_call_id, tool_name, scope, evidence_status, evaluation: null, facts });
  }

  /** Notes the model's evaluation of a check. */
  evaluate(toolCallId: ToolCallId, evaluation: Evaluation): void {
    const index = this.#checks.findIndex((check) => check.tool_call_id === toolCallId);
    const check = this.#checks[index];
    if (check !== undefined) this.#checks[index] = { ...check, evaluation };
  }

  /** What may be published of the run's progress; null when nothing was settled. */
  snapshot(): ProgressSnapshot | null {
    return this.#checks.length === 0 ? null : { checks: [...this.#checks] };
  }
}
