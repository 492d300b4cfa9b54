/** What a failing AWS service means to whoever asked for evidence. */
export type AwsSourceCode =
  | 'SOURCE_UNAVAILABLE'
  | 'SOURCE_DENIED'
  | 'SOURCE_THROTTLED'
  | 'SOURCE_FAILED';

/**
 * Reads an error of the AWS SDK by its name and HTTP status, never by its text. A request that the
 * service understood and can't serve is `SOURCE_FAILED`; one that found no working service is
 * `SOURCE_UNAVAILABLE`.
 */
export function sourceCodeOfAws(thrown: unknown): AwsSourceCode {
  const name = thrown instanceof Error ? thrown.name : '';
  if (THROTTLES.has(name)) return 'SOURCE_THROTTLED';
  if (DENIALS.has(name)) return 'SOURCE_DENIED';
  if (OUTAGES.has(name)) return 'SOURCE_UNAVAILABLE';
  return codeOfStatus(httpStatus(thrown));
}

const THROTTLES: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'Throttling',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'ServiceQuotaExceededException',
]);

const DENIALS: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'MissingAuthenticationTokenException',
  'UnrecognizedClientException',
]);

const OUTAGES: ReadonlySet<string> = new Set([
  'BadGatewayException',
  'DependencyFailedException',
  'InternalServerException',
  'InternalServiceError',
  'ModelNotReadyException',
  'ServiceUnavailableException',
  'TimeoutError',
]);

function codeOfStatus(status: number | undefined): AwsSourceCode {
  if (status === undefined || status >= 500) return 'SOURCE_UNAVAILABLE'; // no answer, or no service
  if (status === 401 || status === 403) return 'SOURCE_DENIED';
  return status === 429 ? 'SOURCE_THROTTLED' : 'SOURCE_FAILED';
}

function httpStatus(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('$metadata' in thrown)) return undefined;
  const metadata = thrown.$metadata;
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const status = 'httpStatusCode' in metadata ? metadata.httpStatusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}
