import type { State } from './asl.ts';
import { CATCHES, FAILURES, RETRIES } from './diagnosis-retries.ts';

/** The first state of a diagnosis. */
export const FIRST_STATE = 'Name the run';

/** What the states of one diagnosis call, and where they find their names. */
export interface DiagnosisStatesOptions {
  /** The alias that is invoked. */
  readonly aliasArn: string;
  /** JSONata for the request. */
  readonly request: string;
  /** JSONata for the name that a request without a run id gets. */
  readonly name: string;
}

/** The Lambda's own limit and half a minute for the answer's way. */
const TASK_TIMEOUT_SECONDS = 930;
/** Time for a throttle to pass before the one new run. */
const SECOND_RUN_DELAY_SECONDS = 60;

/** JSONata for a run id: the name itself where it is one, else its hash. */
export function runIdOf(name: string): string {
  return `($contains(${name}, /^[A-Za-z0-9._-]{1,128}$/) ? ${name} : 'x-' & $hash(${name}, 'SHA-256'))`;
}

/**
 * One diagnosis: a run, and after a rerunnable failure one new run under an id of its own in the same
 * session. Stops and failures of a run are data; only what is no outcome fails the execution.
 */
export function diagnosisStates(options: DiagnosisStatesOptions): Record<string, State> {
  return {
    [FIRST_STATE]: {
      Type: 'Pass',
      Comment: 'A request that is no object goes on as it is; the function refuses it by name',
      Assign: firstRun(options),
      Next: 'Diagnose',
    },
    Diagnose: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName: options.aliasArn, Payload: '{% $request %}' },
      Output: '{% $states.result.Payload %}',
      TimeoutSeconds: TASK_TIMEOUT_SECONDS,
      Retry: RETRIES,
      Catch: CATCHES,
      Next: 'Would a new run fare better?',
    },
    'Would a new run fare better?': {
      Type: 'Choice',
      Choices: [
        {
          Condition:
            "{% $states.input.status = 'FAILED' and $states.input.failure.rerunnable and $count($run_ids) = 1 %}",
          Next: 'Let it pass',
        },
      ],
      Default: 'Answered',
    },
    'Let it pass': { Type: 'Wait', Seconds: SECOND_RUN_DELAY_SECONDS, Next: 'Name a new run' },
    'Name a new run': { Type: 'Pass', Assign: secondRun(), Next: 'Diagnose' },
    Answered: {
      Type: 'Succeed',
      Output: { run_ids: '{% $run_ids %}', outcome: '{% $states.input %}' },
    },
    ...failStates(),
  };
}

function firstRun({ request, name }: DiagnosisStatesOptions) {
  const runId = `($type(${request}) = 'object' and $exists(${request}.run_id) ? ${request}.run_id : ${runIdOf(name)})`;
  // A new run must not start a session of its own.
  const session = `($exists(${request}.session_id) ? ${request}.session_id : ${runId})`;
  const named = `$merge([${request}, {'run_id': ${runId}, 'session_id': ${session}}])`;
  return {
    request: `{% $type(${request}) = 'object' ? ${named} : ${request} %}`,
    run_ids: `{% [${runId}] %}`,
  };
}

/** Ids have at most 128 characters, so that a long one is hashed before it gets its ending. */
function secondRun() {
  const first = '$request.run_id';
  const second = `(($length(${first}) <= 125 ? ${first} : 'x-' & $hash(${first}, 'SHA-256')) & '.a2')`;
  return {
    request: `{% $merge([$request, {'run_id': ${second}}]) %}`,
    run_ids: `{% [$run_ids[0], ${second}] %}`,
  };
}

function failStates(): Record<string, State> {
  const fail: State = {
    Type: 'Fail',
    Error: '{% $states.input.Error %}',
    Cause: '{% $states.input.Cause %}',
  };
  return Object.fromEntries(Object.keys(FAILURES).map((name) => [name, fail]));
}
