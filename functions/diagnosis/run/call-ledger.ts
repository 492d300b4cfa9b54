import type { ToolCallId } from '../../../shared/contracts/identifiers.ts';
import type { ErrorCode } from '../../../shared/contracts/observation.ts';
import type { EvidenceToolName } from '../../../shared/contracts/tool-inputs.ts';

/** What makes two calls ask the same. */
export interface AskedQuestion {
  readonly toolName: EvidenceToolName;
  readonly key: string;
  /** Minutes of a window that may differ by ten per cent, or null where nothing may differ. */
  readonly lookbackMinutes: number | null;
}

interface Entry {
  readonly toolCallId: ToolCallId;
  readonly question: AskedQuestion;
  failedForNow: boolean;
  askedAgain: boolean;
}

/** Errors that may be gone a moment later, so that asking once more makes sense. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'TOOL_TIMEOUT',
  'SOURCE_UNAVAILABLE',
  'SOURCE_THROTTLED',
]);

/** Windows within this share of the longer one ask the same. */
const WINDOW_TOLERANCE = 0.1;

/** The calls of one run that opened an invocation, and which of them ask the same. */
export class CallLedger {
  readonly #entries: Entry[] = [];

  /**
   * The earlier call that asks the same, or null when this one may run. After a transient error the
   * same may be asked once more.
   */
  equivalentOf(question: AskedQuestion): ToolCallId | null {
    const last = this.#lastLike(question);
    return last === undefined || mayBeAskedAgain(last) ? null : last.toolCallId;
  }

  /** Enters a call whose invocation was opened. */
  open(toolCallId: ToolCallId, question: AskedQuestion): void {
    const askedAgain = this.#lastLike(question) !== undefined;
    this.#entries.push({ toolCallId, question, failedForNow: false, askedAgain });
  }

  /** Notes how a call failed. */
  recordError(toolCallId: ToolCallId, code: ErrorCode): void {
    const entry = this.#entries.find((candidate) => candidate.toolCallId === toolCallId);
    if (entry !== undefined) entry.failedForNow = TRANSIENT.has(code);
  }

  #lastLike(question: AskedQuestion): Entry | undefined {
    return this.#entries.findLast((entry) => asksTheSame(entry.question, question));
  }
}

function mayBeAskedAgain(entry: Entry): boolean {
  return entry.failedForNow && !entry.askedAgain;
}

function asksTheSame(a: AskedQuestion, b: AskedQuestion): boolean {
  if (a.toolName !== b.toolName || a.key !== b.key) return false;
  if (a.lookbackMinutes === null || b.lookbackMinutes === null) return true;
  const longer = Math.max(a.lookbackMinutes, b.lookbackMinutes);
  return Math.abs(a.lookbackMinutes - b.lookbackMinutes) <= WINDOW_TOLERANCE * longer;
}
