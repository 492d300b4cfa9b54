/**
 * Why something was refused or given up on purpose. Codes are part of the contract: each names one
 * cause and never changes its meaning.
 */
export type HarnessErrorCode =
  | 'INVALID_REQUEST'
  | 'DEADLINE_TOO_SHORT'
  | 'RUN_CONFLICT'
  | 'RUN_IN_PROGRESS'
  | 'RUN_EXPIRED'
  | 'RECORD_UNAVAILABLE'
  | 'CONFIGURATION_INVALID'
  | 'RUN_STOPPED'
  | 'MODEL_FAILED'
  | 'STORE_FAILED'
  | 'USAGE';

/** Root of every failure the harness raises on purpose; anything else is an accident. */
export class HarnessError<Code extends HarnessErrorCode = HarnessErrorCode> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = code; // Bundlers shorten class names; the code survives them.
  }
}

/** True for an error raised on purpose with this code. */
export function hasCode<Code extends HarnessErrorCode>(
  error: unknown,
  code: Code,
): error is HarnessError<Code> {
  return error instanceof HarnessError && error.code === code;
}
