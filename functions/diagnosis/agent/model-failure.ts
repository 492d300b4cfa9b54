import type { FailureCode, VendorCode } from '../../../shared/contracts/failure.ts';
import { HarnessError } from '../../../shared/kernel/errors.ts';

/** The model's side of the run failed: the service, its answer, or the way to it. */
export class ModelFailedError extends HarnessError<'MODEL_FAILED'> {
  readonly failureCode: FailureCode;
  readonly detailCode: VendorCode;

  constructor(failureCode: FailureCode, detailCode: VendorCode, options?: ErrorOptions) {
    super('MODEL_FAILED', `${failureCode}: ${detailCode}`, options);
    this.failureCode = failureCode;
    this.detailCode = detailCode;
  }
}

type Verdict = readonly [FailureCode, VendorCode];

/** Exceptions of the Bedrock runtime and of the SDK, by name. */
const BY_NAME: ReadonlyMap<string, Verdict> = new Map<string, Verdict>([
  ['ThrottlingException', ['MODEL_THROTTLED', 'THROTTLED']],
  ['TooManyRequestsException', ['MODEL_THROTTLED', 'THROTTLED']],
  ['ServiceQuotaExceededException', ['MODEL_THROTTLED', 'QUOTA_EXCEEDED']],
  ['ModelNotReadyException', ['MODEL_UNAVAILABLE', 'MODEL_NOT_READY']],
  ['ServiceUnavailableException', ['MODEL_UNAVAILABLE', 'SERVICE_UNAVAILABLE']],
  ['InternalServerException', ['MODEL_UNAVAILABLE', 'SERVICE_ERROR']],
  ['ModelTimeoutException', ['MODEL_UNAVAILABLE', 'MODEL_TIMEOUT']],
  ['ModelErrorException', ['MODEL_UNAVAILABLE', 'MODEL_ERROR']],
  ['TimeoutError', ['MODEL_UNAVAILABLE', 'CONNECTION_FAILED']],
  ['AccessDeniedException', ['MODEL_DENIED', 'ACCESS_DENIED']],
  ['UnrecognizedClientException', ['MODEL_DENIED', 'ACCESS_DENIED']],
  ['ExpiredTokenException', ['MODEL_DENIED', 'ACCESS_DENIED']],
  ['InvalidSignatureException', ['MODEL_DENIED', 'ACCESS_DENIED']],
  ['CredentialsProviderError', ['MODEL_DENIED', 'CREDENTIALS_MISSING']],
  ['ResourceNotFoundException', ['MODEL_DENIED', 'MODEL_NOT_FOUND']],
]);

/**
 * Wordings of a 400 that mean "the input does not fit": as users of Bedrock have reported them for
 * several model families. Anything else that is invalid is our own fault.
 */
const OVERFLOW =
  /too long|too large|too many (?:input )?tokens|context (?:window|length|limit)|input length|expected maxlength|tokens? exceed|maximum (?:number of )?(?:input )?tokens|max(?:imum)? context|exceeds? .{0,80}(?:token|context)/i;
/** Speaks of tokens too, but of the answer's length as our configuration asks for it. */
const ANSWER_TOO_LONG = /maximum tokens you requested/i;

/** Puts a failed call into our words; the vendor's text stays in `cause` and goes no further. */
export function toModelFailure(error: unknown): ModelFailedError {
  const [failureCode, detailCode] = verdictOn(error);
  return new ModelFailedError(failureCode, detailCode, { cause: error });
}

function verdictOn(error: unknown): Verdict {
  const name = error instanceof Error ? error.name : '';
  const known = BY_NAME.get(name);
  if (known !== undefined) return known;
  const status = httpStatusOf(error);
  if (name === 'ValidationException' || status === 400 || status === 413) {
    return overflows(error)
      ? ['CONTEXT_OVERFLOW', 'INPUT_TOO_LONG']
      : ['AGENT_FAILED', 'REQUEST_INVALID'];
  }
  return status === null ? ['MODEL_UNAVAILABLE', 'CONNECTION_FAILED'] : byStatus(status);
}

function byStatus(status: number): Verdict {
  if (status === 429) return ['MODEL_THROTTLED', 'THROTTLED'];
  if (status === 401 || status === 403) return ['MODEL_DENIED', 'ACCESS_DENIED'];
  if (status === 404) return ['MODEL_DENIED', 'MODEL_NOT_FOUND'];
  if (status === 503) return ['MODEL_UNAVAILABLE', 'SERVICE_UNAVAILABLE'];
  if (status >= 500 || status === 408) return ['MODEL_UNAVAILABLE', 'SERVICE_ERROR'];
  if (status >= 400) return ['AGENT_FAILED', 'REQUEST_INVALID'];
  return ['MODEL_UNAVAILABLE', 'RESPONSE_UNREADABLE'];
}

function overflows(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const message = error.message.slice(0, 2_000);
  return OVERFLOW.test(message) && !ANSWER_TOO_LONG.test(message);
}

/** The HTTP status as the SDK keeps it: on the metadata, or on a response it could not read. */
function httpStatusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null;
  const { $metadata, $response } = error as {
    $metadata?: { httpStatusCode?: unknown };
    $response?: { statusCode?: unknown };
  }; // the SDK adds these to every error of a response
  const status = $response?.statusCode ?? $metadata?.httpStatusCode;
  return typeof status === 'number' ? status : null;
}
