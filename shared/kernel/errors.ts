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

/**
 * Names of the errors that leave a Lambda: Lambda reports `error.name` as the error type that a
 * caller matches. Literals, since a bundler shortens class names.
 */
const CALLER_NAMES: Partial<Record<HarnessErrorCode, string>> = {
  INVALID_REQUEST: 'InvalidRequestError',
  DEADLINE_TOO_SHORT: 'DeadlineTooShortError',
  RUN_CONFLICT: 'RunConflictError',
  RUN_IN_PROGRESS: 'RunInProgressError',
  RUN_EXPIRED: 'RunExpiredError',
  RECORD_UNAVAILABLE: 'RecordUnavailableError',
};

/** Every name under which an error leaves a Lambda. */
export const CALLER_ERROR_NAMES: readonly string[] = Object.values(CALLER_NAMES);

/** Root of every failure the harness raises on purpose; anything else is an accident. */
export class HarnessError<Code extends HarnessErrorCode = HarnessErrorCode> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = CALLER_NAMES[code] ?? code;
  }
}

/** True for an error raised on purpose with this code. */
export function hasCode<Code extends HarnessErrorCode>(
  error: unknown,
  code: Code,
): error is HarnessError<Code> {
  return error instanceof HarnessError && error.code === code;
}

/** A machine's own code on an error, such as ECONNREFUSED; anything else may be text. */
const CODE = /^[A-Z][A-Z0-9_]{1,40}$/;
/** Causes that a name goes back through. */
const MOST_CAUSES = 3;

/**
 * The name of whatever was thrown, its code and those of its causes: what a log may say of a fault.
 * The text of an error may hold data and stays out.
 */
export function nameOf(thrown: unknown): string {
  const names: string[] = [];
  for (
    let error = thrown;
    error !== undefined && names.length < MOST_CAUSES;
    error = causeOf(error)
  ) {
    names.push(ownName(error));
  }
  return names.length === 0 ? 'undefined' : names.join(' < ');
}

function ownName(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const { code } = thrown as { code?: unknown }; // Node and the SDK put one on many errors
  const isTelling = typeof code === 'string' && CODE.test(code) && code !== thrown.name;
  return isTelling ? `${thrown.name} ${code}` : thrown.name;
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? thrown.cause : undefined;
}
