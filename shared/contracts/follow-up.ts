import type { DiagnosisOutcome } from './diagnosis-outcome.ts';
import type { PreviousTurn } from './previous-turn.ts';

/**
 * The previous turn that an outcome makes for a follow-up. Nothing is cut: a turn that does not fit
 * its limits is refused with the request that brings it.
 */
export function previousTurnOf({ run_id, as_of, query, draft }: DiagnosisOutcome): PreviousTurn {
  return {
    run_id,
    as_of,
    query,
    conclusion: draft?.conclusion ?? null,
    missing_info: draft?.limitations.missing_info ?? [],
  };
}
