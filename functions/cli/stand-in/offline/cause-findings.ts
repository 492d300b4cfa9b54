import type { Cause, Playbook, Signal } from './playbook.ts';
import { type FoundSignal, findSignal, type ShownLine } from './shown-evidence.ts';

export interface CauseFinding {
  readonly cause: Cause;
  readonly found: readonly FoundSignal[];
  readonly missing: readonly Signal[];
  /** Signals against the cause that were shown all the same. */
  readonly against: readonly FoundSignal[];
  readonly isSupported: boolean;
}

/**
 * Holds every cause of a playbook against what was shown. A cause without signals is never supported.
 */
export function findCauses(
  playbook: Playbook | null,
  lines: readonly ShownLine[],
): readonly CauseFinding[] {
  return (playbook?.causes ?? []).map((cause) => {
    const found = cause.signals.flatMap((signal) => findSignal(signal, lines));
    const missing = cause.signals.filter((signal) => findSignal(signal, lines).length === 0);
    const against = cause.counterSignals.flatMap((signal) => findSignal(signal, lines));
    const isSupported = found.length > 0 && missing.length === 0 && against.length === 0;
    return { cause, found, missing, against, isSupported };
  });
}
