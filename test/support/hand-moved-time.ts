import { onTestFinished, vi } from 'vitest';

/**
 * Stops time, the machine's clock and its timers alike, until the end of the test; what is handed
 * back moves both. Sockets, and signals made by `AbortSignal.timeout`, are not stopped.
 */
export function stopTime(): (ms: number) => void {
  vi.useFakeTimers({
    now: Date.UTC(2026, 10, 30),
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  return (ms) => vi.advanceTimersByTime(ms);
}
