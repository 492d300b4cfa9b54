import type { RunId } from '../../shared/contracts/identifiers.ts';
import { nameOf } from '../../shared/kernel/errors.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import type { Deadline } from './run/deadline.ts';
import { RunStoppedError } from './run/stop.ts';

/** How often a run in flight looks for a cancel request; milliseconds. It must see one within 5 s. */
const CANCEL_POLL_MS = 2_000;

/** What a run's signal listens to. */
export interface RunSignalParts {
  readonly runId: RunId;
  readonly deadline: Deadline;
  readonly now: number;
  readonly store: RunStore;
  /** A cancel from the same process, such as Ctrl-C; optional. */
  readonly cancel: AbortSignal | null;
  readonly reportFault: (fault: { readonly name: string }) => void;
}

/**
 * The signal of one run: aborts at the deadline and on a cancel, with a `RunStoppedError` as its
 * reason. Must be disposed of when the run is over.
 */
export class RunSignal implements Disposable {
  readonly #controller = new AbortController();
  readonly #parts: RunSignalParts;
  readonly #deadlineTimer: NodeJS.Timeout;
  readonly #cancelTimer: NodeJS.Timeout;
  readonly #onCancel = () => this.#cancel();
  #isPolling = false;

  constructor(parts: RunSignalParts) {
    this.#parts = parts;
    const { deadline, now, cancel } = parts;
    const untilDeadline = Math.max(0, deadline.at - now);
    this.#deadlineTimer = setTimeout(() => this.#abort('DEADLINE'), untilDeadline);
    this.#cancelTimer = setInterval(() => void this.#poll(), CANCEL_POLL_MS);
    if (cancel?.aborted === true) this.#cancel();
    cancel?.addEventListener('abort', this.#onCancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#deadlineTimer);
    clearInterval(this.#cancelTimer);
    this.#parts.cancel?.removeEventListener('abort', this.#onCancel);
  }

  /** A poll that fails is no cancel; the gate before the next round asks again. */
  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const { store, runId, reportFault } = this.#parts;
    try {
      if (await store.isCancelRequested(runId, this.signal)) this.#cancel();
    } catch (error) {
      if (!this.signal.aborted) reportFault({ name: nameOf(error) });
    } finally {
      this.#isPolling = false;
    }
  }

  #cancel(): void {
    this.#abort('CANCELLED');
  }

  #abort(reason: 'DEADLINE' | 'CANCELLED'): void {
    this.#controller.abort(new RunStoppedError(reason));
  }
}
