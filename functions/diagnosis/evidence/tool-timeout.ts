/** How a bounded call ended: with its value, cut off by its own clock, or by the end of the run. */
export type BoundedResult<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'failed'; readonly cause: unknown }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'run_ended' };

/**
 * Runs work that gets a signal and `timeoutMs` milliseconds. Work that ignores its signal is left
 * behind: its late value or failure goes nowhere.
 */
export async function withinTimeout<Value>(
  runSignal: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<BoundedResult<Value>> {
  if (runSignal.aborted) return { kind: 'run_ended' };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error('tool timeout')), Math.max(0, timeoutMs));
  const signal = AbortSignal.any([runSignal, timeout.signal]);
  const cut = Promise.withResolvers<BoundedResult<Value>>();
  const onAbort = () => cut.resolve({ kind: runSignal.aborted ? 'run_ended' : 'timed_out' });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const settled = await Promise.race([settledResult(work, signal), cut.promise]);
    return settled.kind === 'failed' && signal.aborted ? await cut.promise : settled;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function settledResult<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
): Promise<BoundedResult<Value>> {
  try {
    return { kind: 'done', value: await work(signal) };
  } catch (cause) {
    return { kind: 'failed', cause };
  }
}
