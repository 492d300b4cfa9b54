import { describe, expect, it } from 'vitest';
import { withinTimeout } from '../../../functions/diagnosis/evidence/tool-timeout.ts';

const LONG_MS = 60_000;

describe('withinTimeout', () => {
  it('gives the value of work that is done in time', async () => {
    const result = await withinTimeout(noAbort(), LONG_MS, async () => 'value');

    expect(result).toEqual({ kind: 'done', value: 'value' });
  });

  it('gives the cause of work that failed', async () => {
    const cause = new Error('no');

    const result = await withinTimeout(noAbort(), LONG_MS, () => Promise.reject(cause));

    expect(result).toEqual({ kind: 'failed', cause });
  });

  it('gives the cause of work that threw before it waited', async () => {
    const cause = new Error('at once');

    const result = await withinTimeout(noAbort(), LONG_MS, () => {
      throw cause;
    });

    expect(result).toEqual({ kind: 'failed', cause });
  });

  it.each([5, 0, -1])('cuts off work that ignores its signal after %i ms', async (timeoutMs) => {
    const result = await withinTimeout(noAbort(), timeoutMs, () => new Promise(() => {}));

    expect(result).toEqual({ kind: 'timed_out' });
  });

  it('calls it a timeout when work honours the signal by throwing', async () => {
    const result = await withinTimeout(noAbort(), 5, honouring);

    expect(result).toEqual({ kind: 'timed_out' });
  });

  it('tells the end of the run from a timeout', async () => {
    const run = new AbortController();
    setTimeout(() => run.abort(), 5);

    const result = await withinTimeout(run.signal, LONG_MS, honouring);

    expect(result).toEqual({ kind: 'run_ended' });
  });

  it('starts nothing once the run has ended', async () => {
    let hasStarted = false;

    const result = await withinTimeout(AbortSignal.abort(), LONG_MS, async () => {
      hasStarted = true;
    });

    expect(result).toEqual({ kind: 'run_ended' });
    expect(hasStarted).toBe(false);
  });
});

function noAbort(): AbortSignal {
  return new AbortController().signal;
}

function honouring(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
