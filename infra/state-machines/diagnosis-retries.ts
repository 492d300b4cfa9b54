import type { Catcher, Retrier } from './asl.ts';

/** The longest that a run keeps its lease: the function's 900 s and 15 s of clock skew. */
export const LONGEST_LEASE_SECONDS = 915;

/** Errors before the function's code ran at all. */
const NEVER_RAN = [
  'Lambda.TooManyRequestsException',
  'Lambda.ResourceNotReadyException',
  'Lambda.EC2ThrottledException',
];

/** Errors after which nobody knows whether the code ran; the run id lets it run once. */
const MAY_HAVE_RUN = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'RecordUnavailableError',
];

/** How the end of a process shows up. Asked again, the run is in progress, then abandoned. */
const PROCESS_ENDED = [
  'Sandbox.Timedout',
  'Lambda.Unknown',
  'Runtime.ExitError',
  'Runtime.OutOfMemory',
  'States.Timeout',
];

const IN_PROGRESS = ['RunInProgressError'];

/** Seconds between two looks at a run in progress. */
const LOOK_AGAIN_SECONDS = 30;

/**
 * Retried is only what can't execute a diagnosis twice. Step Functions counts each retrier's attempts
 * by itself.
 */
export const RETRIES: readonly Retrier[] = [
  {
    ErrorEquals: NEVER_RAN,
    IntervalSeconds: 5,
    BackoffRate: 2,
    MaxAttempts: 8,
    MaxDelaySeconds: 60,
    JitterStrategy: 'FULL',
  },
  {
    ErrorEquals: MAY_HAVE_RUN,
    IntervalSeconds: 5,
    BackoffRate: 2,
    MaxAttempts: 4,
    JitterStrategy: 'FULL',
  },
  { ErrorEquals: PROCESS_ENDED, IntervalSeconds: 20, BackoffRate: 1, MaxAttempts: 2 },
  {
    ErrorEquals: IN_PROGRESS,
    IntervalSeconds: LOOK_AGAIN_SECONDS,
    BackoffRate: 1,
    // One look more than fits in, for the time that the looks themselves take.
    MaxAttempts: Math.ceil(LONGEST_LEASE_SECONDS / LOOK_AGAIN_SECONDS) + 1,
  },
];

/** Where an error leads that no retry has helped. */
export const FAILURES = {
  'Request refused': ['InvalidRequestError'],
  'Run id taken': ['RunConflictError', 'RunExpiredError'],
  'Still in progress': IN_PROGRESS,
  'Not available': [...NEVER_RAN, ...MAY_HAVE_RUN, 'DeadlineTooShortError'],
  'Process ended': PROCESS_ENDED,
  'Not diagnosed': ['States.ALL'], // which stands alone and last
} as const satisfies Record<string, readonly string[]>;

export const CATCHES: readonly Catcher[] = Object.entries(FAILURES).map(([Next, ErrorEquals]) => ({
  ErrorEquals,
  Next,
  Output: '{% $states.errorOutput %}',
}));
