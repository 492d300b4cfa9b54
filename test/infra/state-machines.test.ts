import { createHash } from 'node:crypto';
import aslValidator from 'asl-validator';
import { describe, expect, it } from 'vitest';
import { manyDefinition, oneDefinition } from '../../infra/state-machines/definitions.ts';
import { LONGEST_LEASE_SECONDS } from '../../infra/state-machines/diagnosis-retries.ts';
import { DiagnosisRequestSchema } from '../../shared/contracts/diagnosis-request.ts';
import event from '../events/diagnosis.json' with { type: 'json' };
import { type Answer, type Walk, walk } from './machine-walker.ts';
import { completed, failed, stopped } from './outcomes.ts';

const ALIAS = 'arn:aws:lambda:eu-central-1:111122223333:function:diagnosis-sample-diagnosis:live';
const one = oneDefinition(ALIAS);
const many = manyDefinition({ aliasArn: ALIAS, bucket: 'batches', maxConcurrency: 5 });

describe.each([
  ['one', one],
  ['many', many],
])('the machine for %s', (_name, definition) => {
  it('has the shape of Amazon States Language', () => {
    const { isValid, errors } = aslValidator(structuredClone(definition));

    expect(errors).toEqual([]);
    expect(isValid).toBe(true);
  });
});

it('the validator refuses a machine that leads nowhere', () => {
  const broken = { ...one, StartAt: 'Nowhere' };

  expect(aslValidator(structuredClone(broken)).isValid).toBe(false);
});

describe('one diagnosis', () => {
  it('is answered with its outcome, in a run that is named like the execution', async () => {
    const outcome = completed('incident-4711');

    const { states, invocations, end } = await execute('incident-4711', { payload: outcome });

    expect(states).toEqual([
      'Name the run',
      'Diagnose',
      'Would a new run fare better?',
      'Answered',
    ]);
    expect(invocations).toEqual([
      { ...event, run_id: 'incident-4711', session_id: 'incident-4711' },
    ]);
    expect(end).toEqual({ kind: 'succeeded', output: { run_ids: ['incident-4711'], outcome } });
  });

  it('asks for what the function accepts', async () => {
    const { invocations } = await execute('incident-4711', { payload: completed('incident-4711') });

    expect(DiagnosisRequestSchema.safeParse(invocations[0]).success).toBe(true);
  });

  it.each([
    ['a space', 'incident 4711'],
    ['Chinese', '支付超时-4711'],
    ['a sign', 'incident+4711'],
  ])('hashes a name with %s', async (_case, name) => {
    const { invocations } = await execute(name, { payload: completed('x') });

    const hashed = `x-${createHash('sha256').update(name).digest('hex')}`;
    expect(invocations[0]).toMatchObject({ run_id: hashed, session_id: hashed });
  });

  it('keeps the run id and the session that the request brings', async () => {
    const input = { ...event, run_id: 'mine', session_id: 'conversation' };

    const { invocations, end } = await executeWith(input, { payload: completed('mine') });

    expect(invocations).toEqual([input]);
    expect(end).toMatchObject({ output: { run_ids: ['mine'] } });
  });

  it.each([
    ['a string', 'why?'],
    ['a list', [event]],
    ['null', null],
  ])('hands %s to the function as it is, which refuses it by name', async (_case, input) => {
    const refusal = { error: 'InvalidRequestError', cause: 'query: …' };

    const { invocations, states, end } = await executeWith(input, refusal);

    expect(invocations).toEqual([input]);
    expect(states.at(-1)).toBe('Request refused');
    expect(end).toEqual({ kind: 'failed', error: 'InvalidRequestError', cause: 'query: …' });
  });

  it('takes a controlled stop for an answer', async () => {
    const outcome = stopped('incident-4711');

    const { end } = await execute('incident-4711', { payload: outcome });

    expect(end).toMatchObject({ kind: 'succeeded', output: { outcome } });
  });

  it('takes a failure that a new run would repeat for an answer', async () => {
    const outcome = failed('incident-4711', 'OUTPUT_REFUSED', 'SCHEMA', false);

    const { invocations, end } = await execute('incident-4711', { payload: outcome });

    expect(invocations).toHaveLength(1);
    expect(end).toMatchObject({ kind: 'succeeded', output: { outcome } });
  });
});

describe('a failure after which a new run may fare better', () => {
  const throttled = failed('incident-4711', 'MODEL_THROTTLED', 'THROTTLED', true);

  it('is followed by one new run in the same session, after a while', async () => {
    const outcome = completed('incident-4711.a2');

    const walked = await execute('incident-4711', { payload: throttled }, { payload: outcome });

    expect(walked.invocations[1]).toEqual({
      ...event,
      run_id: 'incident-4711.a2',
      session_id: 'incident-4711',
    });
    expect(walked.waitedSeconds).toBe(60);
    expect(walked.end).toEqual({
      kind: 'succeeded',
      output: { run_ids: ['incident-4711', 'incident-4711.a2'], outcome },
    });
  });

  it('is not followed by a third', async () => {
    const again = failed('incident-4711.a2', 'MODEL_THROTTLED', 'THROTTLED', true);

    const walked = await execute('incident-4711', { payload: throttled }, { payload: again });

    expect(walked.invocations).toHaveLength(2);
    expect(walked.end).toMatchObject({ kind: 'succeeded', output: { outcome: again } });
  });

  it('gives the new run an id of at most 128 characters', async () => {
    const long = 'r'.repeat(126);

    const { invocations } = await executeWith(
      { ...event, run_id: long },
      { payload: failed(long, 'STORE_FAILED', 'RECORD_WRITE_FAILED', true) },
      { payload: completed(long) },
    );

    const hashed = createHash('sha256').update(long).digest('hex');
    expect(invocations[1]).toMatchObject({ run_id: `x-${hashed}.a2`, session_id: long });
  });
});

describe('an error of the function or of Lambda', () => {
  it.each([
    ['InvalidRequestError', 'Request refused', 1],
    ['RunConflictError', 'Run id taken', 1],
    ['RunExpiredError', 'Run id taken', 1],
    ['DeadlineTooShortError', 'Not available', 1],
    ['Runtime.ImportModuleError', 'Not diagnosed', 1],
    ['TypeError', 'Not diagnosed', 1],
    ['RecordUnavailableError', 'Not available', 5],
    ['Lambda.ServiceException', 'Not available', 5],
    ['Lambda.TooManyRequestsException', 'Not available', 9],
    ['Sandbox.Timedout', 'Process ended', 3],
    ['Lambda.Unknown', 'Process ended', 3],
    ['States.Timeout', 'Process ended', 3],
    ['RunInProgressError', 'Still in progress', 33],
  ])('%s ends in "%s" after %i invocations that all ask the same', async (error, state, times) => {
    const { states, invocations, end } = await execute('incident-4711', { error, cause: 'why' });

    expect(states.at(-1)).toBe(state);
    expect(end).toEqual({ kind: 'failed', error, cause: 'why' });
    expect(invocations).toHaveLength(times);
    expect(new Set(invocations.map((payload) => JSON.stringify(payload))).size).toBe(1);
  });

  it('is waited out for as long as a run can keep its lease', async () => {
    const { waitedSeconds } = await execute('incident-4711', { error: 'RunInProgressError' });

    expect(waitedSeconds).toBeGreaterThanOrEqual(LONGEST_LEASE_SECONDS);
  });

  it('is forgotten once a retry is answered', async () => {
    const outcome = completed('incident-4711');

    const { end } = await execute(
      'incident-4711',
      { error: 'Lambda.TooManyRequestsException' },
      { error: 'RunInProgressError' },
      { payload: outcome },
    );

    expect(end).toMatchObject({ kind: 'succeeded', output: { outcome } });
  });

  it('of a process that ended leads over the abandoned run to a new one', async () => {
    const abandoned = failed('incident-4711', 'RUN_ABANDONED', 'LEASE_EXPIRED', true);
    const outcome = completed('incident-4711.a2');

    const { invocations, end } = await execute(
      'incident-4711',
      { error: 'Sandbox.Timedout' },
      { error: 'RunInProgressError' },
      { payload: abandoned },
      { payload: outcome },
    );

    expect(invocations.map(({ run_id }) => run_id)).toEqual([
      'incident-4711',
      'incident-4711',
      'incident-4711',
      'incident-4711.a2',
    ]);
    expect(end).toMatchObject({ kind: 'succeeded', output: { outcome } });
  });

  it('never meets a retrier that retries everything, and States.ALL stands alone and last', () => {
    const task = one.States['Diagnose'];
    if (task?.Type !== 'Task') throw new Error('Diagnose is a task');

    const retried = task.Retry.flatMap(({ ErrorEquals }) => ErrorEquals);
    const caught = task.Catch.map(({ ErrorEquals }) => ErrorEquals);

    expect(retried).not.toContain('States.ALL');
    expect(retried).not.toContain('States.TaskFailed');
    expect(caught.at(-1)).toEqual(['States.ALL']);
    expect(caught.slice(0, -1).flat()).not.toContain('States.ALL');
  });
});

function execute(name: string, ...answers: readonly Answer[]): Promise<Walk> {
  return walk(one, { input: event, context: { Execution: { Name: name } }, answers });
}

function executeWith(input: unknown, ...answers: readonly Answer[]): Promise<Walk> {
  return walk(one, { input, context: { Execution: { Name: 'incident-4711' } }, answers });
}
